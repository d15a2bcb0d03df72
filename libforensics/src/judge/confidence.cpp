// How sure a finding is about its death.
//
//   high    trusted, names the subject, and the exit status fits or is not known; or takes the whole host down
//   medium  trusted, and tied to the subject by time, device or name; or an incomplete dump
//   low     compatible only
#include <algorithm>
#include <array>

#include "judge/report_parts.h"

namespace forensics {

namespace {

struct Signalled {
  std::string_view cause;
  std::array<int, 2> codes;
};

// abort() of process 1 of a namespace does not die of its own SIGABRT: it goes on into a fault.
constexpr std::array<Signalled, 5> signalled = {{{"segfault", {139, 139}},
                                                 {"abort", {134, 139}},
                                                 {"illegal-instruction", {132, 132}},
                                                 {"bus-error", {135, 135}},
                                                 {"seccomp-kill", {159, 159}}}};

/// A shell or a supervisor ends with an error of its own when its child was killed.
Fit otherwise(int code) { return code > 0 && code < 125 ? Fit::child : Fit::no; }

Fit fatal_fit(const Claim& claim, int code) {
  const int signal = signal_number(text_of(claim.match->values, "signal"));
  if (signal > 0) return code == 128 + signal ? Fit::yes : otherwise(code);
  return code > 128 ? Fit::yes : otherwise(code);
}

Fit oom_fit(const Claim& claim, int code) {
  if (code == 137) return Fit::yes;
  const std::string killer = text_of(claim.match->values, "killer");
  // earlyoom and nohang ask politely first.
  const bool polite = killer == "earlyoom" || killer == "nohang";
  return polite && code == 143 ? Fit::yes : otherwise(code);
}

bool is_storage(std::string_view cause) {
  constexpr std::array words = {"io-timeout",       "io-error",  "mmc-error",     "device-lost",
                                "filesystem-error", "task-hung", "kernel-oops",   "cpu-lockup",
                                "hardware-error",   "gpu-error", "under-voltage", "thermal-throttle"};
  return std::find(words.begin(), words.end(), cause) != words.end();
}

/// Weak: set by any kill inside the cgroup, cleared at every start.
bool is_oom_flag(const Claim& claim) { return claim.state && claim.cause() == "oom-kill"; }

/// Does the line itself say that this is the one who died?
bool names(const Claim& claim, const DeathCase& death) {
  if (death.container) return claim.who.container == death.container;
  if (!death.unit.empty()) return claim.who.unit == death.unit;
  return !claim.who.empty();
}

Confidence trusted_confidence(const Claim& claim, const DeathCase& death) {
  const CauseDef* cause = find_cause(claim.cause());
  if (cause && cause->whole_host) return Confidence::high;
  const Fit fit = exit_fits(claim, death.exit_code);
  if (is_oom_flag(claim)) return fit == Fit::yes ? Confidence::medium : Confidence::low;
  if (!names(claim, death)) return Confidence::medium;
  // Killed for memory, says the kernel; not in this run, says the engine. Which is wrong, or of which run is the line?
  const bool contradicted = claim.cause() == "oom-kill" && death.oom_killed == false;
  if (contradicted && (claim.match->trust == Trust::kernel_text || !claim.time)) return Confidence::medium;
  return fit == Fit::no || fit == Fit::child ? Confidence::medium : Confidence::high;
}

Confidence claimed_confidence(const Claim& claim, const DeathCase& death) {
  if (!claim.own_log || claim.kernel_text_only) return Confidence::low;
  // A container's own log about its own end; a lone log is read as that.
  return exit_fits(claim, death.exit_code) == Fit::no ? Confidence::low : Confidence::medium;
}

/// "By itself" and "nobody knows by whom" say that there is nothing else: only as sure as the kernel's log is there.
bool rests_on_absence(std::string_view cause) { return cause == "unknown-signal" || cause == "exit-code"; }

void rate(const Case& c, Claim& claim, const DeathCase& death) {
  Confidence sure =
      claim.match->trust == Trust::claimed ? claimed_confidence(claim, death) : trusted_confidence(claim, death);
  if (!claim.match->complete) sure = std::min(sure, Confidence::medium);
  // A report without its kill line names no victim.
  const auto killed = claim.match->values.find("killed");
  if (killed != claim.match->values.end() && killed->second == Fact(false)) sure = std::min(sure, Confidence::medium);
  if (rests_on_absence(claim.cause()) && !(death.time && kernel_covers(c, *death.time)))
    sure = std::min(sure, Confidence::medium);
  claim.confidence = std::min(sure, claim.rule->confidence);
}

}  // namespace

Fit exit_fits(const Claim& claim, std::optional<int> exit_code) {
  if (!exit_code) return Fit::unknown;
  const int code = *exit_code;
  const std::string_view cause = claim.cause();
  if (cause == "oom-kill") return oom_fit(claim, code);
  if (cause == "fatal-signal") return fatal_fit(claim, code);
  if (cause == "unknown-signal") return code > 128 ? Fit::yes : Fit::no;
  if (cause == "clean-exit") return code == 0 ? Fit::yes : Fit::no;
  if (cause == "stopped" || cause == "healthcheck-kill" || cause == "host-shutdown") return Fit::yes;
  for (const auto& s : signalled)
    if (s.cause == cause) return code == s.codes[0] || code == s.codes[1] ? Fit::yes : otherwise(code);
  if (is_storage(cause)) return Fit::unknown;
  const CauseDef* def = find_cause(cause);
  if (def && def->whole_host) return Fit::unknown;
  return code != 0 ? Fit::yes : Fit::no;
}

void rate_claims(Case& c) {
  static const DeathCase nobody;
  for (auto& claim : c.claims) rate(c, claim, claim.death ? c.deaths[*claim.death] : nobody);
}

}  // namespace forensics
