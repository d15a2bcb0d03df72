// Pieces of printed dates and times, taken off the front of a text. Nothing here knows a format.
//
// Every take_* function leaves `rest` as it was if the piece is not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "read/reader.h"

namespace forensics {

/// A time of day, with the fraction that was printed behind it.
struct TimeOfDay {
  std::int64_t micros = 0;               ///< since midnight
  std::int64_t precision = 1'000'000;    ///< µs that the last digit stands for
};

/// Exactly `count` digits.
std::optional<int> take_digits(std::string_view& rest, std::size_t count);
/// One or more digits, at most 18.
std::optional<std::int64_t> take_number(std::string_view& rest);
bool take_char(std::string_view& rest, char c);
/// Blanks and tabs; how many.
std::size_t take_blanks(std::string_view& rest);

/// A month's name, short or long, in the languages that glibc's strftime prints most often, with or without a full
/// stop ("Nov", "août", "апр", "3月"): 1 to 12. The word must end there.
std::optional<unsigned> take_month(std::string_view& rest);
/// A weekday's name in any language: letters only, with or without a full stop, at most 24 bytes. Not checked further.
bool take_weekday(std::string_view& rest);

/// HH:MM:SS, then optionally '.' or ',' and 1 to 9 digits.
std::optional<TimeOfDay> take_time_of_day(std::string_view& rest);
/// Z, +01:00, +0100 or +01: minutes east of Greenwich.
std::optional<int> take_zone(std::string_view& rest);
/// YYYY-MM-DD (or with '/'), 'T' or one blank, a time of day, and a zone if there is one right behind it (also behind one blank, "UTC").
std::optional<Stamp> take_iso_stamp(std::string_view& rest);

/// µs since the epoch of a civil date, UTC; empty if there is no such day.
std::optional<std::int64_t> date_micros(int year, unsigned month, unsigned day);
/// A wall stamp of that date (from date_micros) and time of day.
Stamp wall_stamp(std::int64_t date, const TimeOfDay& time, Stamp::Wall kind);

}  // namespace forensics
