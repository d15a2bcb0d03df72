// From raw stamps to one wall clock.
//
// A source's stamps are looked at one by one in file order (StampTracker): turns of the year, boots, first and last.
// When all sources are read, resolve_clocks() finds year, zone and boot offset of each and dates the anchors.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "forensics/report.h"
#include "timeline/anchors.h"

namespace forensics {

/// A stamp with what the walk through the file adds to it.
struct Placed {
  Stamp stamp;
  std::int32_t year_shift = 0;
  std::uint32_t boot = 0;
};

class StampTracker {
 public:
  Placed look(const Stamp& stamp);
  /// "Linux version": time since boot starts again here, however large the stamp.
  void new_boot() { pending_boot_ = true; }

  std::optional<Placed> first_wall, last_wall, last_no_year;
  std::optional<std::int64_t> mono_from, mono_to;   ///< of the last boot
  std::uint32_t boot = 0;

 private:
  std::optional<std::int64_t> previous_no_year_;
  std::int32_t shift_ = 0;
  bool pending_boot_ = false;
};

/// What is known about a source's clocks once the bundle is read.
struct SourceClock {
  int year_at_shift_0 = 2000;
  std::int64_t zone_us = 0;        ///< local − UTC
  std::string zone;                ///< empty: `zone_us` holds for all
  /// wall − monotonic in µs per boot, least seen: a record may be stamped late, never early.
  std::vector<std::optional<std::int64_t>> offsets;

  /// µs since the epoch; empty without a wall stamp.
  std::optional<std::int64_t> utc(const Placed& placed) const;
  std::optional<std::int64_t> offset(std::uint32_t boot) const {
    return boot < offsets.size() ? offsets[boot] : std::nullopt;
  }
  /// Sets time, clock and monotonic.
  void date(const Placed& placed, Event& event) const;
};

/// Opens a source once more, for those who read twice.
using Reopen = std::function<std::unique_ptr<Reader>(SourceContext&)>;

/// One source while the bundle is being read.
struct ReadSource {
  SourceContext context;
  StampTracker stamps;
  std::optional<RealTime> newest;                  ///< modification time of the file
  std::vector<std::uint32_t> anchors;              ///< in file order; filled by the pipeline before the clocks
  SourceClock clock;                               ///< filled by resolve_clocks()
  Reopen reopen;                                   ///< empty: it can be read once only
  /// Pairs of one record's two clocks, before year and zone are known.
  std::vector<Placed> pairs;
};

/// Sets time, clock, monotonic and boot of every anchor, and from/to of every account.
void resolve_clocks(std::vector<ReadSource>& sources, Anchors& anchors, const AnalyzeOptions& options,
                    std::vector<Diagnostic>& diagnostics);

/// Offset from UTC in µs of a zone ("+02:00" or an IANA name) at a local time; empty if the name is unknown.
std::optional<std::int64_t> zone_offset(const std::string& zone, std::int64_t local_us);

}  // namespace forensics
