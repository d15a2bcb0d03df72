// What matching yields and the judge works on.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dumps/dump.h"
#include "forensics/timeline.h"
#include "rules/rule.h"

namespace forensics {

/// A rule that fired, before anything was judged. Indices are into Timeline::events.
struct Match {
  const RuleDef* rule = nullptr;
  std::map<std::string, Fact, std::less<>> values;   ///< captures and dump facts and the rule's own facts
  std::vector<std::uint32_t> events;      ///< decisive first; all of them are quoted
  Trust trust = Trust::claimed;           ///< the weakest of its events
  bool complete = true;                   ///< false: from an incomplete dump
  std::uint64_t repeated = 0;             ///< more of the same that were only counted
};

/// Also-seen-in: per event, the other sources that hold the same record.
struct Evidenced {
  Timeline timeline;
  std::vector<Match> matches;             ///< in time order of their decisive event
  std::map<std::uint32_t, std::vector<Witness>> witnesses;   ///< event -> other sources
  bool live = false;                      ///< the live host: commands in `missing` are for here and now
};

}  // namespace forensics
