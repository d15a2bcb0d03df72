#include "collect/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "collect/archive.h"
#include "collect/native_journal.h"
#include "collect/spool.h"
#include "forensics/error.h"

namespace forensics {

namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(int fd, std::string name, Pipeline& pipeline) : fd_(fd), name_(std::move(name)), pipeline_(pipeline) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }

  std::size_t read(char* out, std::size_t size) override {
    while (!failed_) {
      const ssize_t n = ::read(fd_, out, size);
      if (n >= 0) {
        any_ |= n > 0;
        return static_cast<std::size_t>(n);
      }
      if (errno == EINTR) continue;
      failed_ = true;
      if (any_) pipeline_.diagnose({name_, 0, "read-error", std::string("reading stopped: ") + std::strerror(errno), 1});
      else pipeline_.diagnose({name_, 0, "unreadable", std::strerror(errno), 1});
    }
    return 0;
  }
  /// False if reading failed at the first byte.
  bool readable() const noexcept { return any_ || !failed_; }

 private:
  int fd_;
  std::string name_;
  Pipeline& pipeline_;
  bool any_ = false, failed_ = false;
};

RealTime modified(const struct ::stat& status) {
  using namespace std::chrono;
  return RealTime(duration_cast<microseconds>(seconds(status.st_mtim.tv_sec) + nanoseconds(status.st_mtim.tv_nsec)));
}

bool unreadable(const std::string& name, int error, Pipeline& pipeline) {
  pipeline.diagnose({name, 0, "unreadable", std::strerror(error), 1});
  return false;
}

class Collector {
 public:
  Collector(Pipeline& pipeline, const std::filesystem::path& spool) : pipeline_(pipeline), spool_(spool) {}

  /// `inside`: what the names of an archive's members begin with.
  bool file(const std::filesystem::path& path, const std::string& name, const std::string& inside) {
    // O_NONBLOCK: a pipe that nobody writes must not hold open() up; it has no effect on regular files.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return unreadable(name, errno, pipeline_);
    FileSource source(fd, name, pipeline_);
    struct ::stat status {};
    if (::fstat(fd, &status) != 0) return unreadable(name, errno, pipeline_);
    budget_ = ArchiveBudget{};
    if (S_ISFIFO(status.st_mode)) {   // named on the command line: <(dmesg)
      ::fcntl(fd, F_SETFL, 0);
      return stream(name, inside, source, {}, 0) && source.readable();
    }
    if (!S_ISREG(status.st_mode)) {
      pipeline_.diagnose({name, 0, "unreadable", "not a regular file", 1});
      return false;
    }
    if (is_native_journal(path)) {
      collect_native_journal(path, name, pipeline_);
      return true;
    }
    const auto again = [path, name, &pipeline = pipeline_]() -> std::unique_ptr<ByteSource> {
      const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
      if (opened >= 0) return std::make_unique<FileSource>(opened, name, pipeline);
      unreadable(name, errno, pipeline);
      return nullptr;
    };
    HeadSource bytes(read_head(source, archive_head), source);
    if (looks_like_archive(bytes.head())) return archive({name, inside, modified(status), 0}, bytes, fd);
    pipeline_.add(name, bytes, modified(status), again);
    return source.readable();
  }

  /// What can be read once only.
  bool stream(const std::string& name, const std::string& inside, ByteSource& source, std::optional<RealTime> newest, int depth) {
    HeadSource bytes(read_head(source, archive_head), source);
    if (looks_like_archive(bytes.head())) return archive({name, inside, newest, depth}, bytes, -1);
    if (depth > 0 && bytes.head().starts_with("LPKSHHRH")) return journal(name, bytes);
    if (spool_.empty() || bytes.head().empty()) {
      pipeline_.add(name, bytes, newest);
      return true;
    }
    const auto again = spool(bytes, spool_);
    const auto copy = again();
    pipeline_.add(name, *copy, newest, again);
    return true;
  }

 private:
  static constexpr std::size_t archive_head = 512;
  static constexpr int most_nested = 3;   // rotated logs inside an archive inside an archive

  struct Outer {
    const std::string& name;
    const std::string& inside;
    std::optional<RealTime> newest;
    int depth;
  };

  bool archive(const Outer& outer, ByteSource& bytes, int fd) {
    if (outer.depth == most_nested) {
      pipeline_.diagnose({outer.name, 0, "archive-too-deep", "not read: an archive inside three others", 1});
      return false;
    }
    return read_archive(outer.name, outer.inside, bytes, fd, budget_, pipeline_, [&](const std::string& path, ByteSource& member, std::optional<RealTime> time) {
      const std::string name = path.empty() ? outer.name : outer.inside + path;
      stream(name, name + '/', member, time ? time : outer.newest, outer.depth + 1);
    });
  }

