#include "read/rfc3339.h"

#include <algorithm>
#include <chrono>

#include "read/time_parse.h"

namespace forensics {

std::optional<Stamp> parse_rfc3339(std::string_view text) {
  auto stamp = take_iso_stamp(text);
  if (!stamp) return std::nullopt;
  if (stamp->kind == Stamp::Wall::local && take_blanks(text) > 0) {   // Go: 03:04:05 +0100 CET
    const auto zone = take_zone(text);
    if (!zone) return std::nullopt;
    *stamp->wall -= std::int64_t{*zone} * 60'000'000;
    stamp->kind = Stamp::Wall::utc;
  }
  const bool zone_name = text.size() > 1 && text[0] == ' ' &&
                         std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  return text.empty() || zone_name ? stamp : std::nullopt;
}

std::optional<Stamp> parse_rfc1123(std::string_view text) {
  if (!take_weekday(text) || take_blanks(text) == 0) return std::nullopt;   // its comma as well
  const auto day = take_digits(text, 2);
  if (!day || take_blanks(text) == 0) return std::nullopt;
  const auto month = take_month(text);
  if (!month || take_blanks(text) == 0) return std::nullopt;
  const auto year = take_digits(text, 4);
  if (!year || take_blanks(text) == 0) return std::nullopt;
  const auto time = take_time_of_day(text);
  const auto date = date_micros(*year, *month, static_cast<unsigned>(*day));
  if (!time || !date) return std::nullopt;
  Stamp stamp = wall_stamp(*date, *time, Stamp::Wall::local);
  take_blanks(text);
  if (const auto zone = take_zone(text)) {
    stamp.wall = *stamp.wall - std::int64_t{*zone} * 60'000'000;
    stamp.kind = Stamp::Wall::utc;
  } else if (text == "GMT" || text == "UTC") {
    stamp.kind = Stamp::Wall::utc;
  }
  return stamp;
}

std::optional<RealTime> moment(const std::optional<Stamp>& stamp) {
  constexpr std::int64_t day = 86'400'000'000;   // an unset time may be shifted by its zone
  if (!stamp || !stamp->wall || stamp->kind != Stamp::Wall::utc || *stamp->wall < day) return std::nullopt;
  return RealTime(std::chrono::microseconds(*stamp->wall));
}

}  // namespace forensics
