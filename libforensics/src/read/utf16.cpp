#include "read/utf16.h"

#include <algorithm>
#include <array>

#include "read/message_text.h"

namespace forensics {
namespace {

constexpr std::uint32_t replacement = 0xFFFD, mark = 0xFEFF;

}  // namespace

std::optional<ByteOrder> utf16_order(std::string_view head) {
  if (head.starts_with("\xFF\xFE")) return ByteOrder::little;
  if (head.starts_with("\xFE\xFF")) return ByteOrder::big;
  head = head.substr(0, 512);
  if (head.size() < 8) return {};
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0';
  const std::size_t most = head.size() / 2 * 7 / 8;
  if (zeros[1] > most && zeros[0] == 0) return ByteOrder::little;
  if (zeros[0] > most && zeros[1] == 0) return ByteOrder::big;
  return {};
}

std::size_t Utf16Source::read(char* out, std::size_t size) {
  while (at_ == text_.size())
    if (!fill()) return 0;
  const std::size_t n = std::string_view(text_).substr(at_).copy(out, size);
  at_ += n;
  return n;
}

/// Converts the next block. False at the end, when nothing is left over.
bool Utf16Source::fill() {
  text_.clear();
  at_ = 0;
  std::array<char, 32 * 1024> block;
  const std::size_t n = bytes_.read(block.data(), block.size());
  if (n == 0) {
    if (half_ || high_ != 0) append_utf8(text_, replacement);
    half_.reset();
    high_ = 0;
    return !text_.empty();
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto byte = static_cast<unsigned char>(block[i]);
    if (!half_) {
      half_ = byte;
      continue;
    }
    take(order_ == ByteOrder::little ? byte << 8 | *half_ : *half_ << 8 | byte);
    half_.reset();
  }
  return true;
}

void Utf16Source::take(std::uint32_t unit) {
  const bool skip = first_ && unit == mark;
  first_ = false;
  if (skip) return;
  const bool low = unit >= 0xDC00 && unit <= 0xDFFF;
  if (high_ != 0) {
    append_utf8(text_, low ? 0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00) : replacement);
    high_ = 0;
    if (low) return;
  }
  if (unit >= 0xD800 && unit <= 0xDBFF) high_ = unit;
  else append_utf8(text_, low ? replacement : unit);
}

}  // namespace forensics
