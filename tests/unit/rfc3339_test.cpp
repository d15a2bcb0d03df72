#include <doctest/doctest.h>

#include "read/rfc3339.h"

using namespace forensics;

TEST_CASE("rfc3339: zones, fractions, what Go prints") {
  CHECK(parse_rfc3339("2026-11-30T22:45:14.31236398Z")->wall == 1796078714312363);
  CHECK(parse_rfc3339("2026-11-30T22:45:14.31236398Z")->precision == 1);
  CHECK(parse_rfc3339("2026-11-30T22:45:14Z")->precision == 1'000'000);
  CHECK(parse_rfc3339("2021-02-17T09:36:00.042318605-05:00")->wall == 1613572560042318);
  CHECK(parse_rfc3339("2023-01-02 03:04:05.123456789 +0100 CET")->wall == 1672625045123456);
  CHECK(parse_rfc3339("2023-01-02 03:04:05 +0000 UTC")->kind == Stamp::Wall::utc);
  CHECK(parse_rfc3339("2023-01-02T03:04:05")->kind == Stamp::Wall::local);
  CHECK_FALSE(parse_rfc3339("2023-01-02T03:04:05Z and more"));
  CHECK_FALSE(parse_rfc3339("2023-13-02T03:04:05Z"));
  CHECK_FALSE(parse_rfc3339(""));
}

TEST_CASE("rfc3339: never") {
  CHECK_FALSE(moment(parse_rfc3339("0001-01-01T00:00:00Z")));
  CHECK_FALSE(moment(parse_rfc3339("1970-01-01T01:00:00+01:00")));
  CHECK_FALSE(moment(parse_rfc3339("2023-01-02T03:04:05")));   // no zone: not known which moment
  CHECK(moment(parse_rfc3339("2023-01-02T03:04:05Z")));
}

TEST_CASE("rfc1123") {
  CHECK(parse_rfc1123("Thu, 14 Mar 2024 05:13:41 +0100")->wall == 1710389621000000);
  CHECK(parse_rfc1123("Thu, 14 Mar 2024 04:13:41 GMT")->wall == 1710389621000000);
  CHECK(parse_rfc1123("Thu, 14 Mar 2024 03:04:02")->kind == Stamp::Wall::local);
  CHECK_FALSE(parse_rfc1123("Mon, 31 Feb 2023 04:13:41 GMT"));
  CHECK_FALSE(parse_rfc1123("<unset>"));
}
