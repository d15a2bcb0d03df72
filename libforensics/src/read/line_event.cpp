// From a physical line to an event: who said it, how far that may be believed, and what it says.
#include <algorithm>

#include "read/kernel_record.h"
#include "read/line_message.h"
#include "read/line_reader.h"
#include "read/time_parse.h"

namespace forensics {

namespace {

bool hex_only(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void set_severity(const LinePrefix& prefix, Event& event) {
  if (prefix.severity) event.severity = static_cast<Severity>(*prefix.severity & 7);
  event.facility = prefix.facility;
}

/// Lines of a paste are filled up to the width of the terminal. One or two blanks may be the message's own.
std::string_view without_padding(std::string_view text) {
  const std::size_t last = text.find_last_not_of(' ');
  const std::size_t end = last == text.npos ? 0 : last + 1;
  return text.size() - end >= 3 ? text.substr(0, end) : text;
}

/// docker's syslog and journald drivers tag a container's lines with its id, or "docker/NAME".
void name_container(std::string_view identifier, Event& event) {
  if (identifier.starts_with("docker/")) identifier.remove_prefix(7), event.container_name = identifier;
  else if (identifier.starts_with("container_name=")) event.container_name = identifier.substr(15);
  if ((identifier.size() == 12 || identifier.size() == 64) && hex_only(identifier)) {
    event.container_id = identifier;
    event.container_name.clear();
  }
}

/// earlyoom's own words, for journals whose tags were cut out.
bool sounds_like_earlyoom(std::string_view message) {
  return message.starts_with("mem avail: ") || message.starts_with("low memory! ") || message.starts_with("sending SIG") ||
         message.starts_with("mem total: ") || message.starts_with("kill failed: ") || message.starts_with("earlyoom v");
}

/// journalctl -o with-unit prints the unit in the place of the tag.
void name_unit(Event& event) {
  std::string_view name = event.identifier;
  name = name.substr(0, name.find('/'));   // "user@1000.service/app.scope"
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return;
  const std::string_view kind = name.substr(dot + 1);
  constexpr std::string_view kinds[] = {"service", "scope", "socket", "mount", "slice", "timer", "device", "swap", "target", "path"};
  if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds)) return;
  std::string_view stem = name.substr(0, std::min(name.find('@'), dot));
  if (name == "init.scope") stem = "systemd";
  // Containers that log to the journal do so inside docker's unit.
  if (stem == "docker") stem = event.message.starts_with("time=") ? "dockerd" : "";
  event.unit = name;
  event.identifier = std::string(stem);
}

std::string_view piece_of(std::string_view text, std::size_t piece) {
  for (; piece > 0; --piece) {
    const std::size_t at = text.find("\\x0a");
    if (at == text.npos) return {};
    text.remove_prefix(at + 4);
  }
  return text.substr(0, text.find("\\x0a"));
}

}  // namespace

void LineReader::describe_kernel(const LinePrefix& prefix, Event& event) const {
  set_severity(prefix, event);
  const bool printed = prefix.style == LineStyle::dmesg_level || prefix.style == LineStyle::kmsg;
  const bool raw = prefix.style == LineStyle::dmesg_raw;
  // "<30>" of syslog(2) holds a facility, "<5>" may be one that util-linux or-ed into the level.
  const auto facility = printed || (raw && prefix.facility.value_or(0) > 0) ? prefix.facility : std::nullopt;
  describe_kernel_record(prefix.rest, facility, printed || raw ? Trust::kernel : Trust::kernel_text, event);
}

