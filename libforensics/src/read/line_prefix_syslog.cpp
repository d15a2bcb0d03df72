// Lines with a wall clock stamp, a host and a tag: syslog files and journalctl's short outputs.
//
//   line     = ["<" priority ">"] stamp " " [host " "] [level " "] tag " " message
//   stamp    = month day time                       Nov 30 14:03:22      also with a year behind the day, or a fraction
//            | date "T" time [zone]                 2024-10-03T11:50:07.301738+00:00
//            | weekday date time zone-name          Mon 2026-11-30 23:02:29 UTC         journalctl -o short-full
//            | seconds "." micros                   1796079749.516998                   journalctl -o short-unix
//            | year month day time                  2025 Jul  2 07:23:27.363360         SONiC
//            | time                                 11:08:34                              a date cut off: only before a tag with a pid
//            | weekday month day time year [epoch]  Mon May  3 07:21:16 2021            OpenWrt logread
//   level    = facility "." severity                kern.warn   busybox, OpenWrt
//            | SEVERITY                             ERR         SONiC
//   tag      = name ["[" pid "]"] ":"
//   rfc5424  = "<" priority ">1 " stamp " " host " " app " " procid " " msgid " " ("-" | data) [" " message]
//   wall     = "Message from syslogd@" host " at " stamp " ..."     and below it   " kernel:thermal thermal_zone0: ..."
#include <algorithm>

#include "read/line_prefix.h"
#include "read/time_parse.h"

