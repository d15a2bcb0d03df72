// Rules against single records: which literals to look for, and which clauses a parsed event satisfies.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dumps/dump.h"
#include "rules/rule.h"

namespace forensics {

enum class ClauseKind : std::uint8_t { all, any, none };

/// What a literal stands for: a clause of a rule, or the opening of a dump.
struct Target {
  std::uint32_t rule = 0;          ///< index into the rule set; with `dump`: index into dump_kinds()
  std::uint32_t clause = 0;
  ClauseKind kind = ClauseKind::all;
  bool dump = false;
  auto operator<=>(const Target&) const = default;
};

/// Immutable after construction except for the run-away accounts; one per pipeline.
class Matcher {
 public:
  explicit Matcher(const RuleSet& rules);

  /// Distinct, sorted.
  const std::vector<std::string>& literals() const noexcept { return literals_; }
  const std::vector<Target>& targets(std::uint32_t literal) const { return targets_[literal]; }
  const std::vector<RuleDef>& rules() const noexcept { return rules_.rules(); }
  const Clause& clause(const Target& target) const;

  /// Does this event satisfy the clause? Captures are added to `captures`.
  bool match(const Target& target, const Event& event, Values& captures);
  /// The rules that look at dumps of this kind, as indices.
  const std::vector<std::uint32_t>& dump_rules(std::string_view kind) const;
  /// Does the rule accept this dump? `quoted` receives the lines that its clauses matched.
  bool match_dump(std::uint32_t rule, const Dump& dump, const std::vector<DumpLine>& lines, Values& values,
                  std::vector<std::uint32_t>& quoted);

  /// Rules that were switched off since the last call (64 run-away matches in one source), with the pattern's place.
  std::vector<std::string> take_run_aways();
  /// Forgets the run-away accounts: each source starts afresh.
  void next_source();

 private:
  bool search(const Target& target, std::string_view message, bool kernel, Values& captures);

  RuleSet rules_;
  std::vector<std::string> literals_;
  std::vector<std::vector<Target>> targets_;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> dump_rules_;
  std::map<std::uint32_t, int> run_aways_;       ///< rule -> how often in this source
  std::vector<std::string> off_;
};

bool origin_fits(const Clause& clause, const Event& event);
/// Adds `from` to `into`; false (and `into` unchanged) if a shared name has another value.
bool join(Values& into, const Values& from);
/// The part of the values that says who: of several matches with the same, only some are kept.
std::string identity(const Values& values);

}  // namespace forensics
