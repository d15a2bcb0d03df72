#include "read/tagged_event.h"

#include <algorithm>

#include "read/line_message.h"
#include "read/time_parse.h"

namespace forensics {

namespace {

bool hex_only(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool container_id(std::string_view word) { return (word.size() == 12 || word.size() == 64) && hex_only(word); }

/// docker's syslog and journald drivers tag a container's lines with its id, "docker/NAME" or "NAME/ID". The pid is
/// that of the engine, which only hands them on.
void name_container(std::string_view identifier, Event& event) {
  const std::size_t slash = identifier.rfind('/');
  const std::string_view last = identifier.substr(slash + 1);
  if (container_id(last)) {
    event.container_id = last;
    if (slash != identifier.npos && identifier.substr(0, slash) != "docker")
      event.container_name = identifier.substr(0, slash);
  } else if (identifier.starts_with("docker/")) {
    event.container_name = identifier.substr(7);
  } else if (identifier.starts_with("container_name=")) {
    event.container_name = identifier.substr(15);
  } else {
    return;
  }
  event.pid.reset();
}

/// journalctl -o with-unit prints the unit in the place of the tag.
void name_unit(Event& event) {
  std::string_view name = event.identifier;
  name = name.substr(0, name.find('/'));  // "user@1000.service/app.scope"
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return;
  const std::string_view kind = name.substr(dot + 1);
  constexpr std::string_view kinds[] = {"service", "scope",  "socket", "mount",  "slice",
                                        "timer",   "device", "swap",   "target", "path"};
  if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds)) return;
  std::string_view stem = name.substr(0, std::min(name.find('@'), dot));
  if (name == "init.scope") stem = "systemd";
  // Containers that log to the journal do so inside docker's unit.
  if (stem == "docker") {
    const bool own = event.message.starts_with("time=");
    stem = own ? "dockerd" : "";
    if (!own) event.pid.reset();
  }
  event.unit = name;
  event.identifier = std::string(stem);
}

/// `logger --rfc5424` hands rsyslog "<37>1 2026-11-30T23:03:45Z pi su - - - text" over a socket where RFC 3164 is
/// spoken: the version becomes the tag, or stands before the rest.
LinePrefix without_relay(const LinePrefix& outer) {
  std::string_view rest = outer.rest;
  const bool version =
      outer.identifier == "1" || (outer.identifier.empty() && take_char(rest, '1') && take_char(rest, ' '));
  if (!version || !take_iso_stamp(rest) || !take_char(rest, ' ')) return outer;
  LinePrefix inner = outer;
  inner.style = LineStyle::rfc5424;
  inner.rest = rest;
  inner.pid.reset();
  read_syslog_tag(inner);
  return inner;
}

}  // namespace

bool sounds_like_earlyoom(std::string_view message) {
  return message.starts_with("mem avail: ") || message.starts_with("low memory! ") ||
         message.starts_with("sending SIG") || message.starts_with("mem total: ") ||
         message.starts_with("kill failed: ") || message.starts_with("earlyoom v");
}

void describe_severity(const LinePrefix& prefix, Event& event) {
  if (prefix.severity) event.severity = static_cast<Severity>(*prefix.severity & 7);
  event.facility = prefix.facility;
}

std::optional<std::int64_t> describe_tagged(const LinePrefix& outer, Event& event) {
  const LinePrefix prefix = without_relay(outer);
  describe_severity(prefix, event);
  event.host = prefix.host;
  event.identifier = prefix.identifier;
  event.pid = prefix.pid;
  std::string decoded;
  std::string_view rest = prefix.rest;
  if (rest.find("#0") != rest.npos) rest = decoded = without_octal_escapes(rest);
  event.message = rest;
  name_unit(event);
  event.trust = is_daemon_tag(event.identifier) ? Trust::daemon_text : Trust::claimed;
  LinePrefix inner;
  if (event.identifier == "crashlog" && rest.starts_with('<'))
    event.identifier = "kernel";  // routers replay the boot before
  if (event.identifier == "kernel") {
    // Whoever sends <PRI> himself chooses it; nobody but the kernel may use facility 0.
    const bool foreign = prefix.wire_priority && prefix.facility.value_or(0) != 0;
    event.trust = foreign ? Trust::claimed : Trust::kernel_text;
    take_blanks(rest);
    if (!rest.starts_with('[') && !rest.starts_with('<')) return std::nullopt;
    if (!read_kernel_stamp(rest, inner) || (inner.style != LineStyle::dmesg && inner.style != LineStyle::dmesg_raw))
      return std::nullopt;
    event.message = inner.rest;
    if (inner.severity) describe_severity(inner, event);
    return inner.stamp.monotonic;
  }
  if (event.identifier.empty() && sounds_like_earlyoom(event.message)) {
    event.identifier = "earlyoom";
    event.trust = Trust::daemon_text;
  }
  name_container(event.identifier, event);
  unwrap_daemon_message(event);
  return std::nullopt;
}

}  // namespace forensics
