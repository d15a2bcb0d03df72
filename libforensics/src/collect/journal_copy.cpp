#include "collect/journal_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

namespace forensics {

namespace {

constexpr std::size_t block = 128 * 1024, header_bytes = 272;
constexpr std::uint64_t largest_journal = std::uint64_t{8} << 30;   // journald stops at 4 GiB

std::uint64_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 8; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

bool write_all(int fd, const char* data, std::size_t size, std::uint64_t at) {
  while (size > 0) {
    const ssize_t n = ::pwrite(fd, data, size, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
    at += static_cast<std::uint64_t>(n);
  }
  return true;
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }

 private:
  int fd_;
};

/// Holes stay holes: a block of zeros is not written.
bool all_zero(const std::vector<char>& data, std::size_t size) {
  return size == 0 || (data[0] == 0 && std::memcmp(data.data(), data.data() + 1, size - 1) == 0);
}

}  // namespace

std::optional<JournalHeader> journal_header(std::string_view bytes) {
  constexpr std::size_t header_size_at = 88, arena_size_at = 96, entries_at = 152, least = 208;
  if (bytes.size() < least || !bytes.starts_with("LPKSHHRH")) return {};
  const std::uint64_t header_size = little_endian(bytes, header_size_at), arena_size = little_endian(bytes, arena_size_at);
  JournalHeader header;
  header.entries = little_endian(bytes, entries_at);
  if (header_size <= largest_journal && arena_size <= largest_journal) header.size = header_size + arena_size;
  return header;
}

bool copy_journal(const std::filesystem::path& from, const std::string& name, TemporaryFile& to, JournalHeader& header,
                  Pipeline& pipeline) {
  const auto fail = [&](const std::string& reason) {
    pipeline.diagnose({name, 0, "unreadable", reason, 1});
    return false;
  };
  const Descriptor file(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct ::stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) return fail(std::strerror(errno));
  if (to.fd() < 0) return fail("no temporary file can be made; set TMPDIR to a folder with room");
  std::vector<char> data(block);
  std::uint64_t lost = 0;
  for (std::uint64_t at = 0; at < static_cast<std::uint64_t>(status.st_size);) {
    ssize_t n = ::pread(file.get(), data.data(), data.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) break;   // it shrank
    if (n < 0) {
      ++lost;
      at += block;
      continue;
    }
    const auto size = static_cast<std::size_t>(n);
    if (at == 0) header = journal_header({data.data(), size}).value_or(JournalHeader{});
    if (!all_zero(data, size) && !write_all(to.fd(), data.data(), size, at))
      return fail(std::string("no copy can be made: ") + std::strerror(errno));
    at += size;
  }
  if (lost > 0)
    pipeline.diagnose({name, 0, "read-error", "blocks of 128 KiB that could not be read count as zeros", lost});
  const std::uint64_t size = std::max<std::uint64_t>(static_cast<std::uint64_t>(status.st_size), header.size);
  if (::ftruncate(to.fd(), static_cast<off_t>(size)) != 0) return fail(std::string("no copy can be made: ") + std::strerror(errno));
  return true;
}

}  // namespace forensics
