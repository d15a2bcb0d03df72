#include "report/wrap.h"

#include <algorithm>

namespace forensics {

std::size_t columns(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string wrap(std::string_view text, int width, std::string_view first, std::string_view rest) {
  const std::size_t limit = static_cast<std::size_t>(std::max(width, 40));
  std::string out(first);
  std::size_t used = columns(first);
  bool at_start = true;
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    if (!at_start && used + 1 + columns(word) > limit) {
      out.append("\n").append(rest);
      used = columns(rest);
      at_start = true;
    }
    if (!at_start) out += ' ', ++used;
    out += word;
    used += columns(word);
    at_start = false;
  }
  return out += '\n';
}

std::string grouped(unsigned long long number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

}  // namespace forensics
