// Which findings are about the same death.
//
// Two findings belong together if they quote the same record, or name the same container, unit, process, disk or mount
// a few seconds apart (or no clock tells). Then what names nobody is joined with what it must be about (strays.cpp).
#include "judge/deaths.h"

#include <fmt/format.h>
#include <map>

namespace forensics {

namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

/// The words under which a claim may meet others, with how far apart they may be.
struct Key {
  std::string word;
  microseconds reach;
};

std::vector<Key> keys_of(const Claim& claim) {
  std::vector<Key> keys;
  const CauseDef* cause = find_cause(claim.cause());
  const bool loss = cause && !cause->death;
  const microseconds near = is_request(claim) ? microseconds(30s) : microseconds(5s);
  for (const auto e : claim.match->events) keys.push_back({fmt::format("e:{}", e), microseconds::max()});
  if (claim.who.container) keys.push_back({fmt::format("c:{}", *claim.who.container), near});
  // A state that names nobody: what one source says of one end is one end.
  if (claim.state && !claim.who.container) keys.push_back({fmt::format("s:{}", claim.event->where.source), near});
  if (!claim.who.unit.empty()) keys.push_back({"u:" + claim.who.unit, near});
  if (claim.who.pid && *claim.who.pid > 1 && !claim.own_log)
    keys.push_back({fmt::format("p:{}", *claim.who.pid), near});
  // What was lost stays lost: later complaints about it are about the same loss.
  if (loss && !claim.who.disk.empty()) keys.push_back({"d:" + claim.who.disk, 30min});
  if (loss && !claim.who.mount.empty()) keys.push_back({"m:" + claim.who.mount, 30min});
  // A stall or a broken chip reports itself again and again, each time through another process; hung tasks every 120 s.
  const bool stall = claim.cause() == "task-hung" || (claim.cause() == "io-timeout" && claim.who.disk.empty());
  const bool machine =
      cause && (cause->whole_host || claim.cause() == "cpu-lockup" || claim.cause() == "hardware-error" ||
                claim.cause() == "gpu-error" || claim.cause() == "kernel-oops");
  if (machine || stall || claim.who.empty())
    keys.push_back({fmt::format("x:{}:{}", claim.cause(), claim.event->where.source),
                    stall ? microseconds(130s) : microseconds(60s)});
  return keys;
}

std::string clock_of(const Claim& claim) {
  if (claim.time) return "wall";
  return claim.event->monotonic ? fmt::format("{}/{}", claim.event->where.source, claim.event->boot) : "none";
}

/// Claims of one key: those that one clock reaches are compared; the last of each clock's are about the same (last)
/// end.
void join_bucket(const Case& c, Groups& groups, const std::vector<Member>& members) {
  std::map<std::string, Member> last_of_clock;
  for (const auto& member : members) {
    const Claim& claim = c.claims[member.first];
    const std::string clock = clock_of(claim);
    if (const auto found = last_of_clock.find(clock); found != last_of_clock.end()) {
      const auto apart = distance(c.claims[found->second.first], claim);
      if (!apart || *apart <= std::max(found->second.second, member.second))
        groups.join(found->second.first, member.first);
    }
    last_of_clock[clock] = member;
  }
  for (const auto& [clock, member] : last_of_clock) groups.join(last_of_clock.begin()->second.first, member.first);
}

void join_by_name(const Case& c, Groups& groups) {
  std::map<std::string, std::vector<Member>> buckets;
  for (std::size_t i = 0; i < c.claims.size(); ++i) {
    if (c.claims[i].rule->role != Role::verdict) continue;
    for (auto& key : keys_of(c.claims[i])) buckets[key.word].emplace_back(i, key.reach);
  }
  for (auto& [word, members] : buckets) {
    if (members.size() < 2) continue;
    std::stable_sort(members.begin(), members.end(),
                     [&](const auto& a, const auto& b) { return c.claims[a.first].order < c.claims[b.first].order; });
    if (word.starts_with("c:"))
      join_runs(c, groups, members);
    else
      join_bucket(c, groups, members);
  }
}

}  // namespace

bool is_request(const Claim& claim) {
  return claim.cause() == "stopped" || claim.cause() == "healthcheck-kill" || claim.cause() == "host-shutdown";
}

void group_deaths(Case& c) {
  for (auto& claim : c.claims)
    if (claim.state && claim.time && claim.event->time != claim.time)
      claim.order = position(c.evidence.timeline, *claim.time);
  Groups groups(c.claims.size());
  join_by_name(c, groups);
  join_strays(c, groups);
  c.deaths = collect_deaths(c, groups);
  add_silent_ends(c);
  std::stable_sort(c.deaths.begin(), c.deaths.end(),
                   [](const DeathCase& a, const DeathCase& b) { return a.order < b.order; });
  for (std::size_t d = 0; d < c.deaths.size(); ++d)
    for (const auto i : c.deaths[d].claims) c.claims[i].death = d;
}

}  // namespace forensics
