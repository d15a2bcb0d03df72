#include "timeline/window.h"

#include <algorithm>
#include <span>

namespace forensics {

namespace {

class Combiner {
 public:
  Combiner(const Matcher& matcher, const Timeline& timeline, const std::vector<EventHit>& hits)
      : matcher_(matcher), timeline_(timeline), hits_(hits) {}

  std::vector<Match> run() {
    for (std::uint32_t r = 0; r < matcher_.rules().size(); ++r) {
      const RuleDef& rule = matcher_.rules()[r];
      if (!rule.dump.empty()) continue;
      const bool from_all = !rule.all.empty();
      const std::size_t anchors = from_all ? 1 : rule.any.size();
      for (std::uint32_t c = 0; c < anchors; ++c)
        for (const EventHit& hit : of({r, c, from_all ? ClauseKind::all : ClauseKind::any, false})) try_match(r, rule, hit);
    }
    return std::move(matches_);
  }

 private:
  std::span<const EventHit> of(const Target& target) const {
    const auto range = std::equal_range(hits_.begin(), hits_.end(), EventHit{target, 0, nullptr, 0},
                                                [](const EventHit& a, const EventHit& b) { return a.target < b.target; });
    return {range.first, range.second};
  }

  const Event& event(std::uint32_t index) const { return timeline_.events[index]; }

  /// The nearest partner of `anchor` for one clause; nullptr if there is none.
  const EventHit* partner(const Target& target, const EventHit& anchor, const RuleDef& rule, const Values& values) const {
    const EventHit* best = nullptr;
    const auto distance = [&](const EventHit& h) { return h.event > anchor.event ? h.event - anchor.event : anchor.event - h.event; };
    for (const EventHit& hit : of(target)) {
      Values joined = values;
      if (!within(event(hit.event), event(anchor.event), rule.within) || !join(joined, *hit.captures)) continue;
      if (best == nullptr || distance(hit) < distance(*best)) best = &hit;
    }
    return best;
  }

  void try_match(std::uint32_t r, const RuleDef& rule, const EventHit& anchor) {
    Match match{&rule, *anchor.captures, {anchor.event}, event(anchor.event).trust, true, anchor.repeated};
    const auto take = [&](const EventHit& hit) {
      join(match.values, *hit.captures);
      if (std::find(match.events.begin(), match.events.end(), hit.event) == match.events.end()) match.events.push_back(hit.event);
      match.trust = std::min(match.trust, event(hit.event).trust);
    };
    for (std::uint32_t c = 1; c < rule.all.size(); ++c) {
      const EventHit* hit = partner({r, c, ClauseKind::all, false}, anchor, rule, match.values);
      if (hit == nullptr) return;
      take(*hit);
    }
    if (!rule.all.empty() && !rule.any.empty()) {
      bool found = false;
      for (std::uint32_t c = 0; c < rule.any.size(); ++c)
        if (const EventHit* hit = partner({r, c, ClauseKind::any, false}, anchor, rule, match.values)) take(*hit), found = true;
      if (!found) return;
    }
    for (std::uint32_t c = 0; c < rule.none.size(); ++c)
      if (partner({r, c, ClauseKind::none, false}, anchor, rule, match.values) != nullptr) return;
    for (const auto& [name, fact] : rule.facts) match.values.insert_or_assign(name, fact);
    if (rule.all.empty() && already(rule, match)) return;
    matches_.push_back(std::move(match));
  }

  /// Two `any` clauses that one event satisfies are one match.
  bool already(const RuleDef& rule, const Match& match) const {
    return std::any_of(matches_.rbegin(), matches_.rend(), [&](const Match& m) { return m.rule == &rule && m.events == match.events; });
  }

  const Matcher& matcher_;
  const Timeline& timeline_;
  const std::vector<EventHit>& hits_;
  std::vector<Match> matches_;
};

}  // namespace

bool within(const Event& a, const Event& b, std::chrono::microseconds window) {
  const bool same_source = a.where.source == b.where.source;
  if (same_source && a.boot != b.boot) return false;
  if (a.monotonic && b.monotonic && same_source) return std::chrono::abs(*a.monotonic - *b.monotonic) <= window;
  if (a.time && b.time) return std::chrono::abs(*a.time - *b.time) <= window;
  return same_source;
}

std::vector<Match> combine(const Matcher& matcher, const Timeline& timeline, const std::vector<EventHit>& hits) {
  return Combiner(matcher, timeline, hits).run();
}

}  // namespace forensics
