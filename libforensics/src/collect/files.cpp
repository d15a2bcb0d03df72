#include "collect/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "collect/native_journal.h"

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

RealTime modified(const struct ::stat& status) {
  using namespace std::chrono;
  return RealTime(duration_cast<microseconds>(seconds(status.st_mtim.tv_sec) + nanoseconds(status.st_mtim.tv_nsec)));
}

bool unreadable(const std::string& name, int error, Pipeline& pipeline) {
  pipeline.diagnose({name, 0, "unreadable", std::strerror(error), 1});
  return false;
}

bool collect_file(const std::filesystem::path& path, const std::string& name, Pipeline& pipeline) {
  // O_NONBLOCK: a pipe that nobody writes must not hold open() up; it has no effect on regular files.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return unreadable(name, errno, pipeline);
  FileSource source(fd, name, pipeline);
  struct ::stat status {};
  if (::fstat(fd, &status) != 0) return unreadable(name, errno, pipeline);
  if (S_ISFIFO(status.st_mode)) {   // named on the command line: <(dmesg)
    ::fcntl(fd, F_SETFL, 0);
    pipeline.add(name, source);
    return true;
  }
  if (!S_ISREG(status.st_mode)) {
    pipeline.diagnose({name, 0, "unreadable", "not a regular file", 1});
    return false;
  }
  if (is_native_journal(path)) collect_native_journal(path, name, pipeline);
  else pipeline.add(name, source, modified(status));
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

bool collect_path(const std::filesystem::path& path, Pipeline& pipeline) {
  if (path == "-") {
    FileSource source(STDIN_FILENO, "standard input", pipeline);
    pipeline.add("standard input", source);
    return true;
  }
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error || !std::filesystem::exists(status)) return unreadable(path.string(), error ? error.value() : ENOENT, pipeline);
  if (!std::filesystem::is_directory(status)) return collect_file(path, path.filename().string(), pipeline);
  std::vector<std::filesystem::path> files;
  list(path, pipeline, files);
  if (files.empty()) pipeline.diagnose({path.string(), 0, "no-log", "a folder without a file", 1});
  bool any = false;
  for (const auto& file : files) any |= collect_file(file, file.lexically_relative(path).string(), pipeline);
  return any || files.empty();
}

}  // namespace forensics
