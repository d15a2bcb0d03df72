// From the fields of one journal entry to an Event: shared by export, JSON and native journals, so that the same entry
// is the same event whatever carried it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "read/reader.h"

namespace forensics {

/// The fields of one entry that an Event is made of. Values are copied: a reader's or sd-journal's buffer may go.
struct JournalFields {
  std::string priority, facility, identifier, pid, syslog_pid, uid, comm, exe;
  std::string systemd_unit, systemd_user_unit, unit, user_unit, object_unit, cgroup, object_cgroup;
  std::string hostname, boot_id, transport, message_id;
  std::string container_id, container_id_full, container_name, image_name;
  /// What else is kept, by original name: EXIT_CODE, EXIT_STATUS, COREDUMP_*, ...
  std::vector<std::pair<std::string, std::string>> others;

  /// Takes one field; a name that no event needs is ignored. Of a repeated field the first value counts.
  void set(std::string_view name, std::string_view value);
  /// True if set() would keep a field of this name (a reader may ask before it decodes the value).
  static bool wants(std::string_view name) noexcept;
  void clear() { *this = JournalFields{}; }
};

/// Fills trust, severity, facility, host, identifier, pid, comm, unit, cgroup, container_*, message_id, boot_id and
/// fields. Where, message and text are the reader's own business.
void journal_event(const JournalFields& fields, Event& event);

/// The trust of an entry that is cut off or stands behind damage, where it had to be searched for.
Trust doubted(Trust trust) noexcept;

/// The times of an entry in µs: when journald received it, and when it was said, if journald knows.
struct JournalTimes {
  std::optional<std::int64_t> realtime, monotonic, source_realtime, source_monotonic;

  /// Takes "__REALTIME_TIMESTAMP" and its like; other names are ignored. `number` is called for the value.
  template <class Number>
  void set(std::string_view name, Number number) {
    if (name == "__REALTIME_TIMESTAMP") realtime = number();
    else if (name == "__MONOTONIC_TIMESTAMP") monotonic = number();
    else if (name == "_SOURCE_REALTIME_TIMESTAMP") source_realtime = number();
    else if (name == "_SOURCE_MONOTONIC_TIMESTAMP") source_monotonic = number();
  }
};

/// What journalctl prints of them: when it was said.
Stamp journal_stamp(const JournalTimes& times) noexcept;

/// Programs of the host whose own entries are a daemon's word, by the name that they log with.
bool known_daemon(std::string_view identifier);

/// All of `digits` as a number that fits; empty if it is anything else. "-1" is read too.
std::optional<std::int64_t> whole_number(std::string_view digits) noexcept;

}  // namespace forensics
