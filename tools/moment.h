// Times and zones as people type them.
#pragma once

#include <chrono>
#include <string>

#include "forensics/event.h"

namespace why_died {

/// 2026-11-30, 2026-11-30T14:03[:22[.1]] or with a blank, then nothing (`timezone`, else UTC), Z or +HH:MM.
/// Throws: Error (usage), which names `option`.
forensics::RealTime parse_moment(const std::string& option, const std::string& text, const std::string& timezone);

/// 90s, 5m, 2h, 1d. Throws: Error (usage), which names `option`.
std::chrono::seconds parse_duration(const std::string& option, const std::string& text);

/// An IANA name, UTC or +HH:MM. Throws: Error (usage) for anything else.
void check_timezone(const std::string& timezone);

}  // namespace why_died
