// Decoded messages of structured formats on their way into a batch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "read/reader.h"

namespace forensics {

/// Appends one message line to `text`, without colour and cursor sequences of terminals, and '\n' behind it. Returns
/// the length that was appended, without the '\n'.
std::uint32_t append_message(std::string& text, std::string_view line);

/// The raw content of a JSON string, cut at its escaped newlines; what follows the last one is left out if it is empty.
std::vector<std::string_view> escaped_lines(std::string_view raw);

/// A character as UTF-8.
void append_utf8(std::string& text, std::uint32_t character);

/// Text at which a reader ends its batch.
inline constexpr std::size_t batch_text = 96 * 1024;

}  // namespace forensics
