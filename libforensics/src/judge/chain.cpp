// What led to it: backwards from the proximate end along the links of rules/chains.toml, to the earliest finding that
// is sure enough.
#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "judge/case.h"

namespace forensics {

namespace {

constexpr std::size_t most_steps = 256;

using namespace std::chrono_literals;
using std::chrono::microseconds;

bool same_host(const Claim& a, const Claim& b) {
  if (!a.who.host.empty() && !b.who.host.empty() && a.who.host != b.who.host) return false;
  if (a.event->where.source == b.event->where.source) return a.state || b.state || a.event->boot == b.event->boot;
  return a.event->boot_id.empty() || b.event->boot_id.empty() || a.event->boot_id == b.event->boot_id;
}

bool same_cgroup(const Claim& a, const Claim& b) {
  if (a.who.container && a.who.container == b.who.container) return true;
  const std::string &x = a.who.cgroup, &y = b.who.cgroup;
  return x.size() > 1 && y.size() > 1 && (x.starts_with(y) || y.starts_with(x));
}

/// The engine's own end takes its containers along.
bool is_of_engine(const Claim& engine, const Claim& end) {
  return !engine.who.container && is_engine(engine.event->identifier) && end.who.container && same_host(engine, end);
}

bool shares(const Claim& a, const Claim& b, std::string_view what) {
  if (what == "device") return !a.who.disk.empty() && a.who.disk == b.who.disk && same_host(a, b);
  if (what == "mount") return !a.who.mount.empty() && a.who.mount == b.who.mount && same_host(a, b);
  if (what == "container") return a.who.container && a.who.container == b.who.container;
  if (what == "cgroup") return same_cgroup(a, b);
  if (what == "engine") return is_of_engine(a, b);
  return same_host(a, b);
}

/// Clocks of different sources agree to about a second; order decides only inside one source.
bool in_time(const Claim& from, const Claim& to, microseconds within) {
  if (const auto gap = elapsed(from, to)) {
    const bool one_source = from.event->where.source == to.event->where.source && !to.state;
    return *gap >= (one_source ? microseconds(0) : microseconds(-2s)) && *gap <= within;
  }
  return from.event->where.source == to.event->where.source && from.order <= to.order;
}

bool is_circumstance(const Claim& claim) {
  return claim.cause() == "under-voltage" || claim.cause() == "thermal-throttle";
}

/// A complaint is never a cause by itself; heat and a weak supply may be the root of real losses, and a card that had
/// to be asked again is why everything waited for it.
bool may_lead(const Claim& from, const Claim& to) {
  if (from.superseded || from.confidence < Confidence::medium) return false;
  if (from.rule->role == Role::verdict) return true;
  if (from.rule->role != Role::contributing || to.rule->role != Role::verdict) return false;
  const CauseDef* cause = find_cause(to.cause());
  const bool loss = cause && !cause->death;
  if (from.cause() == "mmc-error") return loss;
  // A plug that is pulled, and the errors of what hung on it: they come at once.
  if (from.cause() == "device-lost") {
    const auto gap = elapsed(from, to);
    return loss && gap && *gap <= 5s;
  }
  return is_circumstance(from) && cause && (loss || is_exit_cause(to.cause()) || cause->whole_host);
}

/// Causes that may lead to a cause, by the table.
std::vector<const ChainLink*> links_to(const Case& c, std::string_view cause) {
  std::vector<const ChainLink*> links;
  for (const auto& link : c.rules.impl().chains)
    if (link.to == cause) links.push_back(&link);
  return links;
}

/// A limit of its own that one program ran into is no shortage of the machine's.
bool is_own_limit(const Claim& claim) {
  const std::string scope = text_of(claim.match->values, "scope");
  return claim.cause() == "oom-kill" && (scope == "cgroup" || scope == "container");
}

bool linked(const std::vector<const ChainLink*>& links, const Claim& from, const Claim& to) {
  return std::any_of(links.begin(), links.end(), [&](const ChainLink* link) {
    if (link->shared == "host" && is_own_limit(from)) return false;
    return link->from == from.cause() && in_time(from, to, link->within) && shares(from, to, link->shared);
  });
}

bool earlier(const Claim& a, const Claim& b) {
  if (const auto gap = elapsed(a, b); gap && *gap != 0us) return *gap > 0us;
  return a.order < b.order;
}

}  // namespace

std::vector<std::size_t> chain_to(const Case& c, std::size_t end) {
  std::map<std::size_t, std::size_t> next;  // claim -> the one that it leads to
  std::deque<std::size_t> open{end};
  next.emplace(end, end);
  std::size_t root = end, looked_at = 0;
  // Repetitions of one complaint make many equal paths; a few hundred of them show the earliest.
  while (!open.empty() && looked_at++ < most_steps) {
    const std::size_t to = open.front();
    open.pop_front();
    const auto links = links_to(c, c.claims[to].cause());
    if (links.empty()) continue;
    for (std::size_t from = 0; from < c.claims.size(); ++from) {
      if (next.contains(from) || !may_lead(c.claims[from], c.claims[to]) ||
          !linked(links, c.claims[from], c.claims[to]))
        continue;
      next.emplace(from, to);
      if (earlier(c.claims[from], c.claims[root])) root = from;
      // A circumstance has no cause that a log could show.
      if (!is_circumstance(c.claims[from])) open.push_back(from);
    }
  }
  std::vector<std::size_t> chain{root};
  while (chain.back() != end) chain.push_back(next.at(chain.back()));
  return chain;
}

std::vector<std::size_t> chain_of(const Case& c, const DeathCase& death) {
  if (!death.verdict) return {};
  std::vector<std::size_t> best = chain_to(c, *death.verdict);
  std::set<std::string_view> tried{c.claims[*death.verdict].rule->id};
  // Of several losses on one disk the longest story is told.
  for (const auto i : death.claims) {
    if (best.size() > 1 && !death.loss) break;
    // One of each rule is enough: the others are repetitions.
    if (c.claims[i].superseded || !tried.insert(c.claims[i].rule->id).second) continue;
    auto chain = chain_to(c, i);
    if (chain.size() > best.size()) best = std::move(chain);
  }
  return best;
}

Confidence chain_confidence(const Case& c, const std::vector<std::size_t>& chain) {
  Confidence sure = c.claims[chain.front()].confidence;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    sure = std::min(sure, c.claims[chain[i]].confidence);
    if (i == 0) continue;
    // Tied by time on one host only: two things that happened, one after the other.
    const Claim &from = c.claims[chain[i - 1]], &to = c.claims[chain[i]];
    const bool tied = shares(from, to, "device") || shares(from, to, "mount") || shares(from, to, "cgroup");
    const CauseDef* cause = find_cause(from.cause());
    if (!tied && !(cause && cause->whole_host)) sure = std::min(sure, Confidence::medium);
  }
  return sure;
}

}  // namespace forensics
