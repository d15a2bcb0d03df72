#include "read/export_field.h"

#include <algorithm>
#include <cstring>

namespace forensics {
namespace {

constexpr std::uint64_t largest_field = 768ull * 1024 * 1024;   // journald's own limit: more is damage

bool field_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_export_name && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::uint64_t little_endian(const char* bytes) {
  std::uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

void put_little_endian(char* bytes, std::uint64_t value) {
  for (int i = 0; i < 8; ++i, value >>= 8) bytes[i] = static_cast<char>(value & 0xFF);
}

std::uint64_t count_lines(std::string_view bytes) {
  return static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

ExportStep read_export_field(std::string_view held, std::size_t at, ExportField& field) {
  field = {};
  const char* const begin = held.data() + at;
  const auto* const line_end = static_cast<const char*>(std::memchr(begin, '\n', held.size() - at));
  if (line_end == nullptr) return ExportStep::more;
  const std::string_view line(begin, static_cast<std::size_t>(line_end - begin));
  const std::size_t behind = at + line.size() + 1;
  if (line.empty()) {
    field.next = behind;
    return ExportStep::entry_end;
  }
  if (const auto* const equals = static_cast<const char*>(std::memchr(begin, '=', line.size()))) {
    const auto name_size = static_cast<std::size_t>(equals - begin);
    field = {line.substr(0, name_size), line.substr(name_size + 1), behind, false};
    return ExportStep::field;
  }
  if (!field_name(line)) return ExportStep::bad;
  if (held.size() - behind < 8) return ExportStep::more;
  const std::uint64_t size = little_endian(held.data() + behind);
  if (size > largest_field) return ExportStep::bad;
  field.name = line;
  field.next = behind + 8 + size + 1;
  field.binary = true;
  if (held.size() < field.next) return ExportStep::more;
  field.value = held.substr(behind + 8, size);
  return held[field.next - 1] == '\n' ? ExportStep::field : ExportStep::bad;
}

}  // namespace forensics
