// A container that is started again and again dies several times. What records an end (a die event, the engine's state)
// separates the runs; each kill, request and log line goes to the end that it is nearest to. The kernel's clock may be
// a second away from the engine's.
#include <fmt/format.h>
#include <map>

#include "judge/deaths.h"

namespace forensics {

namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

/// Records an end of the main process, with its time.
bool is_end(const Claim& claim) {
  if (!claim.time) return false;
  const Event& event = *claim.event;
  return claim.state || (event.identifier == "docker-events" && event.message.starts_with("container die")) ||
         (event.identifier == "podman" && event.message.find(" container died ") != event.message.npos);
}

/// The same end told twice: by an event and by inspect, or by two rules.
constexpr microseconds same_end = 1s;

struct End {
  std::size_t claim = 0;
  RealTime time;
};

std::vector<End> find_ends(const Case& c, Groups& groups, const std::vector<Member>& members) {
  std::vector<End> all;
  for (const auto& [i, reach] : members)
    if (is_end(c.claims[i])) all.push_back({i, *c.claims[i].time});
  std::stable_sort(all.begin(), all.end(), [](const End& a, const End& b) { return a.time < b.time; });
  std::vector<End> ends;
  for (const End& end : all) {
    const bool same_record = !ends.empty() && c.claims[ends.back().claim].event == c.claims[end.claim].event;
    // Two die events are two ends, however close; an event and a state are one.
    const bool two_events = !ends.empty() && !c.claims[ends.back().claim].state && !c.claims[end.claim].state;
    if (same_record || (!ends.empty() && !two_events && end.time - ends.back().time <= same_end))
      groups.join(ends.back().claim, end.claim);
    else
      ends.push_back(end);
  }
  return ends;
}

/// dmesg -T works its dates out from the time since boot and drifts away with every suspend and clock correction. If
/// the engine noted a kill in that run, and it names the container, this is the one.
microseconds reach_of(const Case& c, const Claim& claim, microseconds usual) {
  const Container* state = claim.who.container ? c.containers[*claim.who.container].state : nullptr;
  const bool worked_out = claim.event->clock == ClockQuality::inferred && is_kernel(claim.match->trust);
  const bool noted = claim.cause() == "oom-kill" && state && state->oom_killed == true;
  return worked_out && noted ? std::max(usual, microseconds(2min)) : usual;
}

const End* nearest(const std::vector<End>& ends, RealTime time, microseconds reach) {
  const End* best = nullptr;
  for (const End& end : ends) {
    const auto apart = std::chrono::abs(end.time - time);
    if (apart <= reach && (!best || apart < std::chrono::abs(best->time - time))) best = &end;
  }
  return best;
}

bool is_kill(const Claim& claim) { return claim.cause() == "oom-kill" && is_kernel(claim.match->trust); }

/// Between kills of one moment (a whole cgroup, a parent and its child) and those of two runs.
bool separate_kills(const Case& c, const Claim& a, const Claim& b) {
  if (!is_kill(a) || !is_kill(b) || a.who.pid == b.who.pid) return false;
  const Container* state = a.who.container ? c.containers[*a.who.container].state : nullptr;
  if (!state || state->restart_count == 0) return false;
  const auto apart = distance(a, b);
  return apart && *apart > microseconds(300ms);
}

/// Without an end to hang them on: neighbours in time are one run.
void join_neighbours(const Case& c, Groups& groups, const std::vector<Member>& members) {
  for (std::size_t k = 1; k < members.size(); ++k) {
    const Claim &a = c.claims[members[k - 1].first], &b = c.claims[members[k].first];
    const auto apart = distance(a, b);
    if (separate_kills(c, a, b)) continue;
    if (!apart || *apart <= std::max(members[k - 1].second, members[k].second))
      groups.join(members[k - 1].first, members[k].first);
  }
}

}  // namespace

void join_runs(const Case& c, Groups& groups, const std::vector<Member>& members) {
  const std::vector<End> ends = find_ends(c, groups, members);
  std::vector<Member> loose;
  std::map<std::string, std::vector<Member>> untimed;  // by the clock that they have
  for (const auto& member : members) {
    const Claim& claim = c.claims[member.first];
    if (is_end(claim)) continue;
    if (!claim.time) {
      const bool monotonic = claim.event->monotonic.has_value();
      untimed[monotonic ? fmt::format("{}/{}", claim.event->where.source, claim.event->boot) : "none"].push_back(
          member);
    } else if (const End* end = nearest(ends, *claim.time, reach_of(c, claim, member.second))) {
      groups.join(end->claim, member.first);
    } else {
      loose.push_back(member);
    }
  }
  join_neighbours(c, groups, loose);
  // What no clock reaches is about the last run.
  std::optional<std::size_t> last;
  if (!ends.empty())
    last = ends.back().claim;
  else if (!loose.empty())
    last = loose.back().first;
  for (const auto& [clock, list] : untimed) {
    join_neighbours(c, groups, list);
    if (last) groups.join(*last, list.back().first);
    last = list.back().first;
  }
}

}  // namespace forensics
