// Lines, cells and words of tables that people paste.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace forensics {

struct TextLine {
  std::string_view text;      ///< trimmed, without "> "
  std::uint64_t line = 0, offset = 0;
};

/// All lines of a text, the blank ones too.
std::vector<TextLine> split_lines(std::string_view text);

/// Cells that two blanks or more (or a tab) set apart.
std::vector<std::string_view> split_cells(std::string_view line);

std::vector<std::string_view> split_words(std::string_view line);

std::string_view trim(std::string_view text);

}  // namespace forensics
