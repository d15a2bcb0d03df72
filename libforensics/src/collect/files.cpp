#include "collect/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "collect/native_journal.h"
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
    for (;;) {
      const ssize_t n = ::read(fd_, out, size);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno == EINTR) continue;
      pipeline_.diagnose({name_, 0, "read-error", std::string("reading stopped: ") + std::strerror(errno), 1});
      return 0;
    }
  }

 private:
  int fd_;
  std::string name_;
  Pipeline& pipeline_;
};

/// A nameless file: gone with the last descriptor, however the program ends.
int open_spool(const std::filesystem::path& folder) {
  std::string name = (folder / "why-died-XXXXXX").string();
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0) ::unlink(name.c_str());
  return fd;
}

bool write_all(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

/// Reads a spool from its beginning; several may be open at once.
class SpoolSource final : public ByteSource {
 public:
  SpoolSource(std::shared_ptr<const int> fd) : fd_(std::move(fd)) {}
  std::size_t read(char* out, std::size_t size) override {
    const ssize_t n = ::pread(*fd_, out, size, at_);
    if (n <= 0) return 0;
    at_ += n;
    return static_cast<std::size_t>(n);
  }

 private:
  std::shared_ptr<const int> fd_;
  off_t at_ = 0;
};

void add_once(const std::string& name, ByteSource& source, Pipeline& pipeline, const std::filesystem::path& spool) {
  if (spool.empty()) return pipeline.add(name, source);
  const std::shared_ptr<const int> fd(new int(open_spool(spool)), [](const int* p) {
    if (*p >= 0) ::close(*p);
    delete p;
  });
  if (*fd < 0) throw Error(ErrorCode::io, show(spool.string()), std::strerror(errno), "--tmpdir DIR names another folder");
  std::vector<char> block(std::size_t{1} << 20);
  while (const std::size_t n = source.read(block.data(), block.size()))
    if (!write_all(*fd, block.data(), n)) throw Error(ErrorCode::io, show(spool.string()), std::strerror(errno), "--tmpdir DIR names another folder");
  SpoolSource copy(fd);
  pipeline.add(name, copy, {}, [fd] { return std::make_unique<SpoolSource>(fd); });
}

RealTime modified(const struct ::stat& status) {
  using namespace std::chrono;
  return RealTime(duration_cast<microseconds>(seconds(status.st_mtim.tv_sec) + nanoseconds(status.st_mtim.tv_nsec)));
}

bool unreadable(const std::string& name, int error, Pipeline& pipeline) {
  pipeline.diagnose({name, 0, "unreadable", std::strerror(error), 1});
  return false;
}

bool collect_file(const std::filesystem::path& path, const std::string& name, Pipeline& pipeline, const std::filesystem::path& spool) {
  // O_NONBLOCK: a pipe that nobody writes must not hold open() up; it has no effect on regular files.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return unreadable(name, errno, pipeline);
  FileSource source(fd, name, pipeline);
  struct ::stat status {};
  if (::fstat(fd, &status) != 0) return unreadable(name, errno, pipeline);
  if (S_ISFIFO(status.st_mode)) {   // named on the command line: <(dmesg)
    ::fcntl(fd, F_SETFL, 0);
    add_once(name, source, pipeline, spool);
    return true;
  }
  if (!S_ISREG(status.st_mode)) {
    pipeline.diagnose({name, 0, "unreadable", "not a regular file", 1});
    return false;
  }
  if (is_native_journal(path)) collect_native_journal(path, name, pipeline);
  else pipeline.add(name, source, modified(status), [path, name, &pipeline]() -> std::unique_ptr<ByteSource> {
    const int again = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (again >= 0) return std::make_unique<FileSource>(again, name, pipeline);
    unreadable(name, errno, pipeline);
    return nullptr;
  });
  return true;
}

/// All regular files below a folder, in name order. Links are not followed: a bundle holds its own files.
void list(const std::filesystem::path& folder, Pipeline& pipeline, std::vector<std::filesystem::path>& files) {
  std::error_code error;
  std::vector<std::filesystem::path> pending = {folder};
  while (!pending.empty()) {
    const auto at = pending.back();
    pending.pop_back();
    std::filesystem::directory_iterator it(at, error), end;
    if (error) unreadable(at.string(), error.value(), pipeline);
    for (; !error && it != end; it.increment(error)) {
      std::error_code ignored;
      const auto status = it->symlink_status(ignored);
      if (std::filesystem::is_directory(status)) pending.push_back(it->path());
      else if (std::filesystem::is_regular_file(status)) files.push_back(it->path());
    }
    error.clear();
  }
  std::sort(files.begin(), files.end());
}

}  // namespace

bool collect_path(const std::filesystem::path& path, Pipeline& pipeline, const std::filesystem::path& spool) {
  if (path == "-") {
    FileSource source(STDIN_FILENO, "standard input", pipeline);
    add_once("standard input", source, pipeline, spool);
    return true;
  }
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error || !std::filesystem::exists(status)) return unreadable(path.string(), error ? error.value() : ENOENT, pipeline);
  if (!std::filesystem::is_directory(status)) return collect_file(path, path.filename().string(), pipeline, spool);
  std::vector<std::filesystem::path> files;
  list(path, pipeline, files);
  if (files.empty()) pipeline.diagnose({path.string(), 0, "no-log", "a folder without a file", 1});
  bool any = false;
  for (const auto& file : files) any |= collect_file(file, file.lexically_relative(path).string(), pipeline, spool);
  return any || files.empty();
}

void throw_unreadable(const std::vector<Diagnostic>& diagnostics) {
  const auto why = std::find_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) { return d.code == "unreadable"; });
  if (why != diagnostics.end()) throw Error(ErrorCode::io, show(why->source), why->message);
}

}  // namespace forensics
