// Rule sets: from the tables built in, from a folder, from memory.
#include <algorithm>

#include "rules/builtin.h"
#include "rules/cache.h"
#include "rules/examples.h"
#include "rules/rule.h"
#include "rules/rule_folder.h"

namespace forensics {

namespace {

std::vector<std::string> strings(std::span<const std::string_view> views) { return {views.begin(), views.end()}; }

std::vector<Clause> clauses(std::span<const builtin::ClauseRow> rows) {
  std::vector<Clause> out;
  for (const auto& row : rows)
    out.push_back({row.origin, strings(row.identifiers), strings(row.contains), std::string(row.pattern)});
  return out;
}

Fact constant(const builtin::Constant& row) {
  if (row.type == builtin::Constant::Type::integer) return row.number;
  if (row.type == builtin::Constant::Type::boolean) return row.number != 0;
  return std::string(row.text);
}

RuleDef rule(const builtin::RuleRow& row) {
  RuleDef rule;
  rule.id = row.id;
  rule.title = row.title;
  rule.cause = row.cause;
  rule.role = row.role;
  rule.confidence = row.confidence;
  rule.explain = row.explain;
  rule.remedies = strings(row.remedies);
  rule.references = strings(row.references);
  rule.supersedes = strings(row.supersedes);
  rule.within = std::chrono::microseconds(row.within_us);
  rule.dump = row.dump;
  for (const auto& where : row.where) rule.where.emplace(where.fact, strings(where.allowed));
  for (const auto& fact : row.facts) rule.facts.emplace(fact.name, constant(fact));
  rule.all = clauses(row.all);
  rule.any = clauses(row.any);
  rule.none = clauses(row.none);
  return rule;
}

RuleSet make_builtin() {
  std::vector<RuleDef> rules;
  rules.reserve(builtin::rules().size());
  for (const auto& row : builtin::rules()) rules.push_back(rule(row));
  std::vector<ChainLink> chains;
  for (const auto& row : builtin::chains())
    chains.push_back({std::string(row.from), std::string(row.to), std::chrono::microseconds(row.within_us),
                      std::string(row.shared)});
  return make_rule_set(std::move(rules), std::move(chains));
}

}  // namespace

RuleSet make_rule_set(std::vector<RuleDef> rules, std::vector<ChainLink> chains) {
  std::sort(rules.begin(), rules.end(), [](const RuleDef& a, const RuleDef& b) { return a.id < b.id; });
  auto impl = std::make_shared<RuleSet::Impl>();
  impl->rules = std::move(rules);
  impl->chains = std::move(chains);
  impl->cache = make_cache(impl->rules);
  return RuleSet(std::move(impl));
}

RuleSet RuleSet::builtin() {
  static const RuleSet set = make_builtin();
  return set;
}

RuleSet RuleSet::load(const std::filesystem::path& directory) {
  RuleFolder folder = read_rule_folder(directory);
  for (const RuleDef& rule : folder.rules) {
    // Alone: the check of one rule must not cost a look at all others.
    const auto faults = find_example_faults(make_rule_set({rule}, {}), rule);
    if (!faults.empty()) throw faults.front();
  }
  return make_rule_set(std::move(folder.rules), std::move(folder.chains));
}

const std::vector<RuleDef>& RuleSet::rules() const noexcept { return impl_->rules; }

}  // namespace forensics
