// Why an example does not match: for whoever writes rules.
#pragma once

#include <cstdint>
#include <string>

#include "rules/rule.h"

namespace forensics {

/// One sentence about the first clause that no line of the example satisfies.
std::string explain_miss(const RuleSet& set, std::uint32_t rule, const RuleExample& example);

}  // namespace forensics
