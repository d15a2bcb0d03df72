// One normalized record of a log, and the words that describe it.
//
// Plain values: every field owns its data, nothing refers back into the input. Different objects may be used from
// different threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace forensics {

/// Wall-clock time, UTC, microseconds.
using RealTime = std::chrono::sys_time<std::chrono::microseconds>;
/// Time since boot, microseconds (printk's clock: suspend is not counted).
using MonotonicTime = std::chrono::microseconds;

/// RFC 5424 severity; the kernel and the journal call it level and PRIORITY.
enum class Severity : std::uint8_t { emergency, alert, critical, error, warning, notice, info, debug };

/// How good Event::time is. `inferred`: a year, an offset from boot or a zone was worked out, not printed.
enum class ClockQuality : std::uint8_t { none, inferred, exact };

/// What an event may speak for. Set by the reader from where the record came from, never from what it says.
///   kernel       /dev/kmsg, journal _TRANSPORT=kernel with facility 0, dmesg -x/-r/--json, pstore
///   kernel_text  plain dmesg, kern.log, a syslog line tagged `kernel:`
///   daemon       a journal entry whose unit or executable is the daemon's; the Docker API; docker inspect
///   daemon_text  the same by its tag alone, in syslog or journalctl text
///   claimed      everything else, and any container's own log, whatever its lines look like
enum class Trust : std::uint8_t { claimed, daemon_text, daemon, kernel_text, kernel };

/// A place in a source. Lines count from 1, bytes from 0, both of the source as read.
struct Location {
  std::uint32_t source = 0;   ///< index into Timeline::sources
  std::uint64_t line = 0;     ///< 0: the source has no lines (native journal)
  std::uint64_t offset = 0;
  std::uint64_t length = 0;   ///< without the line's end; 0 with line 0: see Event::cursor
};

struct Event {
  Location where;
  std::optional<RealTime> time;            ///< empty: no clock of the bundle reaches this record
  std::optional<MonotonicTime> monotonic;  ///< empty: the record has only wall-clock time
  ClockQuality clock = ClockQuality::none;
  Trust trust = Trust::claimed;
  std::uint32_t boot = 0;                  ///< runs of the kernel inside this source, from 0
  std::string boot_id;                     ///< 32 hex digits; empty if the source does not tell
  std::optional<Severity> severity;
  std::optional<int> facility;             ///< RFC 5424: 0 kern, 1 user, 3 daemon, ...
  std::string host;
  std::string identifier;                  ///< program tag: "kernel", "dockerd", "systemd", "docker-inspect", ...
  std::optional<std::int64_t> pid;
  std::string comm;
  std::string unit;                        ///< systemd unit that the record is about, else that wrote it
  std::string cgroup;
  std::string container_id;                ///< 64 hex digits, or the 12 that the source has
  std::string container_name;              ///< without the leading slash
  std::string message_id;                  ///< journal MESSAGE_ID
  std::string message;                     ///< decoded, one line, no stamp and no tag: what rules look at
  std::string text;                        ///< the quotation: show() of the bytes at `where`
  std::string cursor;                      ///< native journals: the entry, instead of line and offset
  std::map<std::string, std::string, std::less<>> fields;  ///< anything else, original name lower-cased
};

std::string_view to_string(Severity) noexcept;      ///< "error", ...
std::string_view to_string(ClockQuality) noexcept;  ///< "exact", ...
std::string_view to_string(Trust) noexcept;         ///< "kernel-text", ...

/// ISO 8601, UTC, milliseconds, `Z`: 2026-11-30T14:03:22.100Z
std::string to_string(RealTime);

/// Text that may be shown: control characters, escapes and bytes that are not UTF-8 become \xHH (a tab becomes a
/// blank). Nothing that came from a log is printed without it.
std::string show(std::string_view bytes);

}  // namespace forensics
