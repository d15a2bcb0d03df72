#include "timeline/clock.h"

#include <date/tz.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace forensics {

namespace {

constexpr std::int64_t second = 1'000'000, minute = 60 * second, day = 86'400 * second;
/// A record read more than this after its printk stamp was stamped by a reader that came late.
constexpr std::int64_t late_reader = 2 * second;

RealTime real(std::int64_t us) { return RealTime(std::chrono::microseconds(us)); }

/// The date of a stamp that was read as if in the leap year 2000, in another year.
std::int64_t in_year(std::int64_t us_in_2000, int year) {
  using namespace std::chrono;
  const RealTime t = real(us_in_2000);
  const auto midnight = floor<days>(t);
  const year_month_day in_2000{midnight};
  year_month_day ymd = std::chrono::year{year} / in_2000.month() / in_2000.day();
  if (!ymd.ok()) ymd = std::chrono::year{year} / March / 1;   // 29 February of a year that has none
  return duration_cast<microseconds>((sys_days{ymd} + (t - midnight)).time_since_epoch()).count();
}

int year_of(std::int64_t us) {
  return static_cast<int>(std::chrono::year_month_day{std::chrono::floor<std::chrono::days>(real(us))}.year());
}

/// The latest moment that some source dates without help; the modification times otherwise.
std::optional<std::int64_t> reference(const std::vector<ReadSource>& sources, const AnalyzeOptions& options) {
  std::optional<std::int64_t> dated, newest;
  const auto later = [](std::optional<std::int64_t>& best, std::int64_t us) { best = std::max(best.value_or(us), us); };
  for (const ReadSource& s : sources) {
    if (s.stamps.last_wall && s.stamps.last_wall->stamp.kind != Stamp::Wall::no_year) later(dated, *s.stamps.last_wall->stamp.wall);
    for (const Container& c : s.context.containers)
      for (const auto& t : {c.created_at, c.started_at, c.finished_at})
        if (t) later(dated, t->time_since_epoch().count());
    if (s.newest) later(newest, s.newest->time_since_epoch().count());
  }
  if (dated) return dated;
  if (options.now) return options.now->time_since_epoch().count();
  return newest;
}

int infer_year(const ReadSource& source, std::optional<std::int64_t> ref, bool dated, const AnalyzeOptions& options) {
  if (options.year) return *options.year;
  const std::int64_t last = *source.stamps.last_no_year->stamp.wall;
  if (!dated && source.newest) ref = source.newest->time_since_epoch().count();
  if (!ref) return 1970;
  int best = year_of(*ref);
  // A log ends before the moment it was saved; another source of the bundle may end a little earlier.
  const std::int64_t slack = dated ? 31 * day : day;
  while (in_year(last, best) > *ref + slack) --best;
  return best;
}

using Key = std::pair<std::size_t, std::uint32_t>;   // source, boot

bool kernel(const Anchor& a) { return a.event.trust == Trust::kernel || a.event.trust == Trust::kernel_text; }

class Resolver {
 public:
  Resolver(std::vector<ReadSource>& sources, Anchors& anchors, const AnalyzeOptions& options, std::vector<Diagnostic>& diagnostics)
      : sources_(sources), anchors_(anchors), options_(options), diagnostics_(diagnostics) {}

  void run() {
    years();
    zones();
    own_offsets();
    foreign_offsets();
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      for (std::uint32_t a : sources_[s].anchors) {
        Anchor& anchor = anchors_.anchors()[a];
        sources_[s].clock.date({anchor.stamp, anchor.year_shift, anchor.event.boot}, anchor.event);
      }
      cover(s);
    }
  }

 private:
  void years() {
    const auto ref = reference(sources_, options_);
    const bool dated = std::any_of(sources_.begin(), sources_.end(), [](const ReadSource& s) {
      return (s.stamps.last_wall && s.stamps.last_wall->stamp.kind != Stamp::Wall::no_year) || !s.context.containers.empty();
    });
    for (std::size_t s = 0; s < sources_.size(); ++s)
      if (sources_[s].stamps.last_no_year)
        sources_[s].clock.year_at_shift_0 = infer_year(sources_[s], ref, dated, options_) - sources_[s].stamps.last_no_year->year_shift;
  }

