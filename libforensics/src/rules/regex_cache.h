// The patterns of a rule set, compiled on first use. May be used from several threads at once.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "rules/rule.h"

namespace forensics {

struct PatternResult {
  bool matched = false;
  bool ran_away = false;  ///< the engine gave up on excessive backtracking; not matched
};

/// Searches `message` for the pattern of one clause (clause_kind: 0 all, 1 any, 2 none) of rules()[rule]. Named groups
/// that took part are added to `captures`.
PatternResult match_pattern(const RuleSet::Impl& set, std::size_t rule, int clause_kind, std::size_t clause,
                            std::string_view message, std::map<std::string, Fact, std::less<>>& captures);

}  // namespace forensics
