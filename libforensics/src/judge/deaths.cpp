// Which findings are about the same death.
//
// Two findings belong together if they quote the same record, or name the same container, unit, process, disk or mount
// a few seconds apart (or no clock tells). Then an end that only says how (exit status 139) is joined with a kernel line
// that only says what (a segfault of some process) if the two fit, are close, and nothing else fits either of them.
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "judge/case.h"

namespace forensics {

namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[std::max(root(a), root(b))] = std::min(root(a), root(b)); }

 private:
  std::vector<std::size_t> parent_;
};

bool is_request(const Claim& claim) {
  return claim.cause() == "stopped" || claim.cause() == "healthcheck-kill" || claim.cause() == "host-shutdown";
}

bool is_death_cause(const std::string& cause) {
  const CauseDef* def = find_cause(cause);
  return def && def->death;
}

/// The words under which a claim may meet others, with how far apart they may be.
struct Key {
  std::string word;
  microseconds reach;
};

std::vector<Key> keys_of(const Claim& claim) {
  std::vector<Key> keys;
  const CauseDef* cause = find_cause(claim.cause());
  const bool loss = cause && !cause->death;
  // A request to stop may take its grace period until it works.
  const microseconds near = is_request(claim) ? microseconds(30s) : microseconds(5s);
  for (const auto e : claim.match->events) keys.push_back({fmt::format("e:{}", e), microseconds::max()});
  if (claim.who.container) keys.push_back({fmt::format("c:{}", *claim.who.container), near});
  if (!claim.who.unit.empty()) keys.push_back({"u:" + claim.who.unit, near});
  if (claim.who.pid && *claim.who.pid > 1 && !claim.own_log) keys.push_back({fmt::format("p:{}", *claim.who.pid), near});
  if (loss && !claim.who.disk.empty()) keys.push_back({"d:" + claim.who.disk, 60s});
  if (loss && !claim.who.mount.empty()) keys.push_back({"m:" + claim.who.mount, 60s});
  // A stall or a broken chip reports itself again and again, each time through another process.
  const bool machine = cause && (cause->whole_host || claim.cause() == "cpu-lockup" || claim.cause() == "hardware-error" ||
                                 claim.cause() == "gpu-error" || claim.cause() == "kernel-oops");
  if (machine || claim.who.empty()) keys.push_back({fmt::format("x:{}:{}", claim.cause(), claim.event->where.source), 60s});
  return keys;
}

/// Claims of one key: those that one clock reaches are compared; the last of each clock's are about the same (last) run.
void join_bucket(const Case& c, Groups& groups, std::vector<std::pair<std::size_t, microseconds>> members) {
  std::stable_sort(members.begin(), members.end(), [&](const auto& a, const auto& b) {
    return c.claims[a.first].order < c.claims[b.first].order;
  });
  std::map<std::string, std::pair<std::size_t, microseconds>> last_of_clock;
  for (const auto& member : members) {
    const Claim& claim = c.claims[member.first];
    std::string clock = "none";
    if (claim.time) clock = "wall";
    else if (claim.event->monotonic) clock = fmt::format("{}/{}", claim.event->where.source, claim.event->boot);
    const auto found = last_of_clock.find(clock);
    if (found != last_of_clock.end()) {
      const auto apart = distance(c.claims[found->second.first], claim);
      if (!apart || *apart <= std::max(found->second.second, member.second)) groups.join(found->second.first, member.first);
    }
    last_of_clock[clock] = member;
  }
  for (const auto& [clock, member] : last_of_clock) groups.join(last_of_clock.begin()->second.first, member.first);
}

void join_by_name(const Case& c, Groups& groups) {
  std::map<std::string, std::vector<std::pair<std::size_t, microseconds>>> buckets;
  for (std::size_t i = 0; i < c.claims.size(); ++i) {
    if (c.claims[i].rule->role != Role::verdict) continue;
    for (auto& key : keys_of(c.claims[i])) buckets[key.word].emplace_back(i, key.reach);
  }
  for (auto& [word, members] : buckets)
    if (members.size() > 1) join_bucket(c, groups, std::move(members));
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

DeathCase describe(const Case& c, std::vector<std::size_t> members) {
  DeathCase death;
  death.loss = true;
  bool recorded = false;
  for (const auto i : members) {
    const Claim& claim = c.claims[i];
    if (!death.container || c.containers[*death.container].id.empty())
      if (claim.who.container) death.container = claim.who.container;
    if (death.unit.empty()) death.unit = claim.who.unit;
    if (death.disk.empty()) death.disk = claim.who.disk;
    if (!death.pid) death.pid = claim.who.pid;
    if (is_death_cause(claim.cause())) death.loss = false;
    const CauseDef* cause = find_cause(claim.cause());
    death.whole_host = death.whole_host || (cause && cause->whole_host);
    death.order = std::max(death.order, claim.order);
    note_exit(c, death, claim);
    note_time(c, death, claim, recorded);
  }
  death.claims = std::move(members);
  return death;
}

std::vector<DeathCase> collect(const Case& c, Groups& groups) {
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < c.claims.size(); ++i)
    if (c.claims[i].rule->role == Role::verdict) members[groups.root(i)].push_back(i);
  std::vector<DeathCase> deaths;
  for (auto& [root, list] : members) deaths.push_back(describe(c, std::move(list)));
  return deaths;
}

