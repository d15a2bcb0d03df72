// What stands before the message of one physical line, for every line style.
//
// Reading goes in two steps because framing needs only the first: read_stamp() finds the stamp and what stands before it
// (priority, quotes, line numbers), read_tag() the host, the program and its pid behind it. Everything is a view into
// the line; nothing is allocated.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "read/reader.h"

namespace forensics {

/// Which grammars a file's lines are read with, chosen once per file.
enum class LineFamily : std::uint8_t {
  kernel,      ///< dmesg in all its styles, serial consoles, pstore
  kmsg,        ///< records of /dev/kmsg
  syslog,      ///< everything with a stamp, a host and a tag
  monotonic,   ///< journalctl -o short-monotonic: a bracketed stamp, then host and tag
  logcat,
  klog,        ///< I0102 15:04:05.000000 1 file.go:1] text
  logfmt,      ///< time="..." level=... msg="...", and logrus on a terminal
  container,   ///< a program's own output, with the stamps that engines or it itself put before it
};

/// Which grammar one line fits: what the sniffers count.
enum class LineStyle : std::uint8_t {
  none,
  dmesg, dmesg_ctime, dmesg_iso, dmesg_reltime, dmesg_level, dmesg_raw, kmsg, kmsg_dictionary,
  rfc3164, syslog_iso, rfc5424, syslog_pri, short_full, short_unix, wall_header, bare_tag,
  logcat, klog, logfmt, logrus, container_stamp, cri, compose, application,
};

struct LinePrefix {
  LineStyle style = LineStyle::none;
  Stamp stamp;                         ///< as printed; `relative` says what it means
  bool has_stamp = false;
  bool relative = false;               ///< dmesg -e: stamp.monotonic is µs since the line before
  bool year_first = false;             ///< "2025 Jul  2 ...": a level word stands behind the host
  std::size_t key = 0;                 ///< so many first bytes of the line decide the stamp; 0: it must be read anew
  std::optional<int> severity, facility;
  bool wire_priority = false;          ///< severity and facility are from <PRI>, which the sender chose
  std::string_view host, identifier, container;
  std::optional<std::int64_t> pid;
  std::string_view rest;               ///< after read_stamp: behind the stamp; after read_tag: the message
};

/// Finds the stamp. False if the line has none of this family; then `prefix.rest` is the whole line.
bool read_stamp(LineFamily family, std::string_view line, LinePrefix& prefix);
/// Splits host, tag and pid off `prefix.rest`. Does nothing for styles that have none.
void read_tag(LineFamily family, LinePrefix& prefix);

/// The grammars, one file each. All leave `prefix` alone when they return false; `line` starts at the stamp.
bool read_kernel_stamp(std::string_view line, LinePrefix& prefix);     ///< [ 12.345678], <3>[..], kern  :err   : [..], ISO with a comma
bool read_kmsg_stamp(std::string_view line, LinePrefix& prefix);       ///< 6,1234,5678901,-;
bool read_syslog_stamp(std::string_view line, LinePrefix& prefix);
bool read_container_stamp(std::string_view line, LinePrefix& prefix);
bool read_logcat_stamp(std::string_view line, LinePrefix& prefix);
bool read_klog_stamp(std::string_view line, LinePrefix& prefix);
bool read_logfmt_stamp(std::string_view line, LinePrefix& prefix);
/// "host ident[pid]: message" in `prefix.rest`; the style and what was read before it decide which parts may lack.
void read_syslog_tag(LinePrefix& prefix);

/// Position of the next "[ 12.345678] " from `from` on, npos if there is none: several records in one line, or a record
/// behind a prompt.
std::size_t find_kernel_stamp(std::string_view line, std::size_t from);
/// "ident[pid]:" or "ident:" at the front; true and taken off if it is there. Other programs may be called with blanks.
bool take_tag(std::string_view& rest, std::string_view& identifier, std::optional<std::int64_t>& pid);
/// The severity that a word means ("err", "WARNING", "crit"): 0 to 7.
std::optional<int> severity_of(std::string_view word);
std::optional<int> facility_of(std::string_view word);
/// "<13>" at the front: its number, taken off.
std::optional<int> take_priority(std::string_view& rest);

/// What a paste puts before a line: "> ", "`", "**", "Line 528:", "kern.log:17:", a line number, blanks. Takes one of
/// them off; false if there is none.
bool take_damage(std::string_view& rest);
/// A line that only separates: "-- Boot ... --", "--", "==> file <==", "...", "[...]".
bool is_separator(std::string_view line);
/// Text that only a Linux kernel prints so, without a stamp before it.
bool looks_like_kernel(std::string_view text);

}  // namespace forensics
