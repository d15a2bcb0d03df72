#include "collect/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "forensics/error.h"
#include "forensics/event.h"

namespace forensics {

namespace {

/// Reads a spool from its beginning; several may be open at once.
class SpoolSource final : public ByteSource {
 public:
  explicit SpoolSource(std::shared_ptr<const int> fd) : fd_(std::move(fd)) {}
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

}  // namespace

TemporaryFile::TemporaryFile(const std::string& suffix) {
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  path_ = (error ? std::filesystem::path("/tmp") : folder) / ("why-died-XXXXXX" + suffix);
  fd_ = ::mkostemps(path_.data(), static_cast<int>(suffix.size()), O_CLOEXEC);
  if (fd_ < 0) path_.clear();
}

TemporaryFile::~TemporaryFile() {
  if (fd_ >= 0) ::close(fd_);
  unlink();
}

void TemporaryFile::unlink() {
  if (!path_.empty()) ::unlink(path_.c_str());
  path_.clear();
}

bool copy_to_file(ByteSource& bytes, int fd) {
  std::vector<char> block(std::size_t{256} * 1024);
  while (const std::size_t size = bytes.read(block.data(), block.size())) {
    for (std::size_t done = 0; done < size;) {
      const ssize_t n = ::write(fd, block.data() + done, size - done);
      if (n > 0) done += static_cast<std::size_t>(n);
      else if (n == 0 || errno != EINTR) return false;
    }
  }
  return true;
}

std::function<std::unique_ptr<ByteSource>()> spool(ByteSource& bytes, const std::filesystem::path& folder) {
  std::string name = (folder / "why-died-XXXXXX").string();
  const std::shared_ptr<const int> fd(new int(::mkostemp(name.data(), O_CLOEXEC)), [](const int* p) {
    if (*p >= 0) ::close(*p);
    delete p;
  });
  if (*fd >= 0) ::unlink(name.c_str());
  if (*fd < 0 || !copy_to_file(bytes, *fd))
    throw Error(ErrorCode::io, show(folder.string()), std::strerror(errno), "--tmpdir DIR names another folder");
  return [fd] { return std::make_unique<SpoolSource>(fd); };
}

}  // namespace forensics
