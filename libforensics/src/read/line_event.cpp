// From a physical line to an event: who said it, how far that may be believed, and what it says.
#include <algorithm>

#include "read/kernel_record.h"
#include "read/line_message.h"
#include "read/line_reader.h"
#include "read/tagged_event.h"
#include "read/time_parse.h"

namespace forensics {

namespace {

/// Lines of a paste are filled up to the width of the terminal. One or two blanks may be the message's own.
std::string_view without_padding(std::string_view text) {
  const std::size_t last = text.find_last_not_of(' ');
  const std::size_t end = last == text.npos ? 0 : last + 1;
  return text.size() - end >= 3 ? text.substr(0, end) : text;
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
  describe_severity(prefix, event);
  const bool printed = prefix.style == LineStyle::dmesg_level || prefix.style == LineStyle::kmsg;
  const bool raw = prefix.style == LineStyle::dmesg_raw;
  // "<30>" of syslog(2) holds a facility, "<5>" may be one that util-linux or-ed into the level.
  const auto facility = printed || (raw && prefix.facility.value_or(0) > 0) ? prefix.facility : std::nullopt;
  describe_kernel_record(prefix.rest, facility, printed || raw ? Trust::kernel : Trust::kernel_text, event);
}

std::optional<std::int64_t> LineReader::describe_tagged_line(const LinePrefix& prefix, Event& event) const {
  const auto inner = describe_tagged(prefix, event);
  if (prefix.style == LineStyle::bare_tag && prefix.host.empty()) event.host = wall_host_;
  return inner;
}

void LineReader::describe_application(const LinePrefix& prefix, Event& event) const {
  describe_severity(prefix, event);
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
        inner = describe_tagged_line(prefix, event);
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
    default: inner = describe_tagged_line(prefix, event); break;
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
