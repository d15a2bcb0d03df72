// Small readers of kernel text that the dumps share. All are total: what does not fit yields nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace forensics {

/// Without leading and trailing blanks and tabs.
std::string_view trimmed(std::string_view text);

bool contains(std::string_view text, std::string_view what);

/// The digits (with an optional minus) at the start of `text`, taken off it. Empty and untouched if there are none or
/// they do not fit.
std::optional<std::int64_t> take_integer(std::string_view& text);

/// The number right after the first `key`; it must be followed by something, so that a cut number is no number.
std::optional<std::int64_t> number_after(std::string_view text, std::string_view key);

/// `<key>123kB` as bytes. Sizes from 2^53 bytes on are what the kernel prints for "no limit": empty.
std::optional<std::int64_t> kilobytes_after(std::string_view text, std::string_view key);

/// What stands between the first `open` and the next `close`; empty if either is missing.
std::string_view between(std::string_view text, std::string_view open, std::string_view close);

/// The hex digits after the first `key` (an 0x is skipped).
std::string_view hex_after(std::string_view text, std::string_view key);

}  // namespace forensics
