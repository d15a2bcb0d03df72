#include "rules/cross_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "rules/examples.h"

namespace forensics {

namespace {

using Ids = std::set<std::string_view>;

/// Per rule everything that it supersedes, through others too.
std::map<std::string_view, Ids> close_supersedes(const std::vector<RuleDef>& rules) {
  std::map<std::string_view, const RuleDef*> by_id;
  for (const RuleDef& rule : rules) by_id.emplace(rule.id, &rule);
  std::map<std::string_view, Ids> closed;
  for (const RuleDef& rule : rules) {
    Ids& below = closed[rule.id];
    std::vector<const RuleDef*> todo = {&rule};
    while (!todo.empty()) {
      const RuleDef* next = todo.back();
      todo.pop_back();
      for (const std::string& id : next->supersedes)
        if (const auto it = by_id.find(id); it != by_id.end() && below.insert(it->first).second)
          todo.push_back(it->second);
    }
  }
  return closed;
}

std::set<std::uint32_t> decisive_events(const Evidenced& found, std::string_view id) {
  std::set<std::uint32_t> events;
  for (const Match& match : found.matches)
    if (match.rule->id == id && !match.events.empty()) events.insert(match.events.front());
  return events;
}

bool may_stand_together(const Evidenced& found, const Match& match, const RuleDef& owner) {
  if (match.rule->role == Role::contributing || owner.role == Role::contributing) return true;
  if (match.rule->role != Role::harmless && owner.role != Role::harmless) return false;
  if (match.rule->role == owner.role) return true;
  return match.events.empty() || !decisive_events(found, owner.id).contains(match.events.front());
}

}  // namespace

std::vector<Error> find_cross_table_faults(const RuleSet& set) {
  const auto closed = close_supersedes(set.rules());
  std::vector<Error> faults;
  for (const RuleDef& owner : set.rules()) {
    std::set<std::string_view> told;
    for (const RuleExample& example : owner.examples) {
      const Evidenced found = read_example(set, example);
      for (const Match& match : found.matches) {
        const std::string& id = match.rule->id;
        if (id == owner.id || closed.at(id).contains(owner.id) || closed.at(owner.id).contains(id)) continue;
        if (may_stand_together(found, match, owner) || !told.insert(id).second) continue;
        const std::string line = match.events.empty() ? "" : found.timeline.events[match.events.front()].text;
        faults.emplace_back(ErrorCode::rule, example.place,
                            fmt::format("{} fires on the example \"{}\" of {}", id, example.name, owner.id),
                            fmt::format("let one supersede the other, or narrow a clause; the line is \"{}\"", line));
      }
    }
  }
  return faults;
}

}  // namespace forensics
