#include "moment.h"

#include <doctest/doctest.h>

#include "forensics/error.h"

using why_died::parse_moment;

TEST_CASE("moment: forms, zones, and what is none") {
  const auto is = [](const char* text, const char* zone) { return forensics::to_string(parse_moment("--around", text, zone)); };
  CHECK(is("2026-11-30", "") == "2026-11-30T00:00:00.000Z");
  CHECK(is("2026-11-30 14:03", "") == "2026-11-30T14:03:00.000Z");
  CHECK(is("2026-11-30T14:03:22.1Z", "Europe/Berlin") == "2026-11-30T14:03:22.100Z");
  CHECK(is("2026-11-30T14:03:22+02:00", "") == "2026-11-30T12:03:22.000Z");
  CHECK(is("2026-11-30T14:03:22-0530", "") == "2026-11-30T19:33:22.000Z");
  CHECK(is("2026-11-30T14:03:22", "+01:00") == "2026-11-30T13:03:22.000Z");
  CHECK(is("2026-11-30T14:03:22", "Europe/Berlin") == "2026-11-30T13:03:22.000Z");
  CHECK(is("2026-07-30T14:03:22", "Europe/Berlin") == "2026-07-30T12:03:22.000Z");
  // An hour that the clock skipped still is a moment, and one that it had twice is the first of the two.
  CHECK(is("2026-03-29T02:30:00", "Europe/Berlin") == "2026-03-29T01:00:00.000Z");
  CHECK(is("2026-10-25T02:30:00", "Europe/Berlin") == "2026-10-25T00:30:00.000Z");
  for (const char* bad : {"", "yesterday", "2026", "2026-02-30", "2026-11-30T", "2026-11-30T25:00", "2026-11-30T14:03:99",
                          "2026-11-30T14:03 Berlin", "2026-11-30T14:03:22Zx", "2026-11-30T14:03:nan", "30.11.2026"})
    CHECK_THROWS_AS(parse_moment("--since", bad, ""), forensics::Error);
}

TEST_CASE("moment: time zones") {
  for (const char* good : {"UTC", "Z", "Europe/Berlin", "+02:00", "-0530"}) CHECK_NOTHROW(why_died::check_timezone(good));
  for (const char* bad : {"", "Mars/Base", "+99:00", "02:00", "+2"}) CHECK_THROWS_AS(why_died::check_timezone(bad), forensics::Error);
}

TEST_CASE("moment: durations") {
  CHECK(why_died::parse_duration("--window", "90s") == std::chrono::seconds(90));
  CHECK(why_died::parse_duration("--window", "5m") == std::chrono::minutes(5));
  CHECK(why_died::parse_duration("--window", "2h") == std::chrono::hours(2));
  CHECK(why_died::parse_duration("--window", "1d") == std::chrono::hours(24));
  for (const char* bad : {"", "5", "m", "5 m", "-5m", "5min", "1234567s"})
    CHECK_THROWS_AS(why_died::parse_duration("--window", bad), forensics::Error);
}
