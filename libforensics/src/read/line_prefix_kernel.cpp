// Lines of the kernel's ring buffer.
//
//   line    = [level] stamp [caller] [" "] text
//   level   = "<" number ">"                                dmesg -r, pstore, crashlogs
//           | facility blanks ":" severity blanks ": "      dmesg -x:  kern  :err   : [   12.345678] text
//           | severity " "                                  cut out with awk:  err [129422.370868] text
//   stamp   = "[" uptime "]" | "[" ctime "]" | "[" anchor "]" | "[" since "]" | iso | lost | placeholder
//   uptime  = blanks seconds "." micros ["@" cpu] [" <" delta ">"]        [    3.599653]  [    16.026016@0]
//   ctime   = weekday month day time year [" <" delta ">"]                [Wed Oct  7 04:02:01 2020]
//   anchor  = month day hour ":" minute                                   [Sep18 17:12]
//   since   = blanks ("+" | "-") seconds "." micros                               [  +15.063930]
//   iso     = date "T" time "," micros zone " "                           2026-11-30T23:28:19,000000+00:00 text
//   lost    = uptime "]"                                                  441.173117] text
//   caller  = "[" blanks ("T" | "C") number "]"                           [    C0]
#include "read/line_prefix.h"
#include "read/time_parse.h"

