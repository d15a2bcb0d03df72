// A rule against its own examples.
#pragma once

#include <vector>

#include "forensics/error.h"
#include "rules/match.h"
#include "rules/rule.h"

namespace forensics {

/// What is wrong, each with the place of its example. `set` holds the rule.
std::vector<Error> find_example_faults(const RuleSet& set, const RuleDef& rule);

/// What the rules of the set find in one example.
Evidenced read_example(const RuleSet& set, const RuleExample& example);

/// As examples write values: numbers in digits, true, false.
std::string expect_text(const Fact& fact);

}  // namespace forensics