  /// sd-journal opens files only.
  bool journal(const std::string& name, ByteSource& bytes) {
    const auto copy = std::make_shared<TemporaryFile>(".journal");
    if (copy->fd() < 0 || !copy_to_file(bytes, copy->fd())) return unreadable(name, errno, pipeline_);
    collect_native_journal(copy->path(), name, pipeline_, copy);
    return true;
  }

  Pipeline& pipeline_;
  const std::filesystem::path& spool_;
  ArchiveBudget budget_;
};

/// What a folder holds.
struct Listing {
  std::vector<std::filesystem::path> files;   ///< regular ones, in name order
  std::uint64_t links = 0, others = 0;        ///< passed by: links, and sockets, pipes and devices
  bool whole = true;                          ///< false: some folder in it could not be listed
};

void sort_in(const std::filesystem::directory_entry& entry, Listing& listing, std::vector<std::filesystem::path>& folders) {
  std::error_code ignored;
  const auto status = entry.symlink_status(ignored);
  if (std::filesystem::is_directory(status)) folders.push_back(entry.path());
  else if (std::filesystem::is_regular_file(status)) listing.files.push_back(entry.path());
  else if (std::filesystem::is_symlink(status)) ++listing.links;
  else ++listing.others;
}

/// All below a folder. Links are not followed: a bundle holds its own files, and a loop would have no end.
Listing list(const std::filesystem::path& folder, Pipeline& pipeline) {
  Listing listing;
  std::vector<std::filesystem::path> pending = {folder};
  while (!pending.empty()) {
    const auto at = pending.back();
    pending.pop_back();
    std::error_code error;
    std::filesystem::directory_iterator it(at, error), end;
    for (; !error && it != end; it.increment(error)) sort_in(*it, listing, pending);
    if (!error) continue;
    listing.whole = false;
    unreadable(at.string(), error.value(), pipeline);
  }
  std::sort(listing.files.begin(), listing.files.end());
  return listing;
}

bool collect_folder(const std::filesystem::path& folder, Pipeline& pipeline, const std::filesystem::path& spool) {
  const Listing listing = list(folder, pipeline);
  if (listing.links > 0)
    pipeline.diagnose({folder.string(), 0, "link-passed-by", "a link in a folder is not followed: name it with --in", listing.links});
  if (listing.others > 0)
    pipeline.diagnose({folder.string(), 0, "not-a-file", "a socket, pipe or device in a folder is not read", listing.others});
  if (listing.files.empty() && listing.whole) pipeline.diagnose({folder.string(), 0, "no-log", "a folder without a file", 1});
  bool any = false;
  Collector collector(pipeline, spool);
  for (const auto& file : listing.files) {
    const std::string name = file.lexically_relative(folder).string();
    any |= collector.file(file, name, name + '/');
  }
  return any || (listing.files.empty() && listing.whole);
}

/// The path that could not be read, as its user would name it: sources have names inside their bundle.
std::string where_of(const std::vector<std::filesystem::path>& paths, const Diagnostic& why) {
  if (paths.size() > 1 || paths.front() == "-") return why.source;
  std::error_code ignored;
  if (!std::filesystem::is_directory(paths.front(), ignored)) return paths.front().string();
  return why.source.starts_with(paths.front().string()) ? why.source : (paths.front() / why.source).string();
}

}  // namespace

bool collect_path(const std::filesystem::path& path, Pipeline& pipeline, const std::filesystem::path& spool) {
  if (path == "-") {
    FileSource source(STDIN_FILENO, "standard input", pipeline);
    return Collector(pipeline, spool).stream("standard input", "", source, {}, 0) && source.readable();
  }
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error || !std::filesystem::exists(status)) return unreadable(path.string(), error ? error.value() : ENOENT, pipeline);
  if (std::filesystem::is_directory(status)) return collect_folder(path, pipeline, spool);
  return Collector(pipeline, spool).file(path, path.filename().string(), "");
}

void throw_unreadable(const std::vector<std::filesystem::path>& paths, const std::vector<Diagnostic>& diagnostics) {
  const auto why = std::find_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) { return d.code == "unreadable"; });
  if (why != diagnostics.end()) throw Error(ErrorCode::io, show(where_of(paths, *why)), why->message);
}

}  // namespace forensics
