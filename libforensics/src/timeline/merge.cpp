#include "timeline/merge.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "timeline/window.h"

namespace forensics {

namespace {

constexpr std::int64_t second = 1'000'000;
constexpr std::uint32_t none = ~std::uint32_t{0};

class Merger {
 public:
  Merger(std::vector<ReadSource>& sources, Anchors& anchors, const Matcher& matcher)
      : sources_(sources), anchors_(anchors.anchors()), store_(anchors), matcher_(matcher), primary_(anchors_.size(), none) {}

  Evidenced run(std::vector<Diagnostic> diagnostics) {
    find_witnesses();
    order();
    collect_matches();
    for (ReadSource& s : sources_) {
      out_.timeline.sources.push_back(std::move(s.context.account));
      std::move(s.context.containers.begin(), s.context.containers.end(), std::back_inserter(out_.timeline.containers));
      std::move(s.context.diagnostics.begin(), s.context.diagnostics.end(), std::back_inserter(out_.timeline.diagnostics));
    }
    std::move(diagnostics.begin(), diagnostics.end(), std::back_inserter(out_.timeline.diagnostics));
    return std::move(out_);
  }

 private:
  /// The same moment, as far as the two clocks can tell.
  static bool same_moment(const Anchor& a, const Anchor& b) {
    if (a.stamp.monotonic && b.stamp.monotonic)
      return std::abs(*a.stamp.monotonic - *b.stamp.monotonic) <= std::max<std::int64_t>({a.stamp.precision, b.stamp.precision, 1000});
    if (a.event.time && b.event.time)
      return std::abs((*a.event.time - *b.event.time).count()) <= std::max<std::int64_t>({a.stamp.precision, b.stamp.precision, second}) + second;
    // One of them has no clock. Kernel records of one bundle are still the same ring buffer's.
    return a.event.trust >= Trust::kernel_text && b.event.trust >= Trust::kernel_text;
  }

  void find_witnesses() {
    std::unordered_map<std::string, std::vector<std::vector<std::uint32_t>>> groups;   // text -> per source, in order
    for (std::size_t s = 0; s < sources_.size(); ++s)
      for (std::uint32_t a : sources_[s].anchors) {
        const Event& event = anchors_[a].event;
        if (event.trust == Trust::claimed) continue;
        auto& group = groups[event.identifier + '\0' + event.container_id + '\0' + event.message];
        if (group.empty() || anchors_[group.back().front()].event.where.source != event.where.source) group.emplace_back();
        group.back().push_back(a);
      }
    for (auto& [text, group] : groups) {
      if (group.size() < 2) continue;
      std::stable_sort(group.begin(), group.end(), [&](const auto& a, const auto& b) {
        return anchors_[a.front()].event.trust > anchors_[b.front()].event.trust;
      });
      for (std::size_t other = 1; other < group.size(); ++other)
        for (std::size_t base = 0; base < other; ++base) pair_up(group[base], group[other]);
    }
  }

  void pair_up(const std::vector<std::uint32_t>& base, const std::vector<std::uint32_t>& other) {
    std::size_t b = 0;
    for (std::uint32_t o : other) {
      if (primary_[o] != none) continue;
      for (std::size_t i = b; i < base.size(); ++i) {
        if (primary_[base[i]] != none || !same_moment(anchors_[base[i]], anchors_[o])) continue;
        primary_[o] = base[i];
        duplicates_[base[i]].push_back(o);
        b = i + 1;
        break;
      }
    }
  }

