// What the parts of the judge share about one bundle: claims (matches with an identity and a time) and the deaths that
// they are about.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/identity.h"
#include "judge/judge.h"

namespace forensics {

/// One match, with whom and when.
struct Claim {
  const Match* match = nullptr;
  const RuleDef* rule = nullptr;
  const Event* event = nullptr;  ///< the decisive one; never null
  Identity who;
  std::optional<RealTime> time;
  std::uint32_t order = 0;                  ///< index of the decisive event: the timeline's order
  bool state = false;                       ///< what an engine says about a container (inspect, ps, describe)
  bool own_log = false;                     ///< a container's own log, or text that nobody vouches for
  bool kernel_text_only = false;            ///< a kernel rule on text that is not known to be the kernel's
  Confidence confidence = Confidence::low;  ///< about the death that it belongs to
  bool superseded = false;                  ///< another finding about the same death explains more
  std::optional<std::size_t> death;         ///< index into Case::deaths

  const std::string& cause() const { return rule->cause; }
};

/// The findings about one death or loss, and what is known of it from all of them.
struct DeathCase {
  std::vector<std::size_t> claims;  ///< in the timeline's order
  std::optional<std::size_t> container;
  std::string unit, disk;
  std::optional<std::int64_t> pid;
  std::optional<RealTime> time;
  ClockQuality clock = ClockQuality::none;
  std::uint32_t order = 0;  ///< of its last claim
  std::optional<int> exit_code;
  std::optional<bool> oom_killed;
  bool loss = false;  ///< only a device, mount or data was lost
  bool whole_host = false;
  std::optional<std::size_t> verdict;  ///< the claim that explains it, before chains
};

struct Case {
  const Evidenced& evidence;
  const RuleSet& rules;
  const AnalyzeOptions& options;
  KnownContainers containers;
  std::vector<Claim> claims;
  std::vector<DeathCase> deaths;  ///< in the timeline's order

  Case(const Evidenced& e, const RuleSet& r, const AnalyzeOptions& o)
      : evidence(e), rules(r), options(o), containers(e.timeline) {}
};

// The steps, in this order.
void make_claims(Case& c);    ///< claims.cpp
void group_deaths(Case& c);   ///< deaths.cpp
void rate_claims(Case& c);    ///< confidence.cpp
void choose_causes(Case& c);  ///< supersede.cpp: Claim::superseded, DeathCase::verdict

// Questions that several steps ask.

/// Microseconds between two claims; empty if no clock reaches both.
std::optional<std::chrono::microseconds> distance(const Claim& a, const Claim& b);
/// b - a, signed; empty if no clock reaches both.
std::optional<std::chrono::microseconds> elapsed(const Claim& a, const Claim& b);

/// `child`: not the main process's own end, but what it may have made of a child's.
enum class Fit { no, child, unknown, yes };
/// Does a cause go with this exit code?
Fit exit_fits(const Claim& claim, std::optional<int> exit_code);
/// What an exit status alone says: unknown-signal, exit-code, clean-exit.
bool is_exit_cause(std::string_view cause);
bool is_kernel(Trust trust);
/// dockerd and its relatives, by the name that they log with.
bool is_engine(std::string_view identifier);

/// Indices into Case::claims, root first, `end` last (chain.cpp). Only `end` if nothing leads to it.
std::vector<std::size_t> chain_to(const Case& c, std::size_t end);
/// The chain of a death: the claim that explains it is the first, the proximate end the last. Empty: no claim.
std::vector<std::size_t> chain_of(const Case& c, const DeathCase& death);
/// As sure as the weakest link.
Confidence chain_confidence(const Case& c, const std::vector<std::size_t>& chain);

}  // namespace forensics
