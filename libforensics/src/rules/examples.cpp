#include "rules/examples.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "rules/explain_miss.h"
#include "rules/matcher.h"
#include "rules/sentence.h"
#include "timeline/pipeline.h"

namespace forensics {

namespace {

using Matches = std::vector<const Match*>;

Matches matches_of(const Evidenced& found, std::string_view id) {
  Matches out;
  for (const Match& match : found.matches)
    if (match.rule->id == id) out.push_back(&match);
  return out;
}

/// What differs from the expectation in this match; empty if nothing.
std::string difference(const Match& match, const RuleExample& example) {
  for (const auto& [name, wanted] : example.expect) {
    const auto it = match.values.find(name);
    const std::string got = it == match.values.end() ? "" : expect_text(it->second);
    if (got == wanted) continue;
    if (it == match.values.end()) return fmt::format("it has no {}, \"{}\" is expected", name, show(wanted));
    return fmt::format("{} is \"{}\", not \"{}\"", name, show(got), show(wanted));
  }
  return {};
}

/// A name outside [brackets] that this match does not have: the sentence would show "(unknown)".
std::string gap(const Match& match, const RuleDef& rule) {
  const auto missing = [&](std::string_view text) -> std::string {
    for (const SentenceName& used : sentence_names(text)) {
      const auto it = match.values.find(used.name);
      if (!used.optional && (it == match.values.end() || expect_text(it->second).empty())) return used.name;
    }
    return {};
  };
  if (const std::string name = missing(rule.explain); !name.empty())
    return fmt::format("\"explain\" uses {{{}}}", name);
  for (const std::string& remedy : rule.remedies)
    if (const std::string name = missing(remedy); !name.empty()) return fmt::format("a remedy uses {{{}}}", name);
  return {};
}

class Checker {
 public:
  Checker(const RuleSet& set, const RuleDef& rule) : set_(set), rule_(rule), matcher_(set) {
    index_ = static_cast<std::uint32_t>(
        std::find_if(set.rules().begin(), set.rules().end(), [&](const RuleDef& r) { return r.id == rule.id; }) -
        set.rules().begin());
  }

  std::vector<Error> run() {
    for (const RuleExample& example : rule_.examples) check_example(example);
    for (const RuleExample& example : rule_.counterexamples) check_counterexample(example);
    if (faults_.empty()) check_clauses();
    return std::move(faults_);
  }

 private:
  void fault(const RuleExample& example, std::string reason, std::string hint = {}) {
    faults_.emplace_back(ErrorCode::rule, example.place, std::move(reason), std::move(hint));
  }

  void check_format(const RuleExample& example, const Evidenced& found) {
    if (example.format.empty() || found.timeline.sources.empty()) return;
    if (const std::string& format = found.timeline.sources.front().format; format != example.format)
      fault(example, fmt::format("\"{}\" is read as {}, not as {}", example.name, format, example.format),
            "give it a \"file\" name, or more lines");
  }

  void check_example(const RuleExample& example) {
    const Evidenced found = read_example(set_, example);
    check_format(example, found);
    const Matches matches = matches_of(found, rule_.id);
    if (matches.empty()) {
      fault(example, fmt::format("the example \"{}\" does not match", example.name),
            explain_miss(set_, index_, example));
      return;
    }
    // Each clause of an [[any]] may have matched another record of the example.
    for (const Match* match : matches) note_clauses(found, *match);
    std::string first_difference;
    for (const Match* match : matches) {
      const std::string differs = difference(*match, example);
      if (first_difference.empty()) first_difference = differs;
      if (!differs.empty()) continue;
      if (const std::string name = gap(*match, rule_); !name.empty())
        fault(example, fmt::format("{}, which the example \"{}\" does not give", name, example.name),
              "put that part of the sentence in [brackets], or capture it always");
      return;
    }
    fault(example, fmt::format("in the example \"{}\" {}", example.name, first_difference));
  }

  void check_counterexample(const RuleExample& example) {
    const Evidenced found = read_example(set_, example);
    check_format(example, found);
    const Matches matches = matches_of(found, rule_.id);
    if (matches.empty()) return;
    const auto& events = matches.front()->events;
    const std::string line = events.empty() ? "" : found.timeline.events[events.front()].text;
    fault(example, fmt::format("the counterexample \"{}\" matches", example.name),
          line.empty() ? "" : fmt::format("by \"{}\"", line));
  }

  /// Which clauses the events of a match satisfy.
  void note_clauses(const Evidenced& found, const Match& match) {
    for (const ClauseKind kind : {ClauseKind::all, ClauseKind::any}) {
      const auto& clauses = kind == ClauseKind::all ? rule_.all : rule_.any;
      for (std::uint32_t c = 0; c < clauses.size(); ++c)
        for (const std::uint32_t event : match.events) {
          Values captures;
          if (matcher_.match({index_, c, kind, false}, found.timeline.events[event], captures)) seen_.emplace(kind, c);
        }
    }
  }

  void check_clauses() {
    for (const ClauseKind kind : {ClauseKind::all, ClauseKind::any}) {
      const auto& clauses = kind == ClauseKind::all ? rule_.all : rule_.any;
      for (std::uint32_t c = 0; c < clauses.size(); ++c)
        if (!seen_.contains({kind, c}))
          faults_.emplace_back(ErrorCode::rule, rule_.place,
                               fmt::format("no example matches the {}. [[{}]] clause, which looks for \"{}\"", c + 1,
                                           kind == ClauseKind::all ? "all" : "any", show(clauses[c].contains.front())),
                               "add an [[example]] for it");
    }
  }

  const RuleSet& set_;
  const RuleDef& rule_;
  Matcher matcher_;
  std::uint32_t index_ = 0;
  std::set<std::pair<ClauseKind, std::uint32_t>> seen_;
  std::vector<Error> faults_;
};

}  // namespace

std::string expect_text(const Fact& fact) {
  if (const auto* text = std::get_if<std::string>(&fact)) return *text;
  if (const auto* flag = std::get_if<bool>(&fact)) return *flag ? "true" : "false";
  return std::to_string(std::get<std::int64_t>(fact));
}

Evidenced read_example(const RuleSet& set, const RuleExample& example) {
  AnalyzeOptions options;
  options.year = 2026;
  Pipeline pipeline(set, options);
  MemorySource bytes(example.text);
  pipeline.add(example.file_name.empty() ? "example" : example.file_name, bytes);
  return pipeline.finish();
}

std::vector<Error> find_example_faults(const RuleSet& set, const RuleDef& rule) { return Checker(set, rule).run(); }

std::vector<std::string> check_examples(const RuleSet& set, const RuleDef& rule) {
  std::vector<std::string> out;
  for (const Error& fault : find_example_faults(set, rule))
    out.push_back(fault.hint().empty() ? fault.what() : fmt::format("{} ({})", fault.what(), fault.hint()));
  return out;
}

}  // namespace forensics
