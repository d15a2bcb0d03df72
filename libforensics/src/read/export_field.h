// One field of the journal's export format, as it stands in a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace forensics {

inline constexpr std::size_t longest_export_name = 64;

enum class ExportStep { field, entry_end, more, bad };

/// One field as it stands in the buffer.
struct ExportField {
  std::string_view name, value;
  std::size_t next = 0;       ///< first byte behind the field
  bool binary = false;
};

/// The field at `at`. With `more`, name and value are set as far as the field is a binary one whose size is known:
/// then next is where it will end.
ExportStep read_export_field(std::string_view held, std::size_t at, ExportField& field);

std::uint64_t little_endian(const char* bytes);
void put_little_endian(char* bytes, std::uint64_t value);
std::uint64_t count_lines(std::string_view bytes);

}  // namespace forensics
