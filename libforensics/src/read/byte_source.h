// Where bytes come from. A reader pulls; nothing here knows a format.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forensics {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `size` bytes into `out`; 0 at the end. Trouble (I/O error) is reported through the source's own
  /// SourceContext by whoever made it, and then counts as the end.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

/// The first bytes of a source, which are looked at before the rest is read.
inline std::string read_head(ByteSource& bytes, std::size_t size) {
  std::string head(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const std::size_t n = bytes.read(head.data() + have, size - have);
    if (n == 0) break;
    have += n;
  }
  head.resize(have);
  return head;
}

/// Bytes in memory, which must outlive it.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t n = rest_.copy(out, size);
    rest_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view rest_;
};

}  // namespace forensics
