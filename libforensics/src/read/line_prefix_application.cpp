// What a program writes itself, and the stamps that engines, compose or a logging library put before it.
//
//   container = [compose] {stamp} text
//   compose   = name blanks "| "                                   postgres_1   | LOG:  could not fork
//   stamp     = rfc3339 " " ("stdout" | "stderr") " " ("P" | "F") {":" tag} " "      CRI
//             | rfc3339 " "                                        docker logs -t
//             | date " " time [("." | ",") fraction] [" " zone]    2019-02-04 08:43:48,428   2024-04-24 17:22:56.173 UTC
//             | "[" weekday month day time year "]" before "["     [Mon Mar 02 10:11:12.123456 2026] [core:error]   Apache
//             | "[" day "-" month "-" year " " time "]"            [13-Feb-2020 10:28:34]
//             | number ":" letter " " day " " month " " year " " time    1:C 12 Feb 2022 08:14:51.208   redis
//   logcat    = month "-" day " " time "." millis " " pid " " tid " " letter " " tag ": " text
//   klog      = ("I" | "W" | "E" | "F") month day " " time "." micros " " thread " " file ":" line "] " text
//   logfmt    = "time=" quoted " level=" word " msg=" quoted {" " key "=" value}
//   logrus    = ("INFO" | "WARN" | "ERRO" | "FATA" | "DEBU" | "PANI") "[" (rfc3339 | seconds) "]" blanks text
#include <algorithm>

#include "read/line_prefix.h"
#include "read/time_parse.h"

namespace forensics {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

void set(LinePrefix& prefix, LineStyle style, const Stamp& stamp, std::string_view rest) {
  prefix.stamp = stamp;
  prefix.has_stamp = true;
  prefix.style = style;
  prefix.rest = rest;
}

bool take_compose_name(std::string_view& rest, std::string_view& name) {
  const std::size_t bar = rest.substr(0, 80).find(" | ");
  const std::size_t end = rest.substr(0, 80).find(' ');
  if (bar == rest.npos || bar == 0 || end == 0 || end == rest.npos || end > bar) return false;
  if (rest.substr(end, bar - end).find_first_not_of(' ') != rest.npos) return false;
  const std::string_view word = rest.substr(0, end);
  const auto fits = [](char c) {
    return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
  };
  if (!std::all_of(word.begin(), word.end(), fits)) return false;
  name = word;
  rest.remove_prefix(bar + 3);
  return true;
}

std::optional<Stamp> take_day_month_year(std::string_view& rest, char separator) {
  std::string_view probe = rest;
  const auto day = take_number(probe);
  if (!day || *day > 31 || !take_char(probe, separator)) return std::nullopt;
  const auto month = take_month(probe);
  if (!month || !take_char(probe, separator)) return std::nullopt;
  const auto year = take_digits(probe, 4);
  if (!year || !take_char(probe, ' ')) return std::nullopt;
  const auto time = take_time_of_day(probe);
  const auto date = date_micros(*year, *month, static_cast<unsigned>(*day));
  if (!time || !date) return std::nullopt;
  rest = probe;
  return wall_stamp(*date, *time, Stamp::Wall::local);
}

bool read_cri_tail(std::string_view& rest) {
  std::string_view probe = rest;
  if (!probe.starts_with("stdout ") && !probe.starts_with("stderr ")) return false;
  probe.remove_prefix(7);
  if (probe.empty() || (probe[0] != 'P' && probe[0] != 'F')) return false;
  probe.remove_prefix(1);
  if (!probe.empty() && probe[0] != ' ' && probe[0] != ':') return false;
  const std::size_t blank = std::min(probe.find(' '), probe.size());
  probe.remove_prefix(blank);
  take_char(probe, ' ');
  rest = probe;
  return true;
}

/// Apache's, which dmesg -T resembles: "Mon Mar 02 10:11:12.123456 2026] [".
std::optional<Stamp> take_apache_stamp(std::string_view& rest) {
  std::string_view probe = rest;
  if (!take_weekday(probe) || take_blanks(probe) == 0) return std::nullopt;
  const auto month = take_month(probe);
  if (!month || take_blanks(probe) == 0) return std::nullopt;
  const auto day = take_number(probe);
  if (!day || *day > 31 || take_blanks(probe) == 0) return std::nullopt;
  const auto time = take_time_of_day(probe);
  if (!time || take_blanks(probe) == 0) return std::nullopt;
  const auto year = take_digits(probe, 4);
  const auto date = year ? date_micros(*year, *month, static_cast<unsigned>(*day)) : std::nullopt;
  if (!date || !probe.starts_with("] [")) return std::nullopt;
  // Without a fraction only a level tells it from a kernel line.
  std::string_view level = probe.substr(3, std::min(probe.find(']', 3), probe.size()) - 3);
  level = level.substr(level.rfind(':') + 1);
  if (time->precision == 1'000'000 && !severity_of(level)) return std::nullopt;
  rest = probe;
  return wall_stamp(*date, *time, Stamp::Wall::local);
}

/// A stamp that the program printed itself.
std::optional<Stamp> take_application_stamp(std::string_view& rest) {
  if (rest.size() < 8) return std::nullopt;
  if (rest[0] == '[') {
    std::string_view probe = rest.substr(1);
    auto stamp = take_iso_stamp(probe);
    if (!stamp) stamp = take_day_month_year(probe, '-');
    if (!stamp) stamp = take_apache_stamp(probe);
    if (!stamp || !take_char(probe, ']')) return std::nullopt;
    rest = probe;
    return stamp;
  }
  if (!digit(rest[0])) return std::nullopt;
  if (auto stamp = take_iso_stamp(rest)) return stamp;
  std::string_view probe = rest;
  if (!take_number(probe) || !take_char(probe, ':') || probe.empty()) return std::nullopt;
  probe.remove_prefix(1);
  if (!take_char(probe, ' ')) return std::nullopt;
  const auto stamp = take_day_month_year(probe, ' ');
  if (stamp) rest = probe;
  return stamp;
}

}  // namespace

