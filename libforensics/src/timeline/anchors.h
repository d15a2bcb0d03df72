// What is kept of the sources: the events that something hangs on, and what hangs on them.
//
// Memory does not grow with the log: of the hits of one rule in one source that name the same victim, the first 16 and
// the last 16 are kept and the others counted.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "read/reader.h"
#include "rules/match.h"
#include "rules/matcher.h"

namespace forensics {

/// An event with its raw stamp, until the clocks are known.
struct Anchor {
  Event event;
  Stamp stamp;
  std::int32_t year_shift = 0;     ///< turns of the year since the source's first stamp
  std::uint64_t sequence = 0;      ///< of its record in the source
  std::uint32_t references = 0;    ///< 0: free
};

/// A clause that an event satisfied.
struct ClauseHit {
  Target target;
  std::uint32_t anchor = 0;
  Values captures;
  std::uint64_t repeated = 0;
  bool alive = true;
};

/// A rule that a dump satisfied.
struct DumpHit {
  std::uint32_t rule = 0;
  std::vector<std::uint32_t> anchors;
  Values values;
  bool complete = true;
  std::uint64_t repeated = 0;
  bool alive = true;
};

class Anchors {
 public:
  std::uint32_t add(Anchor anchor);
  void add_hit(const Target& target, std::uint32_t anchor, Values captures);
  void add_dump(std::uint32_t rule, std::vector<std::uint32_t> anchors, Values values, bool complete);
  /// Frees an anchor that nothing referred to in the end.
  void drop_if_unused(std::uint32_t anchor);
  /// Repetition is counted per source.
  void next_source() { repeats_.clear(), keys_.clear(); }

  std::deque<Anchor>& anchors() noexcept { return anchors_; }
  std::deque<ClauseHit>& hits() noexcept { return hits_; }
  std::deque<DumpHit>& dumps() noexcept { return dumps_; }

 private:
  struct Repeat {
    std::vector<std::uint32_t> first;
    std::deque<std::uint32_t> last;
  };

  Repeat& repeat_of(const std::string& rule, const Values& values);
  template <class Hit>
  void keep(std::deque<Hit>& all, std::vector<std::uint32_t>& free, Repeat& repeat, Hit hit);
  void release(std::uint32_t anchor);
  void drop(ClauseHit& hit);
  void drop(DumpHit& hit);

  std::deque<Anchor> anchors_;
  std::deque<ClauseHit> hits_;
  std::deque<DumpHit> dumps_;
  std::vector<std::uint32_t> free_anchors_, free_hits_, free_dumps_;
  std::unordered_map<std::string, Repeat> repeats_;
  std::unordered_map<std::string, std::uint32_t> keys_;   ///< rule -> distinct victims so far
};

}  // namespace forensics
