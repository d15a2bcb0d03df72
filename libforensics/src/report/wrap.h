// Prose in columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forensics {

/// Columns that shown text takes: code points, which is right for everything but wide and combining characters.
std::size_t columns(std::string_view utf8);

/// `text` broken between words so that no line is wider than `width` (never less than 40) unless one word is. The first
/// line starts with `first`, the others with `rest`; every line ends with a newline.
std::string wrap(std::string_view text, int width, std::string_view first, std::string_view rest);

/// 12408 -> "12,408"
std::string grouped(unsigned long long number);

}  // namespace forensics