std::optional<std::int64_t> LineReader::describe_tagged(const LinePrefix& prefix, Event& event) const {
  set_severity(prefix, event);
  event.host = prefix.style == LineStyle::bare_tag && prefix.host.empty() ? wall_host_ : std::string(prefix.host);
  event.identifier = prefix.identifier;
  event.pid = prefix.pid;
  std::string decoded;
  std::string_view rest = prefix.rest;
  if (rest.find("#0") != rest.npos) rest = decoded = without_octal_escapes(rest);
  event.message = rest;
  name_unit(event);
  event.trust = is_daemon_tag(event.identifier) ? Trust::daemon_text : Trust::claimed;
  LinePrefix inner;
  if (event.identifier == "crashlog" && rest.starts_with('<')) event.identifier = "kernel";   // routers replay the boot before
  if (event.identifier == "kernel") {
    // Whoever sends <PRI> himself chooses it; nobody but the kernel may use facility 0.
    const bool foreign = prefix.wire_priority && prefix.facility.value_or(0) != 0;
    event.trust = foreign ? Trust::claimed : Trust::kernel_text;
    take_blanks(rest);
    if (!rest.starts_with('[') && !rest.starts_with('<')) return std::nullopt;
    if (!read_kernel_stamp(rest, inner) || (inner.style != LineStyle::dmesg && inner.style != LineStyle::dmesg_raw)) return std::nullopt;
    event.message = inner.rest;
    if (inner.severity) set_severity(inner, event);
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

void LineReader::describe_application(const LinePrefix& prefix, Event& event) const {
  set_severity(prefix, event);
  event.message = prefix.rest;
  event.container_name = prefix.container;
  if (prefix.style == LineStyle::logcat) {
    event.identifier = prefix.identifier;
    event.pid = prefix.pid;
    event.trust = is_daemon_tag(event.identifier) ? Trust::daemon_text : Trust::claimed;
    return;
  }
  if (prefix.style != LineStyle::logfmt && prefix.style != LineStyle::logrus && prefix.style != LineStyle::klog) return;
  event.identifier = hints_.identifier;
  event.trust = hints_.trust;
  std::optional<int> severity;
  std::string message;
  if (prefix.style == LineStyle::logfmt && unwrap_logfmt(prefix.rest, message, severity)) event.message = std::move(message);
  if (severity) event.severity = static_cast<Severity>(*severity);
  while (event.message.ends_with(' ')) event.message.pop_back();   // logrus fills up to a column
  if (event.trust != Trust::claimed) event.container_id = container_in(event.message);
}

void LineReader::describe_unstamped(std::string_view line, Event& event) const {
  event.message = line;
  if (family_ == LineFamily::syslog && sounds_like_earlyoom(line)) {
    event.identifier = "earlyoom";
    event.trust = Trust::daemon_text;
  }
  if (family_ != LineFamily::kernel && family_ != LineFamily::kmsg) return;
  std::string_view quoted = line;
  while (quoted.starts_with("> ") || quoted.starts_with('`')) quoted.remove_prefix(quoted[0] == '`' ? 1 : 2);
  if (!hints_.plain_is_kernel && !looks_like_kernel(quoted)) return;
  event.message = quoted;
  event.identifier = "kernel";
  event.trust = Trust::kernel_text;
}

std::optional<std::int64_t> LineReader::describe(std::string_view line, std::size_t piece, Event& event) const {
  std::string clean;
  if (line.find('\x1b') != line.npos || line.find("^[[") != line.npos) line = clean = without_terminal_sequences(line);
  line = without_padding(line);
  LinePrefix prefix;
  std::optional<std::int64_t> inner;
  if (!read_stamp(family_, line, prefix)) {
    describe_unstamped(line, event);
    return inner;
  }
  read_tag(family_, prefix);
  switch (prefix.style) {
    case LineStyle::kmsg: {
      describe_kernel(prefix, event);
      const std::string_view text = event.message;
      event.message = without_kmsg_escapes(piece_of(text, piece));
      break;
    }
    case LineStyle::dmesg:
      if (family_ == LineFamily::monotonic) {
        inner = describe_tagged(prefix, event);
        break;
      }
      [[fallthrough]];
    case LineStyle::dmesg_ctime:
    case LineStyle::dmesg_iso:
    case LineStyle::dmesg_reltime:
    case LineStyle::dmesg_level:
    case LineStyle::dmesg_raw: describe_kernel(prefix, event); break;
    case LineStyle::logcat:
    case LineStyle::klog:
    case LineStyle::logfmt:
    case LineStyle::logrus:
    case LineStyle::container_stamp:
    case LineStyle::cri:
    case LineStyle::compose:
    case LineStyle::application: describe_application(prefix, event); break;
    default: inner = describe_tagged(prefix, event); break;
  }
  return inner;
}

Stamp LineReader::parse(const Batch& batch, const Record& record, Event& event) const {
  const std::string_view line = raw(record);
  event.where = {context_.index, record.line, record.offset, record.raw_length};
  event.text = show(line);
  Stamp stamp = batch.stamps[record.stamp];
  if (record.aux & 1) {
    const Template& head = templates_[record.aux >> 1];
    const Location where = event.where;
    std::string text = std::move(event.text);
    event = head.event;
    event.where = where;
    event.text = std::move(text);
    if (head.whole) return stamp;
    const std::string clean = without_terminal_sequences(line);
    const std::string_view rest = without_padding(clean);
    const std::size_t indent = std::min(rest.find_first_not_of(" \t"), rest.size());
    event.message = rest.substr(std::min(indent, head.width));
    return stamp;
  }
  const auto inner = describe(line, record.aux >> 1, event);
  std::replace(event.message.begin(), event.message.end(), '\n', ' ');
  if (inner && !stamp.monotonic) stamp.monotonic = inner;
  return stamp;
}

}  // namespace forensics
