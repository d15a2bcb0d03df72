#include "read/text_lines.h"

#include <algorithm>

namespace forensics {

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<TextLine> split_lines(std::string_view text) {
  std::vector<TextLine> lines;
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = trim(text.substr(at, end - at));
    while (line.starts_with("> ")) line = trim(line.substr(2));
    const std::size_t offset = line.empty() ? at : static_cast<std::size_t>(line.data() - text.data());
    lines.push_back({line, ++number, offset});
    at = end + 1;
  }
  return lines;
}

std::vector<std::string_view> split_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  while (!line.empty()) {
    const std::size_t end = std::min({line.find("  "), line.find('\t'), line.size()});
    if (end > 0) cells.push_back(line.substr(0, end));
    line.remove_prefix(std::min(std::max(line.find_first_not_of(" \t", end), end), line.size()));
  }
  return cells;
}

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(" \t"); at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t", end);
  }
  return words;
}

}  // namespace forensics
