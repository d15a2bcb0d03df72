// One source, read a second time: every record as a dated event.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "forensics/walk.h"
#include "timeline/pipeline.h"

namespace forensics {

class SourceWalk {
 public:
  static constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

  /// `account` and `replay` are what the first reading left; both must outlive it.
  SourceWalk(std::uint32_t index, const Source& account, const Replay& replay, const WalkFilter& filter);

  /// The next record that the filter lets through; false at the end.
  bool next();

  Event event;                ///< of the record at hand
  std::int64_t precision = 1; ///< µs that the last digit of its stamp stands for
  /// Where the record stands: its time, or its neighbour's before it if it has none or a smaller one; before the first
  /// call the first time of the source, so that a file is opened only when its turn has come.
  std::int64_t at = no_time;

 private:
  bool fill();
  void walk_stamps(std::uint32_t until);
  bool too_late(const Record& record) const;
  void take(const Record& record);
  bool passes() const;

  const Source& account_;
  const Replay& replay_;
  const WalkFilter& filter_;
  SourceContext context_;
  bool opened_ = false;
  std::unique_ptr<Reader> reader_;
  Batch batch_;
  std::size_t record_ = 0;
  StampTracker stamps_;
  std::vector<Placed> placed_;
};

}  // namespace forensics
