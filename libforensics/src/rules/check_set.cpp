// What must hold between rules.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "forensics/error.h"
#include "rules/rule.h"
#include "rules/words.h"

namespace forensics {

namespace {

/// Iterative: a chain of rules may be as long as somebody likes to write it.
void check_circles(const std::vector<RuleDef>& rules, const std::map<std::string_view, std::size_t>& index) {
  enum class State { fresh, open, done };
  std::vector<State> state(rules.size(), State::fresh);
  std::vector<std::size_t> next(rules.size(), 0), path;
  for (std::size_t start = 0; start < rules.size(); ++start) {
    if (state[start] != State::fresh) continue;
    path.push_back(start);
    state[start] = State::open;
    while (!path.empty()) {
      const std::size_t at = path.back();
      if (next[at] == rules[at].supersedes.size()) {
        state[at] = State::done;
        path.pop_back();
        continue;
      }
      const std::size_t to = index.at(rules[at].supersedes[next[at]++]);
      if (state[to] == State::open) {
        std::string circle;
        for (auto it = std::find(path.begin(), path.end(), to); it != path.end(); ++it)
          circle += rules[*it].id + " -> ";
        throw Error(ErrorCode::rule, rules[at].supersedes_place,
                    fmt::format("\"supersedes\" runs in a circle: {}{}", circle, rules[to].id),
                    "the rule that explains more supersedes the other, never both");
      }
      if (state[to] == State::done) continue;
      state[to] = State::open;
      path.push_back(to);
    }
  }
}

}  // namespace

void check_set(const std::vector<RuleDef>& rules) {
  std::map<std::string_view, std::size_t> index;
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!index.emplace(rules[i].id, i).second)
      throw Error(ErrorCode::rule, rules[i].place, fmt::format("there are two rules \"{}\"", rules[i].id));
    ids.push_back(rules[i].id);
  }
  for (const RuleDef& rule : rules)
    for (const std::string& other : rule.supersedes) {
      if (index.contains(other)) continue;
      const std::string near = nearest_word(other, ids);
      throw Error(ErrorCode::rule, rule.supersedes_place,
                  fmt::format("\"supersedes\" names \"{}\", and there is no such rule", other),
                  near.empty() ? "a rule's id is its path below the folder, without .toml"
                               : fmt::format("did you mean \"{}\"?", near));
    }
  check_circles(rules, index);
}

}  // namespace forensics
