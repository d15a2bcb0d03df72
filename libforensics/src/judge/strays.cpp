// What names nobody, and what it must be about: a log line without a container's name when there is only one container;
// a kernel line about a process of unknown home and an end that fits it, if nothing else fits either of them; a crash
// as the kernel and as a core dump's catcher (in the container's pid namespace) tell it; an OOM report cut from its
// kill line.
#include <map>

#include "judge/deaths.h"

namespace forensics {

namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

bool close(const DeathCase& end, const DeathCase& other, microseconds before, microseconds after) {
  if (!end.time || !other.time) return true;
  return *other.time >= *end.time - before && *other.time <= *end.time + after;
}

template <typename Test>
bool all_claims(const Case& c, const DeathCase& death, Test test) {
  return std::all_of(death.claims.begin(), death.claims.end(), [&](std::size_t i) { return test(c.claims[i]); });
}

/// A process died, and the kernel's words do not say where it lived.
bool is_stray_process(const Case& c, const DeathCase& death) {
  if (death.container || !death.unit.empty() || death.loss || death.whole_host) return false;
  const bool kernel = std::any_of(death.claims.begin(), death.claims.end(),
                                  [&](std::size_t i) { return is_kernel(c.claims[i].match->trust); });
  return kernel && all_claims(c, death, [](const Claim& claim) {
           const bool homeless = claim.who.cgroup.empty() || claim.who.cgroup == "/";
           const bool copy = claim.kernel_text_only;  // of the kernel's line, in a source without trust
           return (is_kernel(claim.match->trust) || copy) && (claim.who.pid || !claim.who.comm.empty()) && homeless;
         });
}

bool is_stray_log(const Case& c, const DeathCase& death) {
  return !death.container && !death.whole_host &&
         all_claims(c, death, [](const Claim& claim) { return claim.own_log; });
}

bool fits_end(const Case& c, const DeathCase& end, const DeathCase& stray) {
  for (const auto i : stray.claims) {
    if (exit_fits(c.claims[i], end.exit_code) == Fit::yes) return true;
    for (const auto k : end.claims)
      if (!is_exit_cause(c.claims[k].cause()) && c.claims[k].cause() == c.claims[i].cause()) return true;
  }
  return false;
}

/// Pairs that fit each other and nobody else.
template <typename Stray, typename Fits>
void join_unique(const Case& c, Groups& groups, Stray is_stray, Fits fits) {
  const std::vector<DeathCase> deaths = collect_deaths(c, groups);
  std::map<std::size_t, std::vector<std::size_t>> ends_of_stray, strays_of_end;
  for (std::size_t s = 0; s < deaths.size(); ++s) {
    if (!is_stray(deaths[s])) continue;
    for (std::size_t e = 0; e < deaths.size(); ++e) {
      if (e == s || !fits(deaths[e], deaths[s])) continue;
      ends_of_stray[s].push_back(e);
      strays_of_end[e].push_back(s);
    }
  }
  for (const auto& [stray, ends] : ends_of_stray)
    if (ends.size() == 1 && strays_of_end[ends[0]].size() == 1)
      groups.join(deaths[stray].claims[0], deaths[ends[0]].claims[0]);
}

void join_processes(const Case& c, Groups& groups) {
  join_unique(
      c, groups, [&](const DeathCase& death) { return is_stray_process(c, death); },
      [&](const DeathCase& end, const DeathCase& stray) {
        const bool is_end = (end.container && end.exit_code) || !end.unit.empty();
        return is_end && close(end, stray, 5s, 5s) && fits_end(c, end, stray);
      });
}

/// How far before the end a log line may stand. A child's death that the main process passes on is followed at once.
bool log_fits(const Case& c, const DeathCase& end, const DeathCase& log) {
  return std::any_of(log.claims.begin(), log.claims.end(), [&](std::size_t i) {
    const Fit fit = exit_fits(c.claims[i], end.exit_code);
    return fit != Fit::no && close(end, log, fit == Fit::child ? microseconds(5s) : microseconds(30s), 5s);
  });
}

/// The container that the bundle is about: the only one, or the only one whose state was handed over.
std::optional<std::size_t> only_container(const Case& c) {
  const auto& all = c.containers.all();
  if (all.size() == 1) return 0;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].state) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

