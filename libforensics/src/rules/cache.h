// How a rule set gets its cache of compiled patterns (regex_cache.cpp).
#pragma once

#include <memory>
#include <vector>

#include "rules/rule.h"

namespace forensics {

/// Empty; for exactly these rules in this order.
std::shared_ptr<RuleSet::Impl::Cache> make_cache(const std::vector<RuleDef>& rules);

}  // namespace forensics
