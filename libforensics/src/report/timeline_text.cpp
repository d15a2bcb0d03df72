// A record as one line that can be cut and grepped: time, source:line, severity, who says it, message.
#include <ostream>

#include <fmt/format.h>

#include "forensics/walk.h"

namespace forensics {
namespace {

/// "2026-11-30 22:45:14.312", "~" behind it if some of it was worked out; seconds since boot if that is all there is.
std::string when(const Event& event) {
  if (event.time) {
    std::string text = to_string(*event.time);
    text[10] = ' ';
    text.back() = event.clock == ClockQuality::exact ? ' ' : '~';
    return text;
  }
  if (!event.monotonic) return "-";
  return fmt::format("[{}.{:06}]", event.monotonic->count() / 1'000'000, event.monotonic->count() % 1'000'000);
}

std::string where(const TimelineRecord& record) {
  std::string text = show(record.source);
  if (record.event.where.line > 0) text += fmt::format(":{}", record.event.where.line);
  return text;
}

std::string speaker(const Event& event) {
  if (event.identifier.empty()) return "";
  if (event.pid && event.identifier != "kernel") return fmt::format("{}[{}]: ", show(event.identifier), *event.pid);
  return show(event.identifier) + ": ";
}

std::string mark(const FindingMark& found) {
  if (found.role == "ruled-out") return fmt::format("ruled out ({})", show(found.rule));
  return fmt::format("{}: {}, {} ({})", found.role, show(found.cause), to_string(found.confidence), show(found.rule));
}

}  // namespace

void write_text(std::ostream& out, const TimelineRecord& record, const TextStyle& style) {
  const Event& event = record.event;
  out << fmt::format("{:24} {:20} {:9} {}{}\n", when(event), where(record), event.severity ? to_string(*event.severity) : "-",
                     speaker(event), show(event.message));
  for (const FindingMark& found : record.findings)
    out << (style.color ? "\x1b[1m" : "") << fmt::format("{:24} ^ {}", "", mark(found)) << (style.color ? "\x1b[0m" : "") << '\n';
}

}  // namespace forensics
