// Matches become claims: whom each is about, and when.
#include <algorithm>

#include "judge/case.h"

namespace forensics {

namespace {

bool has_origin(const RuleDef& rule, Origin origin) {
  const auto is = [&](const Clause& clause) { return clause.origin == origin; };
  return std::any_of(rule.all.begin(), rule.all.end(), is) || std::any_of(rule.any.begin(), rule.any.end(), is);
}

/// An engine's word about a container has the time of the end that it describes.
std::optional<RealTime> time_of(const Claim& claim, const KnownContainers& containers) {
  if (!claim.state || !claim.who.container) return claim.event->time;
  const Container* state = containers[*claim.who.container].state;
  if (!state) return claim.event->time;
  // A start that failed leaves the end of the run before it, or none.
  if (state->finished_at && (!state->started_at || *state->finished_at >= *state->started_at - std::chrono::seconds(2)))
    return state->finished_at;
  if (claim.event->time) return claim.event->time;
  return state->started_at ? state->started_at : state->created_at;
}

}  // namespace

void make_claims(Case& c) {
  const auto& timeline = c.evidence.timeline;
  for (const auto& match : c.evidence.matches) {
    if (!match.rule || match.events.empty() || match.events.front() >= timeline.events.size()) continue;
    Claim claim;
    claim.match = &match;
    claim.rule = match.rule;
    claim.order = match.events.front();
    claim.event = &timeline.events[claim.order];
    claim.who = identify(match, timeline, c.containers);
    claim.state = claim.event->identifier == "container-state";
    const bool program = has_origin(*match.rule, Origin::container) || has_origin(*match.rule, Origin::any);
    claim.own_log = !claim.state && program && match.trust == Trust::claimed;
    claim.kernel_text_only =
        match.trust == Trust::claimed && (has_origin(*match.rule, Origin::kernel) || !match.rule->dump.empty());
    claim.time = time_of(claim, c.containers);
    c.claims.push_back(std::move(claim));
  }
}

std::optional<std::chrono::microseconds> elapsed(const Claim& a, const Claim& b) {
  const Event& x = *a.event;
  const Event& y = *b.event;
  const bool same_boot =
      (x.where.source == y.where.source && x.boot == y.boot) || (!x.boot_id.empty() && x.boot_id == y.boot_id);
  if (same_boot && x.monotonic && y.monotonic && !a.state && !b.state) return *y.monotonic - *x.monotonic;
  if (a.time && b.time) return *b.time - *a.time;
  return std::nullopt;
}

std::optional<std::chrono::microseconds> distance(const Claim& a, const Claim& b) {
  const auto d = elapsed(a, b);
  return d ? std::optional(std::chrono::abs(*d)) : std::nullopt;
}

bool is_kernel(Trust trust) { return trust == Trust::kernel || trust == Trust::kernel_text; }

bool is_engine(std::string_view identifier) {
  return identifier == "dockerd" || identifier == "docker" || identifier.starts_with("dockerd-") ||
         identifier == "balenad" || identifier == "balena-engine";
}

bool is_exit_cause(std::string_view cause) {
  return cause == "unknown-signal" || cause == "exit-code" || cause == "clean-exit" || cause == "unknown";
}

}  // namespace forensics