bool read_container_stamp(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  const bool composed = take_compose_name(rest, prefix.container);
  if (composed) prefix.style = LineStyle::compose, prefix.rest = rest;
  std::string_view probe = rest;
  bool found = false;
  if (probe.size() > 20 && probe[10] == 'T') {
    if (const auto stamp = take_iso_stamp(probe); stamp && stamp->kind == Stamp::Wall::utc && take_char(probe, ' ')) {
      const bool cri = read_cri_tail(probe);
      set(prefix, composed ? LineStyle::compose : cri ? LineStyle::cri : LineStyle::container_stamp, *stamp, probe);
      found = true;
    }
  }
  std::string_view inner = prefix.rest;
  if (const auto stamp = take_application_stamp(inner)) {
    take_blanks(inner);
    if (inner.starts_with("- ")) inner.remove_prefix(2);
    if (!found) set(prefix, composed ? LineStyle::compose : LineStyle::application, *stamp, inner);
    prefix.rest = inner;
  }
  return found || composed || prefix.has_stamp;
}

bool read_logcat_stamp(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  const auto month = take_digits(rest, 2);
  if (!month || !take_char(rest, '-')) return false;
  const auto day = take_digits(rest, 2);
  if (!day || !take_char(rest, ' ')) return false;
  const auto time = take_time_of_day(rest);
  const auto date = date_micros(2000, static_cast<unsigned>(*month), static_cast<unsigned>(*day));
  if (!time || !date || take_blanks(rest) == 0) return false;
  std::string_view probe = rest;
  const auto pid = take_number(probe);
  if (!pid || take_blanks(probe) == 0 || !take_number(probe) || !take_char(probe, ' ') || probe.size() < 2 || probe[1] != ' ') return false;
  constexpr std::string_view letters = "VDIWEF";
  constexpr int severities[] = {7, 7, 6, 4, 3, 2};
  const std::size_t level = letters.find(probe[0]);
  if (level == letters.npos) return false;
  probe.remove_prefix(2);
  const std::size_t colon = probe.find(": ");
  if (colon == probe.npos || colon > 128) return false;
  set(prefix, LineStyle::logcat, wall_stamp(*date, *time, Stamp::Wall::no_year), probe.substr(colon + 2));
  prefix.severity = severities[level];
  prefix.pid = pid;
  prefix.identifier = probe.substr(0, colon);
  while (prefix.identifier.ends_with(' ')) prefix.identifier.remove_suffix(1);
  return true;
}

bool read_klog_stamp(std::string_view line, LinePrefix& prefix) {
  constexpr std::string_view letters = "IWEF";
  constexpr int severities[] = {6, 4, 3, 2};
  if (line.size() < 30) return false;
  const std::size_t level = letters.find(line[0]);
  if (level == letters.npos) return false;
  std::string_view rest = line.substr(1);
  const auto month = take_digits(rest, 2);
  const auto day = month ? take_digits(rest, 2) : std::nullopt;
  if (!day || !take_char(rest, ' ')) return false;
  const auto time = take_time_of_day(rest);
  const auto date = date_micros(2000, static_cast<unsigned>(*month), static_cast<unsigned>(*day));
  if (!time || !date || take_blanks(rest) == 0 || !take_number(rest) || !take_char(rest, ' ')) return false;
  const std::size_t end = rest.substr(0, 200).find("] ");
  if (end == rest.npos || rest.substr(0, end).find(':') == rest.npos) return false;
  set(prefix, LineStyle::klog, wall_stamp(*date, *time, Stamp::Wall::no_year), rest.substr(end + 2));
  prefix.severity = severities[level];
  return true;
}

bool read_logfmt_stamp(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  if (rest.starts_with("time=")) {
    rest.remove_prefix(5);
    const bool quoted = take_char(rest, '"');
    const auto stamp = take_iso_stamp(rest);
    if (!stamp || (quoted && !take_char(rest, '"')) || !rest.starts_with(' ')) return false;
    set(prefix, LineStyle::logfmt, *stamp, line);   // the fields are unwrapped as a whole
    return true;
  }
  struct Level {
    std::string_view word;
    int severity;
  };
  constexpr Level levels[] = {{"INFO[", 6}, {"WARN[", 4}, {"ERRO[", 3}, {"FATA[", 2}, {"DEBU[", 7}, {"PANI[", 0}};
  const auto* level = std::find_if(std::begin(levels), std::end(levels), [&](const Level& l) { return line.starts_with(l.word); });
  if (level == std::end(levels)) return false;
  rest.remove_prefix(5);
  const auto stamp = take_iso_stamp(rest);
  if (!stamp && !take_number(rest)) return false;   // seconds since the daemon started, which nothing else knows
  if (!take_char(rest, ']')) return false;
  take_blanks(rest);
  prefix.style = LineStyle::logrus;
  prefix.rest = rest;
  if (stamp) set(prefix, LineStyle::logrus, *stamp, rest);
  prefix.severity = level->severity;
  return true;
}

}  // namespace forensics
