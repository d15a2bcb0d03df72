#include "read/flat_json.h"

#include <algorithm>
#include <charconv>

#include "read/loose_json.h"

namespace forensics {
namespace {

/// `[ 27, 91 ]` at `at`; moves behind it. False if there is anything else in it.
bool read_bytes(std::string_view text, std::size_t& at, FlatValue& value) {
  const std::size_t begin = at++;
  value.is_string = false;
  while (at < text.size()) {
    const char c = text[at];
    if (c == ']') {
      value.raw = text.substr(begin, ++at - begin);
      return true;
    }
    if (c >= '0' && c <= '9') {
      unsigned byte = 0;
      const auto [stop, error] = std::from_chars(text.data() + at, text.data() + text.size(), byte);
      if (error != std::errc{} || byte > 255) return false;
      value.bytes += static_cast<char>(byte);
      at = static_cast<std::size_t>(stop - text.data());
    } else if (c == ',' || c == ' ' || c == '\t' || c == '\n') {
      ++at;
    } else {
      return false;
    }
  }
  return false;
}

}  // namespace

std::size_t json_other_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      at = json_string_end(text, at + 1);
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    } else if (c == ',' && depth == 0) {
      return at;
    }
  }
  return text.size();
}

void read_flat_values(std::string_view text, std::vector<FlatValue>& values) {
  values.clear();
  std::size_t at = 0;
  if (text.empty()) return;
  if (text[0] == '"') {
    values.push_back({text.substr(1, json_string_end(text, 1) - 1), {}, true});
    return;
  }
  if (text[0] != '[') return;
  if (const auto first = text.find_first_not_of(" \t\n", 1); first != text.npos && text[first] >= '0' && text[first] <= '9') {
    FlatValue value;
    if (read_bytes(text, at, value)) values.push_back(std::move(value));
    return;
  }
  for (++at; at < text.size() && text[at] != ']';) {
    FlatValue value;
    if (text[at] == '"') {
      const std::size_t end = json_string_end(text, at + 1);
      values.push_back({text.substr(at + 1, end - at - 1), {}, true});
      at = end + 1;
    } else if (text[at] == '[') {
      if (!read_bytes(text, at, value)) return;
      values.push_back(std::move(value));
    } else {
      ++at;
    }
  }
}

std::string decoded(const FlatValue& value) { return value.is_string ? unescape_json(value.raw) : value.bytes; }

}  // namespace forensics
