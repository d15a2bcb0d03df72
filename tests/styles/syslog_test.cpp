// The same messages as rsyslog writes them in six templates. JSON says most.
#include <algorithm>
#include <doctest/doctest.h>

#include "compare.h"

using namespace forensics;
using namespace forensics::styles;

namespace {

constexpr std::int64_t second = 1'000'000;
constexpr Style syslog_styles[] = {
    // file, format, clock, precision, severity, facility
    {"syslog-json.log", "syslog-json", Clock::utc, 1, true, true},
    {"syslog-rfc5424.log", "syslog-rfc5424", Clock::utc, 1, true, true},
    {"syslog-precise-iso.log", "syslog-iso", Clock::utc, 1},
    {"syslog-traditional.log", "syslog-rfc3164", Clock::no_year, second},
    {"syslog-pri.log", "syslog-pri", Clock::no_year, second, true, true},
};

}  // namespace

TEST_CASE("syslog: all templates of rsyslog say the same") {
  const Reading richest = read_recording("rsyslog/syslog-json.log");
  std::vector<Expected> all, kernel;
  for (const Said& said : richest.said) {
    all.push_back(expected_of(said));
    if (all.back().kernel) kernel.push_back(all.back());
  }
  CHECK(kernel.size() >= 20);
  for (const Style& style : syslog_styles) compare(style, read_recording("rsyslog/" + std::string(style.file)), all);
  compare({"kern.log", "syslog-rfc3164", Clock::no_year, second}, read_recording("rsyslog/kern.log"), kernel);
}