namespace forensics {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

void set(LinePrefix& prefix, LineStyle style, std::int64_t micros, Stamp::Wall kind, std::int64_t precision, std::string_view rest) {
  prefix.stamp = Stamp{};
  prefix.stamp.wall = micros;
  prefix.stamp.kind = kind;
  prefix.stamp.precision = precision;
  prefix.has_stamp = true;
  prefix.style = style;
  prefix.rest = rest;
}

/// The blank behind a stamp belongs to it; the colon of a cut "Jul  9 11:35:02: text" does not.
bool end_of_stamp(std::string_view rest) { return rest.empty() || rest[0] == ' ' || rest[0] == ':'; }

bool read_rfc3164(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  const auto month = take_month(rest);
  if (!month || take_blanks(rest) == 0) return false;
  const auto day = take_number(rest);
  if (!day || *day > 31 || take_blanks(rest) == 0) return false;
  std::string_view probe = rest;   // Cisco and some syslog-ng templates
  const auto year = take_digits(probe, 4);
  const bool with_year = year && *year > 1970 && take_blanks(probe) > 0;
  if (with_year) rest = probe;
  const auto time = take_time_of_day(rest);
  const auto date = date_micros(with_year ? *year : 2000, *month, static_cast<unsigned>(*day));
  if (!time || !date || !end_of_stamp(rest)) return false;
  take_char(rest, ' ');
  set(prefix, LineStyle::rfc3164, *date + time->micros, with_year ? Stamp::Wall::local : Stamp::Wall::no_year, time->precision, rest);
  return true;
}

bool read_iso(std::string_view line, LinePrefix& prefix) {
  if (line.size() < 20 || line[4] != '-' || line[10] != 'T' || line[19] == ',') return false;
  std::string_view rest = line;
  const auto stamp = take_iso_stamp(rest);
  if (!stamp || !end_of_stamp(rest)) return false;
  take_char(rest, ' ');
  set(prefix, LineStyle::syslog_iso, *stamp->wall, stamp->kind, stamp->precision, rest);
  return true;
}

bool read_unix(std::string_view line, LinePrefix& prefix) {
  if (line.size() < 18) return false;
  std::string_view rest = line;
  const auto seconds = take_number(rest);
  if (!seconds || *seconds < 100'000'000 || *seconds > 99'999'999'999 || !take_char(rest, '.')) return false;
  const auto micros = take_digits(rest, 6);
  if (!micros || !take_char(rest, ' ')) return false;
  set(prefix, LineStyle::short_unix, *seconds * 1'000'000 + *micros, Stamp::Wall::utc, 1, rest);
  return true;
}

bool read_year_first(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  const auto year = take_digits(rest, 4);
  if (!year || !take_char(rest, ' ')) return false;
  LinePrefix inner;
  if (!read_rfc3164(rest, inner)) return false;
  const auto leap = date_micros(2000, 1, 1), first = date_micros(*year, 1, 1);
  if (!leap || !first) return false;
  // The day was read in a leap year: from March on, another year is one day shorter.
  const bool is_leap = date_micros(*year, 2, 29).has_value();
  std::int64_t within = *inner.stamp.wall - *leap;
  if (!is_leap && within >= std::int64_t{60} * 86'400'000'000) within -= 86'400'000'000;
  set(prefix, LineStyle::rfc3164, *first + within, Stamp::Wall::local, inner.stamp.precision, inner.rest);
  prefix.year_first = true;
  return true;
}

/// Behind the weekday: "2026-11-30 23:02:29 UTC " or "May  3 07:21:16 2021 [1619433294.123] ".
bool read_with_weekday(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  if (!take_weekday(rest) || take_blanks(rest) == 0 || rest.empty()) return false;
  if (digit(rest[0]) && rest.size() > 5 && rest[4] == '-') {
    auto stamp = take_iso_stamp(rest);
    if (!stamp) return false;
    if (stamp->kind == Stamp::Wall::local && take_char(rest, ' ')) {
      if (const auto zone = take_zone(rest)) {
        stamp->kind = Stamp::Wall::utc;
        *stamp->wall -= std::int64_t{*zone} * 60'000'000;
      } else {
        const std::string_view name = rest.substr(0, rest.find(' '));
        if (name.empty() || name.size() > 6) return false;
        if (name == "UTC" || name == "GMT") stamp->kind = Stamp::Wall::utc;
        rest.remove_prefix(name.size());
      }
    }
    if (!take_char(rest, ' ') || rest.starts_with("[s=")) return false;   // -o verbose: a cursor
    set(prefix, LineStyle::short_full, *stamp->wall, stamp->kind, stamp->precision, rest);
    return true;
  }
  const auto month = take_month(rest);
  if (!month || take_blanks(rest) == 0) return false;
  const auto day = take_number(rest);
  if (!day || *day > 31 || take_blanks(rest) == 0) return false;
  const auto time = take_time_of_day(rest);
  if (!time || !take_char(rest, ' ')) return false;
  const auto year = take_digits(rest, 4);
  const auto date = year ? date_micros(*year, *month, static_cast<unsigned>(*day)) : std::nullopt;
  if (!date || !take_char(rest, ' ')) return false;
  std::string_view epoch = rest;
  if (take_char(epoch, '[') && take_number(epoch) && take_char(epoch, '.') && take_number(epoch) && take_char(epoch, ']') &&
      take_char(epoch, ' '))
    rest = epoch;
  set(prefix, LineStyle::rfc3164, *date + time->micros, Stamp::Wall::local, time->precision, rest);
  return true;
}

/// "11:08:34 host systemd[1]: text" whose date was cut off. Programs print such clocks, too: the tag must have a pid.
bool read_clock_only(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  if (line.size() < 12 || line[2] != ':' || !take_time_of_day(rest) || !take_char(rest, ' ')) return false;
  std::string_view tagged = rest, identifier;
  std::optional<std::int64_t> pid;
  const auto named = [&] { return take_tag(tagged, identifier, pid) && (pid || identifier == "kernel"); };
  const bool without_host = named();
  if (!without_host) {
    tagged = rest.substr(std::min(rest.find(' ') + 1, rest.size()));
    if (rest.find(' ') == rest.npos || !named()) return false;
  }
  prefix.style = LineStyle::rfc3164;
  prefix.rest = rest;
  return true;
}

bool read_wall_header(std::string_view line, LinePrefix& prefix) {
  constexpr std::string_view start = "Message from ", at = " at ";
  if (!line.starts_with(start)) return false;
  const std::size_t stamp = line.find(at);
  if (stamp == line.npos) return false;
  LinePrefix inner;
  if (!read_rfc3164(line.substr(stamp + at.size()), inner)) return false;
  const std::string_view from = line.substr(start.size(), stamp - start.size());
  set(prefix, LineStyle::wall_header, *inner.stamp.wall, inner.stamp.kind, inner.stamp.precision, {});
  prefix.host = from.substr(from.find('@') + 1);
  return true;
}

/// "kernel: [  777.909650] cgroup: ..." whose stamp and host were cut off, and the body of a wall broadcast.
bool read_bare_tag(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  take_blanks(rest);
  if (!rest.starts_with("kernel:")) return false;
  prefix.style = LineStyle::bare_tag;
  prefix.rest = rest;
  std::string_view inner = rest.substr(7);
  take_blanks(inner);
  LinePrefix kernel;
  if (inner.starts_with('[') && read_kernel_stamp(inner, kernel) && kernel.style == LineStyle::dmesg && kernel.has_stamp) {
    prefix.stamp = kernel.stamp;
    prefix.has_stamp = true;
  }
  return true;
}

bool read_plain(std::string_view line, LinePrefix& prefix) {
  const char c = line[0];
  if (digit(c)) return read_iso(line, prefix) || read_year_first(line, prefix) || read_unix(line, prefix) || read_rfc3164(line, prefix) ||
                       read_clock_only(line, prefix);
  if (c == 'M' && read_wall_header(line, prefix)) return true;
  if (c == 'k' || c == ' ') {
    if (read_bare_tag(line, prefix)) return true;
  }
  return read_rfc3164(line, prefix) || read_with_weekday(line, prefix);
}

/// [id key="value" ...]..., with \", \\ and \] inside values.
bool take_structured_data(std::string_view& rest) {
  if (take_char(rest, '-')) return true;
  if (!rest.starts_with('[')) return false;
  bool quoted = false, open = false;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (c == '\\' && quoted) ++i;
    else if (c == '"') quoted = !quoted;
    else if (!quoted && c == '[') open = true;
    else if (!quoted && c == ']') open = false;
    else if (!quoted && !open) return rest.remove_prefix(i), true;
  }
  if (open) return false;
  rest = {};
  return true;
}

std::string_view take_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  take_char(rest, ' ');
  return word;
}

void read_rfc5424_tag(LinePrefix& prefix) {
  const auto value = [](std::string_view word) { return word == "-" ? std::string_view{} : word; };
  std::string_view rest = prefix.rest;
  prefix.host = value(take_word(rest));
  prefix.identifier = value(take_word(rest));
  std::string_view process = take_word(rest);
  if (const auto pid = take_number(process); pid && process.empty()) prefix.pid = pid;
  take_word(rest);   // msgid
  if (take_structured_data(rest)) take_char(rest, ' ');
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  take_char(rest, ' ');   // relayed from RFC 3164, where the message starts with the blank behind the tag
  prefix.rest = rest;
}

/// "kern.warn " of busybox and OpenWrt.
bool take_level(std::string_view& rest, LinePrefix& prefix) {
  std::string_view probe = rest;
  const std::string_view word = take_word(probe);
  const std::size_t dot = word.find('.');
  if (dot == word.npos) return false;
  const auto facility = facility_of(word.substr(0, dot));
  const auto severity = severity_of(word.substr(dot + 1));
  if (!facility || !severity) return false;
  prefix.facility = facility, prefix.severity = severity;
  rest = probe;
  return true;
}

}  // namespace

