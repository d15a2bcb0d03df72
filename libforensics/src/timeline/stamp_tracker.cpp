#include <algorithm>

#include "timeline/clock.h"

namespace forensics {

namespace {

constexpr std::int64_t second = 1'000'000, day = 86'400 * second, half_year = 183 * day;
/// Serial consoles and printk from several CPUs run backwards a little; a new boot starts near zero.
constexpr std::int64_t boot_jump = 10 * second;

}  // namespace

Placed StampTracker::look(const Stamp& stamp) {
  if (stamp.kind == Stamp::Wall::no_year && stamp.wall) {
    // The year is unwrapped like a phase: whichever neighbour is nearer. One line out of order turns it there and back.
    if (previous_no_year_) {
      if (*stamp.wall < *previous_no_year_ - half_year) ++shift_;
      if (*stamp.wall > *previous_no_year_ + half_year) --shift_;
    }
    previous_no_year_ = stamp.wall;
  }
  if (stamp.monotonic) {
    const bool restarted = mono_to && *stamp.monotonic + boot_jump < *mono_to && *stamp.monotonic * 2 < *mono_to;
    if ((restarted || pending_boot_) && mono_to) {
      ++boot;
      mono_from.reset();
      mono_to.reset();
    }
    pending_boot_ = false;
    mono_from = std::min(mono_from.value_or(*stamp.monotonic), *stamp.monotonic);
    mono_to = std::max(mono_to.value_or(*stamp.monotonic), *stamp.monotonic);
  }
  const Placed placed{stamp, shift_, boot};
  if (stamp.wall) {
    if (!first_wall) first_wall = placed;
    last_wall = placed;
    if (stamp.kind == Stamp::Wall::no_year) last_no_year = placed;
  }
  return placed;
}

}  // namespace forensics
