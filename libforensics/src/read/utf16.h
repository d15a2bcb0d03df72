// UTF-16 as PowerShell's `>` writes it: read as UTF-8, so that no reader has to know.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "read/byte_source.h"

namespace forensics {

enum class ByteOrder : std::uint8_t { little, big };

/// What the head of a source says: a byte order mark, or text of which every second byte is zero.
std::optional<ByteOrder> utf16_order(std::string_view head);

/// The UTF-8 form of another source, without its byte order mark. Halves of characters become U+FFFD.
class Utf16Source final : public ByteSource {
 public:
  Utf16Source(ByteSource& bytes, ByteOrder order) : bytes_(bytes), order_(order) {}
  Utf16Source(std::unique_ptr<ByteSource> bytes, ByteOrder order) : owned_(std::move(bytes)), bytes_(*owned_), order_(order) {}
  std::size_t read(char* out, std::size_t size) override;

 private:
  bool fill();
  void take(std::uint32_t unit);

  std::unique_ptr<ByteSource> owned_;
  ByteSource& bytes_;
  ByteOrder order_;
  std::string text_;               ///< converted, not yet given out from `at_` on
  std::size_t at_ = 0;
  std::optional<unsigned char> half_;      ///< the first byte of a unit
  std::uint32_t high_ = 0;         ///< the first half of a pair
  bool first_ = true;
};

}  // namespace forensics
