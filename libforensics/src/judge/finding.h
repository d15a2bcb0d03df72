// A claim as a finding of the report: sentence, victim, facts, quotations, remedies.
#pragma once

#include <string>
#include <vector>

#include "judge/case.h"

namespace forensics {

/// The claim by itself, or as part of `death` (which knows the container's name, limit and exit status).
Finding to_finding(const Case& c, const Claim& claim, const DeathCase* death = nullptr);

/// Quotations of a claim, decisive first.
std::vector<Evidence> quote(const Case& c, const Claim& claim);
Evidence quote_event(const Case& c, std::uint32_t event);
/// Appends what is not quoted yet, up to a limit.
void add_evidence(std::vector<Evidence>& to, std::vector<Evidence> from);

/// Findings of one rule about one thing (or about anything) become one, with their number.
std::vector<Finding> merge_repeats(const Case& c, const std::vector<std::size_t>& claims, std::size_t most,
                                   bool by_rule_only = false);

/// 2026-11-30 22:45:14 UTC
std::string moment_text(RealTime time);

}  // namespace forensics