bool take_tag(std::string_view& rest, std::string_view& identifier, std::optional<std::int64_t>& pid) {
  // A tag ends at the first ": " or at a colon at the end, or with "]:"; what stands before it has no blank, or a pid.
  constexpr std::size_t longest = 128;
  const std::string_view head = rest.substr(0, longest);
  std::size_t name = 0;
  while (name < head.size() && head[name] != ' ' && head[name] != ':' && head[name] != '[') ++name;
  if (name == 0 || name == head.size()) return false;
  std::string_view after = rest.substr(name);
  std::optional<std::int64_t> number;
  if (after[0] == '[') {
    after.remove_prefix(1);
    number = take_number(after);
    if (!number || !take_char(after, ']')) return false;
    if (!take_char(after, ':') && !after.empty() && after[0] != ' ') return false;
  } else if (after[0] == ':') {
    // "kernel:[ 12.3]", "kernel:thermal": the blank may lack behind that one name only; else "10.0.0.1:80" were a tag
    if (after.size() > 1 && after[1] != ' ' && rest.substr(0, name) != "kernel") return false;
    after.remove_prefix(1);
  } else {   // a name with blanks, known by its pid: "Docker Desktop[12]:"
    const std::size_t end = head.find("]: ");
    const std::size_t open = end == head.npos ? head.npos : head.rfind('[', end);
    if (open == head.npos || open > 48 || head.substr(0, open).find(':') != head.npos) return false;
    std::string_view digits = head.substr(open + 1, end - open - 1);
    number = take_number(digits);
    if (!number || !digits.empty()) return false;
    name = open;
    after = rest.substr(end + 2);
  }
  identifier = rest.substr(0, name);
  pid = number;
  take_char(after, ' ');
  rest = after;
  return true;
}

