#include "rules/matcher.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rules/regex_cache.h"

namespace forensics {

namespace {

/// What a pattern may see of a message: hostile lines cost time, and nothing decisive stands behind this.
constexpr std::size_t kernel_limit = 2 * 1024, other_limit = 8 * 1024;
/// After so many run-away matches in one source a rule is off for the rest of it.
constexpr int run_away_limit = 64;

const std::vector<Clause>& clauses(const RuleDef& rule, ClauseKind kind) {
  return kind == ClauseKind::all ? rule.all : kind == ClauseKind::any ? rule.any : rule.none;
}

bool contains_any(const Clause& clause, std::string_view message) {
  return std::any_of(clause.contains.begin(), clause.contains.end(),
                     [&](const std::string& literal) { return message.find(literal) != message.npos; });
}

bool allowed(const std::vector<std::string>& values, const Values& facts, const std::string& name) {
  const auto it = facts.find(name);
  const auto is = [&](const std::string& value) {
    if (it == facts.end()) return value.empty();
    if (const auto* text = std::get_if<std::string>(&it->second)) return *text == value;
    if (const auto* flag = std::get_if<bool>(&it->second)) return value == (*flag ? "true" : "false");
    return value == std::to_string(std::get<std::int64_t>(it->second));
  };
  return std::any_of(values.begin(), values.end(), is);
}

}  // namespace

bool origin_fits(const Clause& clause, const Event& event) {
  switch (clause.origin) {
    case Origin::any: return true;
    case Origin::state: return event.identifier == "container-state";
    case Origin::container: return event.trust == Trust::claimed;
    // On text that nobody vouches for, a kernel pattern is an application's word at most: its trust stays `claimed`.
    case Origin::kernel:
      return event.trust == Trust::kernel || event.trust == Trust::kernel_text || event.trust == Trust::claimed;
    case Origin::identifier:
      return std::any_of(clause.identifiers.begin(), clause.identifiers.end(), [&](std::string_view name) {
        if (!name.empty() && name.back() == '*') return event.identifier.starts_with(name.substr(0, name.size() - 1));
        return event.identifier == name;
      });
  }
  return false;
}

bool join(Values& into, const Values& from) {
  for (const auto& [name, value] : from)
    if (const auto it = into.find(name); it != into.end() && it->second != value) return false;
  into.insert(from.begin(), from.end());
  return true;
}

std::string identity(const Values& values) {
  constexpr std::array<std::string_view, 12> names = {"asker", "cgroup", "comm", "container", "device", "exit_code",
                                                      "host", "kind", "mount", "pid", "signal", "unit"};
  std::string key;
  for (std::string_view name : names) {
    const auto it = values.find(name);
    if (it == values.end()) continue;
    key.append(name) += '=';
    if (const auto* text = std::get_if<std::string>(&it->second)) key += *text;
    if (const auto* number = std::get_if<std::int64_t>(&it->second)) key += std::to_string(*number);
    key += '\0';
  }
  return key;
}

Matcher::Matcher(const RuleSet& rules) : rules_(rules) {
  std::map<std::string_view, std::vector<Target>> by_literal;
  const auto add = [&](std::uint32_t rule, const std::vector<Clause>& list, ClauseKind kind) {
    for (std::uint32_t i = 0; i < list.size(); ++i)
      for (const std::string& literal : list[i].contains) by_literal[literal].push_back({rule, i, kind, false});
  };
  for (std::uint32_t r = 0; r < this->rules().size(); ++r) {
    const RuleDef& rule = this->rules()[r];
    if (!rule.dump.empty()) {
      dump_rules_[rule.dump].push_back(r);
      continue;
    }
    add(r, rule.all, ClauseKind::all);
    add(r, rule.any, ClauseKind::any);
    add(r, rule.none, ClauseKind::none);
  }
  const auto& kinds = dump_kinds();
  for (std::uint32_t k = 0; k < kinds.size(); ++k)
    for (std::string_view opener : kinds[k].openers) by_literal[opener].push_back({k, 0, ClauseKind::all, true});
  for (auto& [literal, targets] : by_literal) {
    literals_.emplace_back(literal);
    targets_.push_back(std::move(targets));
  }
}

const Clause& Matcher::clause(const Target& target) const {
  return clauses(rules()[target.rule], target.kind)[target.clause];
}

bool Matcher::match(const Target& target, const Event& event, Values& captures) {
  const Clause& c = clause(target);
  if (!origin_fits(c, event) || !contains_any(c, event.message)) return false;
  return search(target, event.message, event.trust == Trust::kernel || event.trust == Trust::kernel_text, captures);
}

bool Matcher::search(const Target& target, std::string_view message, bool kernel, Values& captures) {
  if (clause(target).pattern.empty()) return true;
  int& run_aways = run_aways_[target.rule];
  if (run_aways >= run_away_limit) return false;
  const auto result = match_pattern(rules_.impl(), target.rule, static_cast<int>(target.kind), target.clause,
                                    message.substr(0, kernel ? kernel_limit : other_limit), captures);
  if (result.ran_away && ++run_aways == run_away_limit) off_.push_back(rules()[target.rule].id);
  return result.matched;
}

const std::vector<std::uint32_t>& Matcher::dump_rules(std::string_view kind) const {
  static const std::vector<std::uint32_t> none;
  const auto it = dump_rules_.find(kind);
  return it == dump_rules_.end() ? none : it->second;
}

bool Matcher::match_dump(std::uint32_t r, const Dump& dump, const std::vector<DumpLine>& lines, Values& values,
                         std::vector<std::uint32_t>& quoted) {
  const RuleDef& rule = rules()[r];
  for (const auto& [name, list] : rule.where)
    if (!allowed(list, dump.facts, name)) return false;
  values = dump.facts;
  const auto find = [&](ClauseKind kind, std::uint32_t i) {
    for (std::uint32_t l = 0; l < lines.size(); ++l) {
      Values captures;
      if (!contains_any(clauses(rule, kind)[i], lines[l].message)) continue;
      if (!search({r, i, kind, false}, lines[l].message, true, captures)) continue;
      Values joined = values;
      if (!join(joined, captures)) continue;
      if (kind != ClauseKind::none) values = std::move(joined), quoted.push_back(l);
      return true;
    }
    return false;
  };
  for (std::uint32_t i = 0; i < rule.all.size(); ++i)
    if (!find(ClauseKind::all, i)) return false;
  bool any = rule.any.empty();
  for (std::uint32_t i = 0; i < rule.any.size(); ++i) any |= find(ClauseKind::any, i);
  if (!any) return false;
  for (std::uint32_t i = 0; i < rule.none.size(); ++i)
    if (find(ClauseKind::none, i)) return false;
  return true;
}

std::vector<std::string> Matcher::take_run_aways() { return std::exchange(off_, {}); }
void Matcher::next_source() { run_aways_.clear(); }

}  // namespace forensics