  void order() {
    struct Entry { std::int64_t at; std::size_t source; std::uint32_t anchor; };
    std::vector<Entry> entries;
    constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      std::int64_t at = no_time;   // a record without a time, or with an earlier one, stays behind its neighbour
      for (std::uint32_t a : sources_[s].anchors) {
        const Event& event = anchors_[a].event;
        if (event.time) at = std::max(at, static_cast<std::int64_t>(event.time->time_since_epoch().count()));
        else if (event.monotonic && !sources_[s].stamps.last_wall) at = std::max(at, static_cast<std::int64_t>(event.monotonic->count()));
        if (primary_[a] == none) entries.push_back({at, s, a});
      }
    }
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.at < b.at; });
    index_.assign(anchors_.size(), none);
    for (const Entry& e : entries) {
      const auto i = static_cast<std::uint32_t>(out_.timeline.events.size());
      index_[e.anchor] = i;
      if (const auto it = duplicates_.find(e.anchor); it != duplicates_.end())
        for (std::uint32_t d : it->second)
          out_.witnesses[i].push_back({sources_[anchors_[d].event.where.source].context.account.name, anchors_[d].event.where.line});
      out_.timeline.events.push_back(std::move(anchors_[e.anchor].event));
    }
  }

  std::uint32_t event_of(std::uint32_t anchor) const { return index_[primary_[anchor] == none ? anchor : primary_[anchor]]; }

  void collect_matches() {
    std::vector<EventHit> hits;
    for (const ClauseHit& hit : store_.hits())
      if (hit.alive) hits.push_back({hit.target, event_of(hit.anchor), &hit.captures, hit.repeated});
    std::stable_sort(hits.begin(), hits.end(), [](const EventHit& a, const EventHit& b) {
      return std::pair(a.target, a.event) < std::pair(b.target, b.event);
    });
    hits.erase(std::unique(hits.begin(), hits.end(), [](const EventHit& a, const EventHit& b) {
                 return a.target == b.target && a.event == b.event;
               }), hits.end());
    out_.matches = combine(matcher_, out_.timeline, hits);
    add_dumps();
    std::stable_sort(out_.matches.begin(), out_.matches.end(), [](const Match& a, const Match& b) {
      return std::pair(a.events.front(), a.rule->id) < std::pair(b.events.front(), b.rule->id);
    });
  }

  /// A dump that another source holds too is one dump; the complete one is kept.
  void add_dumps() {
    std::vector<Match> dumps;
    for (const DumpHit& hit : store_.dumps()) {
      if (!hit.alive) continue;
      Match match{&matcher_.rules()[hit.rule], hit.values, {}, Trust::kernel, hit.complete, hit.repeated};
      for (const auto& [name, fact] : match.rule->facts) match.values.insert_or_assign(name, fact);
      for (std::uint32_t a : hit.anchors) {
        const std::uint32_t e = event_of(a);
        if (std::find(match.events.begin(), match.events.end(), e) == match.events.end()) match.events.push_back(e);
        match.trust = std::min(match.trust, out_.timeline.events[e].trust);
      }
      const auto same = std::find_if(dumps.begin(), dumps.end(), [&](const Match& m) {
        return m.rule == match.rule && std::any_of(m.events.begin(), m.events.end(), [&](std::uint32_t e) {
                 return std::find(match.events.begin(), match.events.end(), e) != match.events.end();
               });
      });
      if (same == dumps.end()) dumps.push_back(std::move(match));
      else if (match.complete && !same->complete) *same = std::move(match);
    }
    std::move(dumps.begin(), dumps.end(), std::back_inserter(out_.matches));
  }

  std::vector<ReadSource>& sources_;
  std::deque<Anchor>& anchors_;
  Anchors& store_;
  const Matcher& matcher_;
  std::vector<std::uint32_t> primary_;   // a duplicate's primary, which is never a duplicate itself
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> duplicates_;
  std::vector<std::uint32_t> index_;     // anchor -> event
  Evidenced out_;
};

}  // namespace

Evidenced merge(std::vector<ReadSource>& sources, Anchors& anchors, const Matcher& matcher, std::vector<Diagnostic> diagnostics) {
  return Merger(sources, anchors, matcher).run(std::move(diagnostics));
}

}  // namespace forensics
