// Each rule against the examples of all others: two rules that both explain a line must say which of them explains
// more.
#pragma once

#include <vector>

#include "forensics/error.h"
#include "rules/rule.h"

namespace forensics {

/// A rule may fire on another's example only if
///   - one of the two supersedes the other, through others or not; or
///   - one of them is `contributing`: it stands beside a verdict, never against it; or
///   - one of them is `harmless` and hangs on another line: on the same line it would clear what the other accuses.
/// Returns what breaks this, once per pair of rules, each with the place of the example.
std::vector<Error> find_cross_table_faults(const RuleSet& set);

}  // namespace forensics
