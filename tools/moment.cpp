#include "moment.h"

#include <cmath>
#include <cstdio>
#include <optional>

#include <date/tz.h>

#include "forensics/error.h"

namespace why_died {
namespace {

using forensics::Error;
using forensics::ErrorCode;

/// Z, +02:00, -0530; empty if it is none of them.
std::optional<std::chrono::minutes> fixed_offset(const std::string& text) {
  if (text == "Z" || text == "UTC") return std::chrono::minutes(0);
  char sign = 0;
  int hours = 0, minutes = 0, used = 0;
  const bool colon = std::sscanf(text.c_str(), "%c%2d:%2d%n", &sign, &hours, &minutes, &used) == 3;
  if (!colon && std::sscanf(text.c_str(), "%c%2d%2d%n", &sign, &hours, &minutes, &used) != 3) return {};
  if (static_cast<std::size_t>(used) != text.size() || (sign != '+' && sign != '-')) return {};
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59) return {};
  const auto offset = std::chrono::hours(hours) + std::chrono::minutes(minutes);
  return sign == '-' ? -offset : offset;
}

const date::time_zone* named_zone(const std::string& name) {
  try {
    return date::locate_zone(name);
  } catch (const std::runtime_error&) {
    throw Error(ErrorCode::usage, "--timezone", "no such time zone: " + forensics::show(name),
                "a name such as Europe/Berlin, or an offset such as +02:00");
  }
}

}  // namespace

void check_timezone(const std::string& timezone) {
  if (!fixed_offset(timezone)) named_zone(timezone);
}

std::chrono::seconds parse_duration(const std::string& option, const std::string& text) {
  constexpr std::string_view units = "smhd";
  constexpr int seconds[] = {1, 60, 3600, 86400};
  const std::size_t digits = text.find_first_not_of("0123456789");
  const std::size_t unit = digits == std::string::npos ? std::string::npos : units.find(text[digits]);
  if (digits == 0 || digits > 6 || unit == std::string::npos || digits + 1 != text.size())
    throw Error(ErrorCode::usage, option, "not a duration: " + forensics::show(text), "a number and s, m, h or d: 90s, 5m");
  return std::chrono::seconds(std::stoll(text.substr(0, digits)) * seconds[unit]);
}

forensics::RealTime parse_moment(const std::string& option, const std::string& text, const std::string& timezone) {
  const Error bad(ErrorCode::usage, option, "not a time: " + forensics::show(text),
                  "ISO 8601, for example 2026-11-30T14:03:22Z");
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, used = 0;
  double second = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3) throw bad;
  std::string rest = text.substr(static_cast<std::size_t>(used));
  if (!rest.empty() && (rest[0] == 'T' || rest[0] == ' ')) {
    if (std::sscanf(rest.c_str() + 1, "%2d:%2d%n", &hour, &minute, &used) != 2) throw bad;
    rest.erase(0, static_cast<std::size_t>(used) + 1);
    if (std::sscanf(rest.c_str(), ":%lf%n", &second, &used) == 1) rest.erase(0, static_cast<std::size_t>(used));
  }
  const date::year_month_day ymd = date::year(year) / month / day;
  if (!ymd.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || !(second >= 0 && second < 61)) throw bad;
  const date::local_time<std::chrono::microseconds> local =
      date::local_days(ymd) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
      std::chrono::microseconds(std::llround(second * 1e6));
  if (!rest.empty() && rest[0] == ' ') rest.erase(0, 1);
  const std::string zone = rest.empty() ? (timezone.empty() ? "UTC" : timezone) : rest;
  if (const auto offset = fixed_offset(zone)) return forensics::RealTime(local.time_since_epoch() - *offset);
  if (!rest.empty()) throw bad;
  return forensics::RealTime(named_zone(zone)->to_sys(local, date::choose::earliest).time_since_epoch());
}

}  // namespace why_died