/// A log without a name belongs to the only container there is; without a clock to its last run.
void join_logs(const Case& c, Groups& groups) {
  const auto only = only_container(c);
  if (!only) return;
  const std::vector<DeathCase> deaths = collect_deaths(c, groups);
  std::vector<std::size_t> ends;
  for (std::size_t e = 0; e < deaths.size(); ++e)
    if (deaths[e].container && deaths[e].container == only) ends.push_back(e);
  std::stable_sort(ends.begin(), ends.end(),
                   [&](std::size_t a, std::size_t b) { return deaths[a].order < deaths[b].order; });
  for (const auto& log : deaths) {
    if (!is_stray_log(c, log)) continue;
    const auto end =
        std::find_if(ends.rbegin(), ends.rend(), [&](std::size_t e) { return log_fits(c, deaths[e], log); });
    if (end != ends.rend()) groups.join(log.claims[0], deaths[*end].claims[0]);
  }
}

bool same_crash(const Case& c, const DeathCase& a, const DeathCase& b) {
  const Claim &x = c.claims[a.claims[0]], &y = c.claims[b.claims[0]];
  const auto apart = distance(x, y);
  return !x.who.comm.empty() && x.who.comm == y.who.comm && x.cause() == y.cause() && apart &&
         *apart <= microseconds(2s);
}

/// The catcher of core dumps runs inside the namespace and knows another pid.
void join_core_dumps(const Case& c, Groups& groups) {
  join_unique(
      c, groups, [&](const DeathCase& death) { return is_stray_process(c, death); },
      [&](const DeathCase& other, const DeathCase& stray) {
        const bool caught = all_claims(c, other, [](const Claim& claim) {
          return !is_kernel(claim.match->trust) && !claim.own_log && !claim.state;
        });
        return caught && same_crash(c, other, stray);
      });
}

bool has_no_victim(const Claim& claim) {
  const auto killed = claim.match->values.find("killed");
  return claim.cause() == "oom-kill" &&
         ((killed != claim.match->values.end() && killed->second == Fact(false)) || claim.who.empty());
}

/// An end that its own record does not explain.
bool is_bare_end(const Case& c, const DeathCase& death) {
  return (death.container || !death.unit.empty()) && all_claims(c, death, [](const Claim& claim) {
           return claim.cause() == "unknown" || claim.cause() == "unknown-signal";
         });
}

/// The report of a kill whose kill line stands apart: the next kill of that source. A memory killer that names nobody
/// meant what ended right after it spoke.
void join_reports(const Case& c, Groups& groups) {
  join_unique(
      c, groups,
      [&](const DeathCase& death) {
        return all_claims(c, death, [](const Claim& claim) { return has_no_victim(claim); });
      },
      [&](const DeathCase& kill, const DeathCase& report) {
        const Claim &k = c.claims[kill.claims[0]], &r = c.claims[report.claims[0]];
        if (k.event->where.source != r.event->where.source) return false;
        const auto gap = elapsed(r, k);
        if (!is_kernel(r.match->trust) && is_bare_end(c, kill)) return gap && *gap >= 0us && *gap <= microseconds(5s);
        if (k.cause() != "oom-kill" || has_no_victim(k)) return false;
        return gap ? *gap >= 0us && *gap <= microseconds(2s) : r.order < k.order;
      });
}

/// A log whose newest line comes first has the report behind the kill: the pid that was chosen ties them.
void join_chosen(const Case& c, Groups& groups) {
  for (std::size_t r = 0; r < c.claims.size(); ++r) {
    const auto chosen = number_of(c.claims[r].match->values, "selected_pid");
    if (!chosen || !has_no_victim(c.claims[r]) || c.claims[r].rule->role != Role::verdict) continue;
    for (std::size_t k = 0; k < c.claims.size(); ++k) {
      const Claim& kill = c.claims[k];
      if (kill.cause() != "oom-kill" || kill.who.pid != chosen || kill.rule->role != Role::verdict) continue;
      if (const auto apart = distance(c.claims[r], kill); apart && *apart <= microseconds(2s)) groups.join(r, k);
    }
  }
}

}  // namespace

void join_strays(const Case& c, Groups& groups) {
  join_logs(c, groups);
  join_chosen(c, groups);
  join_reports(c, groups);
  join_core_dumps(c, groups);
  join_processes(c, groups);
}

}  // namespace forensics
