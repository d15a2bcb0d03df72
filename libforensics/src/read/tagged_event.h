// What a record of syslog says once its host, tag and pid are known, whatever it was written in.
#pragma once

#include <cstdint>
#include <optional>

#include "forensics/event.h"
#include "read/line_prefix.h"

namespace forensics {

/// Severity and facility, as far as they were read.
void describe_severity(const LinePrefix& prefix, Event& event);

/// Fills everything about the event but its place and its text from host, identifier, pid, severity, facility and
/// `rest`, the message. Returns the printk stamp that stands before a kernel message, if any.
std::optional<std::int64_t> describe_tagged(const LinePrefix& prefix, Event& event);

/// earlyoom's own words, for journals whose tags were cut out.
bool sounds_like_earlyoom(std::string_view message);

}  // namespace forensics
