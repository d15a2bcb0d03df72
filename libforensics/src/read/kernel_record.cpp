#include "read/kernel_record.h"

#include <algorithm>
#include <iterator>

#include "read/line_message.h"
#include "read/line_prefix.h"

namespace forensics {

bool kernel_about_process(std::string_view message) {
  constexpr std::string_view starts[] = {"segfault at ",
                                         "segfault (",
                                         "trap ",
                                         "unhandled ",
                                         "Unhandled ",
                                         "undefined instruction",
                                         "illegal instruction (",
                                         "bus error (",
                                         "bad frame in ",
                                         "general protection",
                                         "potentially unexpected ",
                                         "syscall "};
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](std::string_view start) { return message.starts_with(start); });
}

void describe_kernel_record(std::string_view message, std::optional<int> facility, Trust best, Event& event) {
  event.identifier = "kernel";
  event.trust = best;
  event.message = message;
  if (facility == 0) return;
  std::string_view rest = message, identifier;
  std::optional<std::int64_t> pid;
  const bool may_be_tagged = facility || message.starts_with("systemd");
  const bool tagged = may_be_tagged && take_tag(rest, identifier, pid);
  if (!facility) {
    const bool systemd = tagged && pid && (identifier == "systemd" || identifier.starts_with("systemd-"));
    if (!systemd || kernel_about_process(rest)) return;
    event.severity.reset();
    event.facility.reset();
  }
  event.identifier = identifier;
  if (tagged) event.message = rest;
  event.pid = pid;
  event.trust = tagged && is_daemon_tag(identifier) ? Trust::daemon_text : Trust::claimed;
}

}  // namespace forensics