  /// Local stamps: the zone asked for, else the difference to the same record in a source that prints its zone.
  void zones() {
    if (!options_.timezone.empty()) {
      if (!zone_offset(options_.timezone, 0))
        diagnostics_.push_back({"", 0, "unknown-timezone", "no time zone is called " + options_.timezone + "; local stamps are read as UTC", 1});
      for (ReadSource& s : sources_) s.clock.zone = options_.timezone;
      return;
    }
    std::unordered_map<std::string_view, std::int64_t> utc;   // message -> time, of messages seen once
    std::map<std::string_view, int> seen;
    for (std::size_t s = 0; s < sources_.size(); ++s)
      for (std::uint32_t a : sources_[s].anchors) {
        const Anchor& anchor = anchors_.anchors()[a];
        if (anchor.stamp.kind != Stamp::Wall::utc || !anchor.stamp.wall || anchor.event.message.size() < 24) continue;
        if (++seen[anchor.event.message] == 1) utc[anchor.event.message] = *anchor.stamp.wall;
      }
    for (std::size_t s = 0; s < sources_.size(); ++s)
      for (std::uint32_t a : sources_[s].anchors) {
        const Anchor& anchor = anchors_.anchors()[a];
        if (anchor.stamp.kind == Stamp::Wall::utc || !anchor.stamp.wall) continue;
        const auto it = utc.find(anchor.event.message);
        if (it == utc.end() || seen[anchor.event.message] != 1) continue;
        const auto local = sources_[s].clock.utc({anchor.stamp, anchor.year_shift, anchor.event.boot});
        const std::int64_t difference = *local - it->second;
        const std::int64_t quarter = 15 * minute;
        const std::int64_t rounded = (difference + (difference >= 0 ? quarter / 2 : -quarter / 2)) / quarter * quarter;
        if (std::abs(difference - rounded) > minute || std::abs(rounded) > 14 * 60 * minute) continue;
        sources_[s].clock.zone_us = rounded;
        break;
      }
  }

  void pair(std::size_t s, std::uint32_t boot, std::int64_t offset) {
    auto& offsets = sources_[s].clock.offsets;
    if (offsets.size() <= boot) offsets.resize(boot + 1);
    offsets[boot] = std::min(offsets[boot].value_or(offset), offset);
  }

  void own_offsets() {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      for (const Placed& p : sources_[s].pairs) {
        const Stamp& stamp = p.stamp;
        if (stamp.monotonic && stamp.wall) pair(s, p.boot, *sources_[s].clock.utc(p) + stamp.delay - *stamp.monotonic);
      }
      for (std::uint32_t a : sources_[s].anchors) {
        const Anchor& anchor = anchors_.anchors()[a];
        if (anchor.stamp.monotonic && anchor.stamp.wall)
          pair(s, anchor.event.boot,
               *sources_[s].clock.utc({anchor.stamp, anchor.year_shift, anchor.event.boot}) + anchor.stamp.delay - *anchor.stamp.monotonic);
      }
    }
  }

  std::optional<std::int64_t> offset(std::size_t s, std::uint32_t boot) const { return sources_[s].clock.offset(boot); }

  /// A source with boot times only borrows the offset of a source that holds the same kernel records; failing that, of
  /// the last boot of the only host in the bundle.
  void foreign_offsets() {
    struct Seen { std::size_t source; std::uint32_t anchor; };
    std::unordered_multimap<std::string_view, Seen> walls;
    std::optional<std::int64_t> last_boot;
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      for (std::uint32_t a : sources_[s].anchors) {
        const Anchor& anchor = anchors_.anchors()[a];
        if (kernel(anchor) && anchor.stamp.wall && anchor.event.message.size() >= 16) walls.emplace(anchor.event.message, Seen{s, a});
      }
      if (!sources_[s].clock.offsets.empty())
        if (const auto last = sources_[s].clock.offsets.back()) last_boot = std::max(last_boot.value_or(*last), *last);
    }
    std::vector<Key> orphans;
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      std::map<std::uint32_t, std::vector<std::int64_t>> found;
      for (std::uint32_t a : sources_[s].anchors) {
        const Anchor& anchor = anchors_.anchors()[a];
        if (!kernel(anchor) || !anchor.stamp.monotonic || anchor.stamp.wall) continue;
        const auto [begin, end] = walls.equal_range(anchor.event.message);
        for (auto it = begin; it != end && found[anchor.event.boot].size() < 256; ++it) {
          const Anchor& other = anchors_.anchors()[it->second.anchor];
          if (other.stamp.monotonic) {
            if (std::abs(*other.stamp.monotonic - *anchor.stamp.monotonic) > 1000) continue;
            if (const auto o = offset(it->second.source, other.event.boot)) found[anchor.event.boot].push_back(*o);
          } else if (std::distance(begin, end) == 1) {
            found[anchor.event.boot].push_back(*sources_[it->second.source].clock.utc({other.stamp, other.year_shift, other.event.boot}) - *anchor.stamp.monotonic);
          }
        }
      }
      for (auto& [boot, offsets] : found)
        if (!offsets.empty()) pair(s, boot, *std::min_element(offsets.begin(), offsets.end()));
      const bool boot_times_only = sources_[s].stamps.mono_to && !sources_[s].stamps.last_wall;
      if (boot_times_only && !offset(s, sources_[s].stamps.boot)) orphans.push_back({s, sources_[s].stamps.boot});
    }
    if (last_boot)
      for (const auto& [s, boot] : orphans) pair(s, boot, *last_boot);
  }

  void cover(std::size_t s) {
    Source& account = sources_[s].context.account;
    const StampTracker& stamps = sources_[s].stamps;
    if (stamps.mono_from) account.mono_from = MonotonicTime(*stamps.mono_from), account.mono_to = MonotonicTime(*stamps.mono_to);
    const auto wall = [&](const std::optional<Placed>& p) { return p ? sources_[s].clock.utc(*p) : std::nullopt; };
    if (const auto t = wall(stamps.first_wall)) account.from = real(*t);
    if (const auto t = wall(stamps.last_wall)) account.to = real(*t);
    if (account.from || !stamps.mono_from) return;
    if (const auto o = offset(s, stamps.boot)) account.from = real(*o + *stamps.mono_from), account.to = real(*o + *stamps.mono_to);
  }

  std::vector<ReadSource>& sources_;
  Anchors& anchors_;
  const AnalyzeOptions& options_;
  std::vector<Diagnostic>& diagnostics_;
};

}  // namespace

