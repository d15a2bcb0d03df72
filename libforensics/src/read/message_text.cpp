#include "read/message_text.h"

namespace forensics {
namespace {

constexpr char escape = '\x1b';

/// Length of the terminal sequence at the start of `s` (ECMA-48: ESC [ parameters final, ESC ] text BEL, ESC x).
std::size_t terminal_sequence(std::string_view s) {
  if (s.size() < 2) return s.size();
  std::size_t i = 2;
  if (s[1] == '[') {
    while (i < s.size() && s[i] >= 0x20 && s[i] < 0x40) ++i;
    return i < s.size() && s[i] >= 0x40 ? i + 1 : i;
  }
  if (s[1] == ']') {
    while (i < s.size() && s[i] != '\a' && s[i] != escape) ++i;
    if (i < s.size() && s[i] == escape) ++i;
    return i < s.size() ? i + 1 : i;
  }
  return 2;
}

}  // namespace

void append_utf8(std::string& out, std::uint32_t c) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6), tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12), tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | c >> 18), tail(12), tail(6), tail(0);
  }
}

std::uint32_t append_message(std::string& text, std::string_view line) {
  const std::size_t begin = text.size();
  for (std::size_t at = line.find(escape); at != line.npos; at = line.find(escape)) {
    text.append(line, 0, at);
    line.remove_prefix(at);
    line.remove_prefix(terminal_sequence(line));
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  text.append(line);
  const auto length = static_cast<std::uint32_t>(text.size() - begin);
  text += '\n';
  return length;
}

std::vector<std::string_view> escaped_lines(std::string_view raw) {
  std::vector<std::string_view> lines;
  std::size_t from = 0;
  for (std::size_t at = raw.find('\\'); at != raw.npos && at + 1 < raw.size(); at = raw.find('\\', at + 2)) {
    if (raw[at + 1] != 'n') continue;
    lines.push_back(raw.substr(from, at - from));
    from = at + 2;
  }
  if (from < raw.size() || lines.empty()) lines.push_back(raw.substr(from));
  return lines;
}

}  // namespace forensics
