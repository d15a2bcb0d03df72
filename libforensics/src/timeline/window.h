// Rules of several clauses: which hits belong together.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/match.h"
#include "rules/matcher.h"

namespace forensics {

struct EventHit {
  Target target;
  std::uint32_t event = 0;           ///< index into Timeline::events
  const Values* captures = nullptr;  ///< never null
  std::uint64_t repeated = 0;
};

/// `hits` sorted by target, then event. One match per hit of a rule's first `all` clause (without one: per hit of any
/// `any` clause) for which the other clauses find partners inside the rule's window with equal shared captures.
std::vector<Match> combine(const Matcher& matcher, const Timeline& timeline, const std::vector<EventHit>& hits);

/// Could the two events lie within `window`? Unknown clocks are given the benefit of the doubt inside one source.
bool within(const Event& a, const Event& b, std::chrono::microseconds window);

}  // namespace forensics
