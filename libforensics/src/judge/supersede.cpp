// Inside one death the specific beats the generic, by declaration; then the surer and the earlier counts.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "judge/case.h"

namespace forensics {

namespace {

using RuleIds = std::set<std::string, std::less<>>;

/// Everything that a rule supersedes, through others too. The loader has refused circles; a visited set costs nothing.
RuleIds superseded_by(const std::map<std::string, const RuleDef*, std::less<>>& rules, const RuleDef& rule) {
  RuleIds seen;
  std::vector<std::string> open(rule.supersedes);
  while (!open.empty()) {
    const std::string id = std::move(open.back());
    open.pop_back();
    if (!seen.insert(id).second) continue;
    if (const auto it = rules.find(id); it != rules.end())
      open.insert(open.end(), it->second->supersedes.begin(), it->second->supersedes.end());
  }
  return seen;
}

void mark_superseded(Case& c, const DeathCase& death, const std::map<std::string, RuleIds, std::less<>>& closure) {
  std::map<std::string_view, Confidence> winners;  // rule -> its surest finding here
  for (const auto i : death.claims) {
    const Claim& claim = c.claims[i];
    if (!closure.contains(claim.rule->id)) continue;
    const auto [it, fresh] = winners.emplace(claim.rule->id, claim.confidence);
    if (!fresh) it->second = std::max(it->second, claim.confidence);
  }
  for (const auto i : death.claims) {
    Claim& loser = c.claims[i];
    for (const auto& [rule, sure] : winners) {
      const bool strong = sure >= Confidence::medium || sure >= loser.confidence;
      if (strong && closure.find(rule)->second.contains(loser.rule->id)) loser.superseded = true;
    }
  }
}

/// The exit status alone explains only what nothing else does; then the surest, then the first.
bool explains_better(const Claim& a, const Claim& b) {
  const auto rank = [](const Claim& claim) {
    const bool specific = !is_exit_cause(claim.cause()) && claim.confidence >= Confidence::medium;
    return std::tuple(specific, claim.confidence, !is_exit_cause(claim.cause()), claim.match->trust);
  };
  return rank(a) != rank(b) ? rank(a) > rank(b) : a.order < b.order;
}

}  // namespace

void choose_causes(Case& c) {
  std::map<std::string, const RuleDef*, std::less<>> rules;
  for (const auto& rule : c.rules.impl().rules) rules.emplace(rule.id, &rule);
  std::map<std::string, RuleIds, std::less<>> closure;
  for (const auto& claim : c.claims)
    if (!claim.rule->supersedes.empty() && !closure.contains(claim.rule->id))
      closure.emplace(claim.rule->id, superseded_by(rules, *claim.rule));
  for (auto& death : c.deaths) {
    mark_superseded(c, death, closure);
    for (const auto i : death.claims)
      if (!c.claims[i].superseded && (!death.verdict || explains_better(c.claims[i], c.claims[*death.verdict])))
        death.verdict = i;
  }
}

}  // namespace forensics