namespace forensics {

namespace {

constexpr std::int64_t second = 1'000'000, minute = 60 * second;

bool digit(char c) { return c >= '0' && c <= '9'; }

/// seconds "." 1 to 9 digits, in µs; `precision` of the last one.
bool take_seconds(std::string_view& rest, std::int64_t& micros, std::int64_t& precision) {
  std::string_view probe = rest;
  const auto whole = take_number(probe);
  if (!whole || *whole > 1'000'000'000'000 || probe.size() < 2 || probe[0] != '.' || !digit(probe[1])) return false;
  micros = *whole * second;
  precision = second;
  std::size_t n = 1;
  for (; n < probe.size() && n <= 9 && digit(probe[n]); ++n) {
    if (precision == 1) continue;
    precision /= 10;
    micros += (probe[n] - '0') * precision;
  }
  rest = probe.substr(n);
  return true;
}

/// " <    0.002822>" or, in journalctl -o short-delta, " <    0.002822*>" or as many blanks.
void take_delta(std::string_view& rest) {
  std::string_view probe = rest;
  take_blanks(probe);
  if (take_char(probe, '<')) {
    take_blanks(probe);
    std::int64_t micros = 0, precision = 0;
    if (!take_char(probe, '+')) take_char(probe, '-');
    if (!take_seconds(probe, micros, precision)) return;
    take_char(probe, '*');
    take_blanks(probe);
    if (!take_char(probe, '>')) return;
  }
  rest = probe;
}

bool take_uptime(std::string_view& rest, LinePrefix& prefix) {
  std::string_view probe = rest;
  take_blanks(probe);
  std::int64_t micros = 0, precision = 0;
  if (!take_seconds(probe, micros, precision)) return false;
  if (take_char(probe, '@') && !take_number(probe)) return false;
  take_delta(probe);
  prefix.stamp = Stamp{};
  prefix.stamp.monotonic = micros;
  prefix.stamp.precision = precision;
  prefix.style = LineStyle::dmesg;
  rest = probe;
  return true;
}

bool take_since(std::string_view& rest, LinePrefix& prefix) {
  std::string_view probe = rest;
  take_blanks(probe);
  std::int64_t micros = 0, precision = 0;
  const bool back = probe.starts_with('-');   // the clock was found unstable and set anew
  if ((!back && !probe.starts_with('+')) || (probe.remove_prefix(1), !take_seconds(probe, micros, precision))) return false;
  prefix.stamp = Stamp{};
  prefix.stamp.monotonic = back ? -micros : micros;
  prefix.stamp.precision = precision;
  prefix.relative = true;
  prefix.style = LineStyle::dmesg_reltime;
  rest = probe;
  return true;
}

bool take_anchor(std::string_view& rest, LinePrefix& prefix) {
  std::string_view probe = rest;
  const auto month = take_month(probe);
  if (!month) return false;
  take_blanks(probe);
  const auto day = take_number(probe);
  if (!day || *day > 31 || take_blanks(probe) == 0) return false;
  const auto hour = take_digits(probe, 2);
  if (!hour || *hour > 23 || !take_char(probe, ':')) return false;
  const auto minutes = take_digits(probe, 2);
  const auto date = date_micros(2000, *month, static_cast<unsigned>(*day));
  if (!minutes || *minutes > 59 || !date) return false;
  prefix.stamp = Stamp{};
  prefix.stamp.wall = *date + (std::int64_t{*hour} * 60 + *minutes) * minute;
  prefix.stamp.kind = Stamp::Wall::no_year;
  prefix.stamp.precision = minute;
  prefix.style = LineStyle::dmesg_reltime;
  rest = probe;
  return true;
}

/// "] [notice] text", "] [mpm_event:notice] [pid 1] text"
bool apache_level(std::string_view rest) {
  if (!rest.starts_with("] [")) return false;
  rest.remove_prefix(3);
  std::string_view word = rest.substr(0, rest.find(']'));
  word = word.substr(word.rfind(':') + 1);
  return word.size() > 2 && word.size() < 9 && severity_of(word).has_value();
}

bool take_ctime(std::string_view& rest, LinePrefix& prefix) {
  std::string_view probe = rest;
  if (!take_weekday(probe) || take_blanks(probe) == 0) return false;
  const auto month = take_month(probe);
  if (!month || take_blanks(probe) == 0) return false;
  const auto day = take_number(probe);
  if (!day || *day > 31 || take_blanks(probe) == 0) return false;
  const auto time = take_time_of_day(probe);
  if (!time || time->precision != second || take_blanks(probe) == 0) return false;
  const auto year = take_digits(probe, 4);
  const auto date = year ? date_micros(*year, *month, static_cast<unsigned>(*day)) : std::nullopt;
  if (!date) return false;
  take_delta(probe);
  // Apache prints the same stamp, with a level behind it; others print it alone on a line.
  if (probe == "]" || apache_level(probe)) return false;
  prefix.stamp = wall_stamp(*date, *time, Stamp::Wall::local);
  prefix.style = LineStyle::dmesg_ctime;
  rest = probe;
  return true;
}

/// "#####.#####", "xxxx.xxxxxx": somebody took the stamp away.
bool take_placeholder(std::string_view& rest, LinePrefix& prefix) {
  std::size_t n = 0;
  while (n < rest.size() && (rest[n] == '#' || rest[n] == 'x' || rest[n] == 'X' || rest[n] == '.' || rest[n] == ' ')) ++n;
  if (n < 3 || rest.substr(0, n).find('.') == rest.npos) return false;
  prefix.style = LineStyle::dmesg;
  rest.remove_prefix(n);
  return true;
}

bool take_caller(std::string_view& rest) {
  std::string_view probe = rest;
  if (!take_char(probe, '[')) return false;
  take_blanks(probe);
  if (probe.empty() || (probe[0] != 'T' && probe[0] != 'C')) return false;
  probe.remove_prefix(1);
  if (!take_number(probe) || !take_char(probe, ']')) return false;
  rest = probe;
  return true;
}

/// Behind the stamp: the caller, and the one blank that belongs to the stamp.
void finish(std::string_view rest, LinePrefix& prefix) {
  take_caller(rest);
  take_char(rest, ' ');
  prefix.rest = rest;
  prefix.has_stamp = prefix.stamp.wall || prefix.stamp.monotonic;
}

/// An old dmesg takes "[19431]" of an OOM task table for a stamp and prints it as one: the row holds the pid again.
bool is_table_row(std::string_view rest, const Stamp& stamp) {
  if (!stamp.monotonic || *stamp.monotonic % second != 0) return false;
  take_blanks(rest);
  if (!take_number(rest) || take_blanks(rest) == 0) return false;
  const auto tgid = take_number(rest);
  if (!tgid || take_blanks(rest) == 0 || !take_number(rest)) return false;
  return *tgid == *stamp.monotonic / second;
}

bool take_bracket(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  if (!take_char(rest, '[')) return false;
  if (!take_uptime(rest, prefix) && !take_since(rest, prefix) && !take_ctime(rest, prefix) && !take_anchor(rest, prefix) &&
      !take_placeholder(rest, prefix))
    return false;
  if (!take_char(rest, ']') || (prefix.style == LineStyle::dmesg && is_table_row(rest, prefix.stamp))) {
    prefix = LinePrefix{};
    prefix.rest = line;
    return false;
  }
  finish(rest, prefix);
  return true;
}

/// util-linux prints a comma before the microseconds; syslog's ISO stamps have a full stop.
bool take_comma_iso(std::string_view line, LinePrefix& prefix) {
  if (line.size() < 32 || line[10] != 'T' || line[19] != ',') return false;
  std::string_view rest = line;
  const auto stamp = take_iso_stamp(rest);
  if (!stamp || stamp->kind != Stamp::Wall::utc || !rest.starts_with(' ')) return false;
  prefix.stamp = *stamp;
  prefix.style = LineStyle::dmesg_iso;
  finish(rest, prefix);
  return true;
}

bool take_stamp(std::string_view line, LinePrefix& prefix) {
  if (line.empty()) return false;
  return line[0] == '[' ? take_bracket(line, prefix) : digit(line[0]) && take_comma_iso(line, prefix);
}

/// "kern  :err   : "
bool take_decoded_level(std::string_view& rest, int& facility, int& severity) {
  const std::size_t first = rest.find(':');
  if (first == rest.npos || first > 12) return false;
  const std::size_t next = rest.find(':', first + 1);
  if (next == rest.npos || next - first > 12) return false;
  const auto word = [](std::string_view w) { return w.substr(0, w.find(' ')); };
  const auto f = facility_of(word(rest.substr(0, first)));
  const auto s = severity_of(word(rest.substr(first + 1, next - first - 1)));
  if (!f || !s) return false;
  facility = *f, severity = *s;
  rest.remove_prefix(next + 1);
  take_char(rest, ' ');
  return true;
}

bool take_lost_bracket(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  if (!take_uptime(rest, prefix)) return false;
  if (prefix.stamp.precision != 1 || !take_char(rest, ']') || rest.starts_with(':')) {
    prefix = LinePrefix{};
    prefix.rest = line;
    return false;
  }
  finish(rest, prefix);
  return true;
}

}  // namespace

bool read_kernel_stamp(std::string_view line, LinePrefix& prefix) {
  if (line.empty()) return false;
  std::string_view rest = line;
  int facility = 0, severity = 0;
  if (line[0] == '[') return take_stamp(line, prefix);
  if (line[0] == '<') {
    const auto priority = take_priority(rest);
    if (!priority) return false;
    const bool stamped = take_stamp(rest, prefix);
    if (!stamped) {   // a continuation, a task table row, or printk without stamps
      if (rest.empty() || digit(rest[0])) return false;
      prefix.rest = rest;
    }
    prefix.style = LineStyle::dmesg_raw;
    prefix.severity = *priority & 7, prefix.facility = *priority >> 3;
    return true;
  }
  if (take_decoded_level(rest, facility, severity)) {
    if (!take_stamp(rest, prefix)) prefix.rest = rest;
    prefix.style = LineStyle::dmesg_level;
    prefix.severity = severity, prefix.facility = facility;
    return true;
  }
  if (digit(line[0]) || line[0] == ' ') return take_stamp(line, prefix) || take_lost_bracket(line, prefix);
  const std::size_t blank = line.find(' ');
  if (blank > 8) return false;
  const auto word = severity_of(line.substr(0, blank));
  rest = line.substr(blank);
  take_blanks(rest);
  if (!word || !take_stamp(rest, prefix)) return false;
  prefix.severity = word;
  return true;
}

/// prefix "," sequence "," µs "," flag {"," more} ";" text      6,1234,5678901,-,caller=T1;text
bool read_kmsg_stamp(std::string_view line, LinePrefix& prefix) {
  std::string_view rest = line;
  const auto priority = take_number(rest);
  if (!priority || *priority > 0xffff || !take_char(rest, ',')) return false;
  if (!take_number(rest) || !take_char(rest, ',')) return false;
  const auto micros = take_number(rest);
  if (!micros || !take_char(rest, ',')) return false;
  if (rest.empty() || (rest[0] != '-' && rest[0] != 'c' && rest[0] != '+')) return false;
  const std::size_t text = rest.find(';');
  if (text == rest.npos || text > 256) return false;
  prefix.stamp = Stamp{};
  prefix.stamp.monotonic = *micros;
  prefix.has_stamp = true;
  prefix.style = LineStyle::kmsg;
  prefix.severity = static_cast<int>(*priority & 7);
  prefix.facility = static_cast<int>(*priority >> 3);
  prefix.rest = rest.substr(text + 1);
  return true;
}

std::size_t find_kernel_stamp(std::string_view line, std::size_t from) {
  for (std::size_t at = line.find('[', from); at != line.npos; at = line.find('[', at + 1)) {
    if (at + 15 > line.size()) return line.npos;   // "[    3.599653] x"
    const char next = line[at + 1];
    if (next != ' ' && !digit(next)) continue;
    std::string_view rest = line.substr(at + 1);
    LinePrefix probe;
    if (take_uptime(rest, probe) && probe.stamp.precision == 1 && take_char(rest, ']') && !rest.empty() &&
        (rest[0] == ' ' || rest[0] == '[') && !is_table_row(rest, probe.stamp))
      return at;
  }
  return line.npos;
}

}  // namespace forensics