bool close(const DeathCase& end, const DeathCase& other, microseconds before, microseconds after) {
  if (!end.time || !other.time) return true;
  return *other.time >= *end.time - before && *other.time <= *end.time + after;
}

/// A process died, and the kernel's words do not say where it lived.
bool is_stray_process(const Case& c, const DeathCase& death) {
  if (death.container || !death.unit.empty() || death.loss || death.whole_host) return false;
  return std::all_of(death.claims.begin(), death.claims.end(), [&](std::size_t i) {
    const Claim& claim = c.claims[i];
    return is_kernel(claim.match->trust) && (claim.who.pid || !claim.who.comm.empty()) && (claim.who.cgroup.empty() || claim.who.cgroup == "/");
  });
}

bool is_stray_log(const Case& c, const DeathCase& death) {
  return !death.container && !death.whole_host &&
         std::all_of(death.claims.begin(), death.claims.end(), [&](std::size_t i) { return c.claims[i].own_log; });
}

bool fits_end(const Case& c, const DeathCase& end, const DeathCase& stray) {
  for (const auto i : stray.claims) {
    if (exit_fits(c.claims[i], end.exit_code) == Fit::yes) return true;
    for (const auto k : end.claims)
      if (!is_exit_cause(c.claims[k].cause()) && c.claims[k].cause() == c.claims[i].cause()) return true;
  }
  return false;
}

void join_strays(const Case& c, Groups& groups, const std::vector<DeathCase>& deaths) {
  std::map<std::size_t, std::vector<std::size_t>> ends_of_stray, strays_of_end;
  for (std::size_t s = 0; s < deaths.size(); ++s) {
    if (!is_stray_process(c, deaths[s])) continue;
    for (std::size_t e = 0; e < deaths.size(); ++e) {
      const bool end = (deaths[e].container && deaths[e].exit_code) || !deaths[e].unit.empty();
      if (!end || e == s || !close(deaths[e], deaths[s], 5s, 5s) || !fits_end(c, deaths[e], deaths[s])) continue;
      ends_of_stray[s].push_back(e);
      strays_of_end[e].push_back(s);
    }
  }
  for (const auto& [stray, ends] : ends_of_stray)
    if (ends.size() == 1 && strays_of_end[ends[0]].size() == 1) groups.join(deaths[stray].claims[0], deaths[ends[0]].claims[0]);
}

/// A log without a name belongs to the only container there is.
void join_logs(const Case& c, Groups& groups, const std::vector<DeathCase>& deaths) {
  std::vector<std::size_t> ends;
  for (std::size_t e = 0; e < deaths.size(); ++e)
    if (deaths[e].container) ends.push_back(e);
  if (c.containers.all().size() != 1 || ends.empty()) return;
  for (const auto& log : deaths) {
    if (!is_stray_log(c, log)) continue;
    // Without a clock it is the last run's; the log of earlier runs ends before.
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
      const bool possible = std::any_of(log.claims.begin(), log.claims.end(), [&](std::size_t i) {
        return exit_fits(c.claims[i], deaths[*end].exit_code) != Fit::no;
      });
      if (!possible || !close(deaths[*end], log, 30s, 5s)) continue;
      groups.join(log.claims[0], deaths[*end].claims[0]);
      break;
    }
  }
}

/// Where a moment stands in the timeline.
std::uint32_t position(const Timeline& timeline, RealTime time) {
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i)
    if (timeline.events[i].time && *timeline.events[i].time <= time) at = i;
  return at;
}

/// Ends that an engine knows of and no rule speaks about.
void add_silent_ends(Case& c) {
  for (std::size_t i = 0; i < c.containers.all().size(); ++i) {
    const Container* state = c.containers[i].state;
    if (!state || state->running || !state->exit_code) continue;
    if (state->status != "exited" && state->status != "dead" && !state->finished_at) continue;
    const bool told = std::any_of(c.deaths.begin(), c.deaths.end(), [&](const DeathCase& d) { return d.container == i; });
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

}  // namespace

void group_deaths(Case& c) {
  for (auto& claim : c.claims)
    if (claim.state && claim.time && claim.event->time != claim.time) claim.order = position(c.evidence.timeline, *claim.time);
  Groups groups(c.claims.size());
  join_by_name(c, groups);
  join_strays(c, groups, collect(c, groups));
  join_logs(c, groups, collect(c, groups));
  c.deaths = collect(c, groups);
  add_silent_ends(c);
  std::stable_sort(c.deaths.begin(), c.deaths.end(), [](const DeathCase& a, const DeathCase& b) { return a.order < b.order; });
  for (std::size_t d = 0; d < c.deaths.size(); ++d)
    for (const auto i : c.deaths[d].claims) c.claims[i].death = d;
}

}  // namespace forensics
