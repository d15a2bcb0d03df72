// Times and zones as people type them.
#pragma once

#include <string>

#include "forensics/event.h"

namespace why_died {

/// 2026-11-30, 2026-11-30T14:03[:22[.1]] or with a blank, then nothing (`timezone`, else UTC), Z or +HH:MM.
/// Throws: Error (usage).
forensics::RealTime parse_moment(const std::string& text, const std::string& timezone);

/// An IANA name, UTC or +HH:MM. Throws: Error (usage) for anything else.
void check_timezone(const std::string& timezone);

}  // namespace why_died
