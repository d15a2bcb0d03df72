// Stamps of engines and orchestrators: full dates with a zone, so always UTC in the end.
#pragma once

#include <optional>
#include <string_view>

#include "read/reader.h"

namespace forensics {

/// 2026-11-30T22:45:14.31236398Z, 2021-02-17T09:36:00.042318605-05:00 ("T" may be a blank; the zone may stand behind
/// a blank and be followed by its name, as Go prints it). No zone: kind local. The whole text must be the stamp.
std::optional<Stamp> parse_rfc3339(std::string_view text);

/// Thu, 14 Mar 2024 05:13:41 +0100, as kubectl describe prints it.
std::optional<Stamp> parse_rfc1123(std::string_view text);

/// The moment, if the stamp has one and it is not a "never" (the years 1 and 1970 of unset times).
std::optional<RealTime> moment(const std::optional<Stamp>& stamp);

}  // namespace forensics
