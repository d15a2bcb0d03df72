#include <doctest/doctest.h>

#include "timeline/clock.h"

namespace {

using namespace forensics;
constexpr std::int64_t second = 1'000'000, day = 86'400 * second;

Stamp no_year(std::int64_t days, std::int64_t seconds = 0) {
  Stamp stamp;
  stamp.kind = Stamp::Wall::no_year;
  stamp.wall = 946'684'800 * second + days * day + seconds * second;   // days after 1 January 2000
  return stamp;
}

Stamp since_boot(std::int64_t seconds) {
  Stamp stamp;
  stamp.monotonic = seconds * second;
  return stamp;
}

TEST_CASE("the year turns once between December and January") {
  StampTracker tracker;
  CHECK(tracker.look(no_year(364)).year_shift == 0);
  CHECK(tracker.look(no_year(365, 86'399)).year_shift == 0);
  CHECK(tracker.look(no_year(0, 1)).year_shift == 1);
  CHECK(tracker.look(no_year(40)).year_shift == 1);
}

TEST_CASE("one line out of order never shifts the file by a year") {
  StampTracker tracker;
  tracker.look(no_year(360));
  CHECK(tracker.look(no_year(3)).year_shift == 1);     // a board that woke up in January
  CHECK(tracker.look(no_year(360, 5)).year_shift == 0);
  CHECK(tracker.look(no_year(361)).year_shift == 0);
  CHECK(tracker.look(no_year(1)).year_shift == 1);
  CHECK(tracker.look(no_year(360)).year_shift == 0);   // a late line of last year
  CHECK(tracker.look(no_year(2)).year_shift == 1);
}

TEST_CASE("a small step back, as consoles make, is not a new boot; starting again is") {
  StampTracker tracker;
  CHECK(tracker.look(since_boot(500)).boot == 0);
  CHECK(tracker.look(since_boot(495)).boot == 0);
  CHECK(tracker.look(since_boot(0)).boot == 1);
  CHECK(tracker.look(since_boot(3)).boot == 1);
  CHECK(*tracker.mono_from == 0);
  CHECK(*tracker.mono_to == 3 * second);
}

TEST_CASE("`Linux version` starts a boot even when the stamps do not tell") {
  StampTracker tracker;
  tracker.look(since_boot(2));
  tracker.new_boot();
  CHECK(tracker.look(since_boot(2)).boot == 1);
}

TEST_CASE("the first boot's own `Linux version` does not make it the second") {
  StampTracker tracker;
  tracker.new_boot();
  CHECK(tracker.look(since_boot(0)).boot == 0);
}

TEST_CASE("zones: offsets and names, with their summer time; anything else is refused") {
  CHECK(zone_offset("+05:30", 0) == 19'800 * second);
  CHECK(zone_offset("-03:00", 0) == -10'800 * second);
  CHECK(zone_offset("UTC", 0) == 0);
  CHECK(zone_offset("Europe/Berlin", 1'782'907'200 * second) == 7'200 * second);    // July 2026
  CHECK(zone_offset("Europe/Berlin", 1'796'083'200 * second) == 3'600 * second);    // December 2026
  CHECK_FALSE(zone_offset("Europe/Nowhere", 0));
  CHECK_FALSE(zone_offset("+5", 0));
}

}  // namespace
