// What is known of a death from all findings about it.
#include <map>

#include "judge/deaths.h"

namespace forensics {

namespace {

bool is_death_cause(const std::string& cause) {
  const CauseDef* def = find_cause(cause);
  return def && def->death;
}

void note_exit(const Case& c, DeathCase& death, const Claim& claim) {
  if (!death.exit_code && (claim.state || is_exit_cause(claim.cause()) || claim.event->identifier == "docker-events"))
    if (const auto code = number_of(claim.match->values, "exit_code"); code && *code >= 0 && *code < 256)
      death.exit_code = static_cast<int>(*code);
  if (!claim.state || !claim.who.container) return;
  const Container* state = c.containers[*claim.who.container].state;
  if (!state || state->running) return;
  if (!death.exit_code) death.exit_code = state->exit_code;
  death.oom_killed = state->oom_killed;
}

/// When it ended: what the engine recorded, else the last trusted line.
void note_time(const Case& c, DeathCase& death, const Claim& claim, bool& recorded) {
  if (!claim.time) return;
  const bool state = claim.state && claim.who.container && c.containers[*claim.who.container].state &&
                     c.containers[*claim.who.container].state->finished_at == claim.time;
  if (recorded && !state) return;
  if (!state && death.time && (*death.time >= *claim.time || is_request(claim))) return;
  death.time = claim.time;
  death.clock = state ? ClockQuality::exact : claim.event->clock;
  recorded = recorded || state;
}

/// A service's own words carry its pid: `name[pid]: ...` of name.service.
void find_unit_pid(const Case& c, DeathCase& death) {
  if (death.unit.empty() || death.pid || death.container || !death.unit.ends_with(".service")) return;
  const std::string_view stem = std::string_view(death.unit).substr(0, death.unit.size() - 8);
  for (std::uint32_t i = 0; i <= death.order && i < c.evidence.timeline.events.size(); ++i) {
    const Event& event = c.evidence.timeline.events[i];
    if (event.identifier == stem && event.pid && !is_kernel(event.trust)) death.pid = event.pid;
  }
}

DeathCase describe(const Case& c, std::vector<std::size_t> members) {
  DeathCase death;
  death.loss = true;
  bool recorded = false;
  for (const auto i : members) {
    const Claim& claim = c.claims[i];
    if (claim.who.container && (!death.container || c.containers[*death.container].id.empty()))
      death.container = claim.who.container;
    if (death.unit.empty()) death.unit = claim.who.unit;
    if (death.disk.empty()) death.disk = claim.who.disk;
    if (!death.pid || (is_kernel(claim.match->trust) && claim.who.pid)) death.pid = claim.who.pid;
    if (is_death_cause(claim.cause())) death.loss = false;
    const CauseDef* cause = find_cause(claim.cause());
    death.whole_host = death.whole_host || (cause && cause->whole_host);
    death.order = std::max(death.order, claim.order);
    note_exit(c, death, claim);
    note_time(c, death, claim, recorded);
  }
  death.claims = std::move(members);
  find_unit_pid(c, death);
  return death;
}

}  // namespace

std::vector<DeathCase> collect_deaths(const Case& c, Groups& groups) {
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < c.claims.size(); ++i)
    if (c.claims[i].rule->role == Role::verdict) members[groups.root(i)].push_back(i);
  std::vector<DeathCase> deaths;
  for (auto& [root, list] : members) deaths.push_back(describe(c, std::move(list)));
  return deaths;
}

std::uint32_t position(const Timeline& timeline, RealTime time) {
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i)
    if (timeline.events[i].time && *timeline.events[i].time <= time) at = i;
  return at;
}

void add_silent_ends(Case& c) {
  for (std::size_t i = 0; i < c.containers.all().size(); ++i) {
    const Container* state = c.containers[i].state;
    if (!state || state->running || !state->exit_code) continue;
    if (state->status != "exited" && state->status != "dead" && !state->finished_at) continue;
    const bool told =
        std::any_of(c.deaths.begin(), c.deaths.end(), [&](const DeathCase& d) { return d.container == i; });
    if (told) continue;
    DeathCase death;
    death.container = i;
    death.time = state->finished_at;
    death.clock = death.time ? ClockQuality::exact : ClockQuality::none;
    death.exit_code = state->exit_code;
    death.oom_killed = state->oom_killed;
    death.order = death.time ? position(c.evidence.timeline, *death.time) : 0;
    c.deaths.push_back(std::move(death));
  }
}

}  // namespace forensics