bool read_syslog_stamp(std::string_view line, LinePrefix& prefix) {
  if (line.empty()) return false;
  if (line[0] != '<') return read_plain(line, prefix);
  std::string_view rest = line;
  const auto priority = take_priority(rest);
  if (!priority || rest.empty()) return false;
  LinePrefix inner;
  if (rest.starts_with("1 ")) {
    if (rest.starts_with("1 - ")) {
      inner.style = LineStyle::rfc5424;
      inner.rest = rest.substr(4);
    } else if (!read_iso(rest.substr(2), inner)) {
      return false;
    }
    inner.style = LineStyle::rfc5424;
  } else {
    if (!read_plain(rest, inner)) return false;
    if (inner.style == LineStyle::rfc3164) inner.style = LineStyle::syslog_pri;
  }
  prefix = inner;
  prefix.severity = *priority & 7;
  prefix.facility = *priority >> 3;
  prefix.wire_priority = true;
  return true;
}

void read_syslog_tag(LinePrefix& prefix) {
  if (prefix.style == LineStyle::rfc5424) return read_rfc5424_tag(prefix);
  std::string_view rest = prefix.rest;
  take_blanks(rest);
  if (take_char(rest, ':')) {   // host and tag were cut out, the colon behind them was not
    take_char(rest, ' ');
    prefix.rest = rest;
    return;
  }
  if (take_level(rest, prefix)) {   // no host
    if (!take_tag(rest, prefix.identifier, prefix.pid) && prefix.facility == 0) prefix.identifier = "kernel";
    prefix.rest = rest;
    return;
  }
  const std::string_view first = rest.substr(0, rest.find(' '));
  if (first.size() > 1 && first.back() == ':' && take_tag(rest, prefix.identifier, prefix.pid)) {
    prefix.rest = rest;
    return;
  }
  if (first.find('[') != first.npos && take_tag(rest, prefix.identifier, prefix.pid)) {
    prefix.rest = rest;
    return;
  }
  if (first.starts_with("kernel:") && take_tag(rest, prefix.identifier, prefix.pid)) {
    prefix.rest = rest;
    return;
  }
  prefix.host = take_word(rest);
  take_blanks(rest);
  take_level(rest, prefix);
  if (prefix.year_first) {
    std::string_view probe = rest;
    if (const auto severity = severity_of(take_word(probe))) prefix.severity = severity, rest = probe;
  }
  take_tag(rest, prefix.identifier, prefix.pid);
  prefix.rest = rest;
}

}  // namespace forensics
