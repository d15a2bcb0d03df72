#include "rules/rule_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "rules/pattern.h"
#include "rules/sentence.h"
#include "rules/words.h"

namespace forensics {

namespace {

using Names = std::set<std::string, std::less<>>;

Names names_of(const Clause& clause) {
  const auto names = capture_names(clause.pattern);
  return {names.begin(), names.end()};
}

Names provided_names(const RuleDef& rule) {
  Names names;
  for (const auto* clauses : {&rule.all, &rule.any})
    for (const Clause& clause : *clauses) names.merge(names_of(clause));
  if (const DumpFacts* dump = find_dump_facts(rule.dump))
    for (const FactDef& fact : dump->facts) names.emplace(fact.name);
  for (const auto& [name, value] : rule.facts) names.insert(name);
  return names;
}

void check_sentence(const TomlFile& file, const toml::node& node, std::string_view text, const Names& provided) {
  if (const auto fault = find_sentence_fault(text))
    fail_at(file, node.source().begin,
            fmt::format("{} at \"{}\"", fault->message, show(text.substr(fault->position, 24))),
            "a literal bracket or brace needs a backslash before it");
  for (const SentenceName& used : sentence_names(text)) {
    if (provided.contains(used.name)) continue;
    const std::vector<std::string_view> known(provided.begin(), provided.end());
    const std::string near = nearest_word(used.name, known);
    fail_at(file, node.source().begin, fmt::format("nothing provides {{{}}}", used.name),
            fmt::format("{}{}", near.empty() ? "" : fmt::format("did you mean {{{}}}? ", near),
                        known.empty() ? "no clause has a named group" : "there are " + list_words(known)));
  }
}

/// Without a shared name two deaths a second apart would exchange their facts.
void check_join(const Section& section, const RuleDef& rule) {
  if (!rule.dump.empty() || rule.all.size() < 2) return;
  Names joined = names_of(rule.all.front());
  std::vector<bool> reached(rule.all.size(), false);
  reached[0] = true;
  for (std::size_t round = 1; round < rule.all.size(); ++round)
    for (std::size_t i = 0; i < rule.all.size(); ++i) {
      Names names = names_of(rule.all[i]);
      if (reached[i] ||
          std::none_of(names.begin(), names.end(), [&](const std::string& n) { return joined.contains(n); }))
        continue;
      reached[i] = true;
      joined.merge(names);
    }
  const auto stranger = std::find(reached.begin(), reached.end(), false);
  if (stranger == reached.end()) return;
  const auto index = static_cast<std::size_t>(stranger - reached.begin());
  fail_at(section.file(), section.tables("all")[index]->source().begin,
          "this [[all]] clause shares no group name with the others",
          "capture the same thing (a pid, a device, an id) under the same name in both");
}

void check_constants(const Section& section, const RuleDef& rule) {
  Names captured;
  for (const auto* clauses : {&rule.all, &rule.any})
    for (const Clause& clause : *clauses) captured.merge(names_of(clause));
  for (const auto& [name, value] : rule.facts)
    if (captured.contains(name))
      section.fail("facts", fmt::format("\"{}\" is a constant and a group name", name),
                   "only one of them can be right");
}

}  // namespace

void check_rule(const Section& section, const RuleDef& rule) {
  const std::size_t clauses = rule.all.size() + rule.any.size() + rule.none.size();
  if (rule.dump.empty() && rule.all.empty() && rule.any.empty())
    fail_at(section.file(), {1, 1}, "the rule looks at nothing", "add an [[all]] or an [[any]] clause, or \"dump\"");
  if (section.find("within") && (clauses < 2 || !rule.dump.empty()))
    section.fail("within",
                 rule.dump.empty() ? "\"within\" needs several clauses" : "\"within\" has no meaning inside a dump",
                 "leave it out");
  check_join(section, rule);
  check_constants(section, rule);
  const Names provided = provided_names(rule);
  check_sentence(section.file(), *section.find("explain"), rule.explain, provided);
  if (const toml::node* remedies = section.find("remedies"))
    for (const toml::node& remedy : *remedies->as_array())
      check_sentence(section.file(), remedy, remedy.as_string()->get(), provided);
}

}  // namespace forensics
