// JSON objects of one level, as journals write them: found by hopping from quote to quote.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace forensics {

/// One value of a field, where it stands, and (for bytes) decoded.
struct FlatValue {
  std::string_view raw;      ///< the content of a string, or an array of numbers with its brackets
  std::string bytes;
  bool is_string = true;
};

/// Of the string whose content begins at `at`: where its closing quote is. The size of the text if there is none.
inline std::size_t json_string_end(std::string_view text, std::size_t at) {
  for (std::size_t from = at; from < text.size();) {
    const auto* const quote = static_cast<const char*>(std::memchr(text.data() + from, '"', text.size() - from));
    if (quote == nullptr) break;
    const auto end = static_cast<std::size_t>(quote - text.data());
    std::size_t backslashes = 0;
    while (end - backslashes > at && text[end - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return end;
    from = end + 1;
  }
  return text.size();
}

/// Behind an array, an object or a bare word at `at`.
std::size_t json_other_end(std::string_view text, std::size_t at);

/// Behind the value at `at`; the end of the text if it is not closed.
inline std::size_t json_value_end(std::string_view text, std::size_t at) {
  return text[at] == '"' ? std::min(json_string_end(text, at + 1) + 1, text.size()) : json_other_end(text, at);
}

inline std::size_t past_json_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) ++at;
  return at;
}

/// The values of a field: a string, bytes, or a list of such.
void read_flat_values(std::string_view text, std::vector<FlatValue>& values);

std::string decoded(const FlatValue& value);

/// Calls `take(name, value)` for each field, the value as it stands. False if the text is not one whole object.
template <typename Take>
bool each_flat_field(std::string_view text, Take take) {
  if (!text.starts_with('{')) return false;
  std::size_t at = past_json_blanks(text, 1);
  if (at < text.size() && text[at] == '}') return at + 1 == text.size();
  while (at < text.size() && text[at] == '"') {
    const std::size_t name_end = json_string_end(text, at + 1);
    const std::string_view name = text.substr(at + 1, name_end - at - 1);
    at = past_json_blanks(text, name_end + 1);
    if (at >= text.size() || text[at] != ':') return false;
    at = past_json_blanks(text, at + 1);
    if (at >= text.size()) return false;
    const std::size_t end = json_value_end(text, at);
    if (end == at) return false;
    take(name, text.substr(at, end - at));
    at = past_json_blanks(text, end);
    if (at >= text.size()) return false;
    if (text[at] == '}') return at + 1 == text.size();
    if (text[at] != ',') return false;
    at = past_json_blanks(text, at + 1);
  }
  return false;
}

}  // namespace forensics