std::optional<std::int64_t> SourceClock::utc(const Placed& p) const {
  if (!p.stamp.wall) return {};
  std::int64_t us = *p.stamp.wall;
  if (p.stamp.kind == Stamp::Wall::utc) return us;
  if (p.stamp.kind == Stamp::Wall::no_year) us = in_year(us, year_at_shift_0 + p.year_shift);
  return us - (zone.empty() ? zone_us : zone_offset(zone, us).value_or(0));
}

void SourceClock::date(const Placed& placed, Event& event) const {
  const Stamp& stamp = placed.stamp;
  if (stamp.monotonic) event.monotonic = MonotonicTime(*stamp.monotonic);
  const auto wall = utc(placed);
  const auto at_boot = stamp.monotonic ? offset(placed.boot) : std::nullopt;
  const auto printed = at_boot ? std::optional(*at_boot + *stamp.monotonic) : std::nullopt;
  if (wall && !(printed && *wall - *printed > late_reader)) {
    event.time = real(*wall);
    event.clock = stamp.kind == Stamp::Wall::utc && !stamp.inferred ? ClockQuality::exact : ClockQuality::inferred;
  } else if (printed) {
    event.time = real(*printed);
    event.clock = ClockQuality::inferred;
  }
}

std::optional<std::int64_t> zone_offset(const std::string& zone, std::int64_t local_us) {
  int hours = 0, minutes = 0;
  if (zone == "UTC" || zone == "Z") return 0;
  if (zone.size() == 6 && (zone[0] == '+' || zone[0] == '-') && zone[3] == ':' &&
      std::from_chars(zone.data() + 1, zone.data() + 3, hours).ptr == zone.data() + 3 &&
      std::from_chars(zone.data() + 4, zone.data() + 6, minutes).ptr == zone.data() + 6 && hours < 15 && minutes < 60)
    return (zone[0] == '-' ? -1 : 1) * (hours * 60 + minutes) * minute;
  try {
    const auto* tz = date::locate_zone(zone);
    const date::local_time<std::chrono::microseconds> local{std::chrono::microseconds(local_us)};
    return std::chrono::microseconds(tz->get_info(local).first.offset).count();
  } catch (const std::exception&) {   // date has no other way to say "no such zone"
    return {};
  }
}

void resolve_clocks(std::vector<ReadSource>& sources, Anchors& anchors, const AnalyzeOptions& options,
                    std::vector<Diagnostic>& diagnostics) {
  Resolver(sources, anchors, options, diagnostics).run();
}

}  // namespace forensics
