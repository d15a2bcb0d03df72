#include "read/time_parse.h"

#include "line_samples.h"

using namespace forensics;

TEST_CASE("time: ISO stamps with and without zones") {
  std::string_view text = "2026-11-30T14:03:22.123456789+01:30 rest";
  const auto stamp = take_iso_stamp(text);
  REQUIRE(stamp);
  CHECK(stamp->wall == at(2026, 11, 30, 12, 33, 22.123456));
  CHECK(stamp->kind == Stamp::Wall::utc);
  CHECK(stamp->precision == 1);
  CHECK(text == " rest");
  text = "2026/11/30 14:03:22,5x";
  const auto local = take_iso_stamp(text);
  REQUIRE(local);
  CHECK(local->kind == Stamp::Wall::local);
  CHECK(local->precision == 100'000);
  for (std::string_view bad : {"2026-13-30T14:03:22", "2026-02-30T14:03:22", "2026-11-30T24:03:22", "2026-11-30", "", "2026-11-30T14:03"})
    CHECK_FALSE(take_iso_stamp(bad));
}

TEST_CASE("time: month names of several languages, whole words only") {
  struct Name {
    std::string_view text;
    unsigned month;
  };
  for (const Name& name : {Name{"Nov 3", 11}, Name{"September", 9}, Name{"août 19", 8}, Name{"апр 28", 4}, Name{"abr 30", 4}, Name{"déc. 1", 12}, Name{"Mär 1", 3}, Name{"3月 5", 3}}) {
    std::string_view rest = name.text;
    CHECK(take_month(rest) == name.month);
  }
  for (std::string_view bad : {"Novell", "xyz", "", "13月", "No"}) CHECK_FALSE(take_month(bad));
}

TEST_CASE("time: zones") {
  struct Zone {
    std::string_view text;
    int minutes;
  };
  for (const Zone& zone : {Zone{"Z", 0}, Zone{"+01:00", 60}, Zone{"-0530", -330}, Zone{"+02", 120}}) {
    std::string_view rest = zone.text;
    CHECK(take_zone(rest) == zone.minutes);
    CHECK(rest.empty());
  }
  std::string_view none = "CET";
  CHECK_FALSE(take_zone(none));
}
