// What must hold between the parts of one rule.
#pragma once

#include "rules/rule.h"
#include "rules/toml_section.h"

namespace forensics {

/// Throws: Error (rule).
void check_rule(const Section& section, const RuleDef& rule);

}  // namespace forensics
