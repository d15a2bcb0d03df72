#include "forensics/walk.h"

#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace forensics {
namespace {

/// A folder of files that is gone when the test ends.
class Bundle {
 public:
  Bundle() {
    std::string name = (std::filesystem::temp_directory_path() / "walk-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  Bundle(const Bundle&) = delete;
  Bundle& operator=(const Bundle&) = delete;
  ~Bundle() { std::filesystem::remove_all(folder_); }

  Bundle& file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return *this;
  }

  std::vector<TimelineRecord> records(const WalkFilter& filter = {}, std::size_t most = 1000) const {
    std::vector<TimelineRecord> all;
    walk({folder_}, RuleSet::builtin(), filter, {}, [&](const TimelineRecord& record) {
      all.push_back(record);
      return all.size() < most;
    });
    return all;
  }

 private:
  std::filesystem::path folder_;
};

std::vector<std::string> places(const std::vector<TimelineRecord>& records) {
  std::vector<std::string> out;
  for (const auto& r : records) out.push_back(r.source + ":" + std::to_string(r.event.where.line));
  return out;
}

RealTime at(int hour, int minute, int second) {
  return std::chrono::sys_days{std::chrono::year{2026} / 3 / 9} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
         std::chrono::seconds{second};
}

const std::string app =
    "2026-03-09T10:00:01.000000+00:00 box app[7]: first\n"
    "2026-03-09T10:00:05.000000+00:00 box app[7]: third\n"
    "2026-03-09T10:20:00.000000+00:00 box app[7]: fifth\n";
const std::string web =
    "2026-03-09T10:00:03.000000+00:00 box web[8]: second\n"
    "2026-03-09T10:00:09.000000+00:00 box web[8]: fourth\n";

TEST_CASE("sources are merged by time") {
  Bundle bundle;
  const auto records = bundle.file("a.log", app).file("b.log", web).records();
  CHECK(places(records) == std::vector<std::string>{"a.log:1", "b.log:1", "a.log:2", "b.log:2", "a.log:3"});
  REQUIRE(records.size() == 5);
  CHECK(records[1].event.message == "second");
  CHECK(records[1].event.identifier == "web");
  CHECK(records[1].event.pid == 8);
  CHECK(records[1].event.time == at(10, 0, 3));
  CHECK(records[1].event.clock == ClockQuality::exact);
}

TEST_CASE("the order of a file is kept where its clock runs back") {
  Bundle bundle;
  bundle.file("a.log",
              "2026-03-09T10:00:05.000000+00:00 box app[7]: before the step\n"
              "2026-03-09T09:00:00.000000+00:00 box app[7]: after the step\n");
  const auto records = bundle.file("b.log", "2026-03-09T09:30:00.000000+00:00 box web[8]: in between\n").records();
  CHECK(places(records) == std::vector<std::string>{"b.log:1", "a.log:1", "a.log:2"});
}

TEST_CASE("a record of several sources is one, matched by multiplicity") {
  Bundle bundle;
  const std::string line = "box systemd[1]: docker.service: Deactivated successfully.\n";
  bundle.file("a.log", "2026-03-09T10:00:01.000000+00:00 " + line + "2026-03-09T10:00:01.200000+00:00 " + line);
  const auto records = bundle.file("b.log", "2026-03-09T10:00:01.000300+00:00 " + line).records();
  REQUIRE(records.size() == 2);
  REQUIRE(records[0].also.size() == 1);
  CHECK(records[0].also[0].source == "b.log");
  CHECK(records[0].also[0].line == 1);
  CHECK(records[1].also.empty());
}

TEST_CASE("what anybody may have written twice stays two records") {
  Bundle bundle;
  bundle.file("a.log", "2026-03-09T10:00:01.000000+00:00 box app[7]: again\n");
  CHECK(bundle.file("b.log", "2026-03-09T10:00:01.000000+00:00 box app[7]: again\n").records().size() == 2);
}

TEST_CASE("filters") {
  Bundle bundle;
  bundle.file("a.log", app).file("b.log", web);
  WalkFilter filter;
  SUBCASE("since and until are inclusive") {
    filter.since = at(10, 0, 3);
    filter.until = at(10, 0, 5);
    CHECK(places(bundle.records(filter)) == std::vector<std::string>{"b.log:1", "a.log:2"});
  }
  SUBCASE("source") {
    filter.sources = {"b.*"};
    CHECK(places(bundle.records(filter)) == std::vector<std::string>{"b.log:1", "b.log:2"});
  }
  SUBCASE("a severity that no record prints") {
    filter.severity = Severity::debug;
    CHECK(bundle.records(filter).empty());
  }
  SUBCASE("the visitor ends it") { CHECK(bundle.records({}, 2).size() == 2); }
}

TEST_CASE("severity: this or worse") {
  Bundle bundle;
  bundle.file("dmesg.txt",
              "kern  :err   : [   10.000001] mmc0: error -110 whilst initialising SD card\n"
              "kern  :info  : [   10.000002] mmc0: card removed\n"
              "kern  :warn  : [   10.000003] mmc0: host does not support reading read-only switch\n");
  WalkFilter filter;
  filter.severity = Severity::warning;
  CHECK(places(bundle.records(filter)) == std::vector<std::string>{"dmesg.txt:1", "dmesg.txt:3"});
}

TEST_CASE("boots are counted back from the last") {
  Bundle bundle;
  bundle.file("kern.log",
              "2026-03-09T10:00:01.000000+00:00 box kernel: [    0.000000] Linux version 6.1.0 (builder@box) #1 SMP\n"
              "2026-03-09T10:00:02.000000+00:00 box kernel: [    1.000000] of the first boot\n"
              "2026-03-09T11:00:01.000000+00:00 box kernel: [    0.000000] Linux version 6.1.0 (builder@box) #1 SMP\n"
              "2026-03-09T11:00:02.000000+00:00 box kernel: [    1.000000] of the second boot\n");
  WalkFilter filter;
  filter.boot = "-1";
  CHECK(places(bundle.records(filter)) == std::vector<std::string>{"kern.log:1", "kern.log:2"});
  filter.boot = "0";
  CHECK(places(bundle.records(filter)) == std::vector<std::string>{"kern.log:3", "kern.log:4"});
  filter.boot = "-2";
  CHECK(bundle.records(filter).empty());
}

TEST_CASE("the decisive record carries its finding") {
  const auto input = std::filesystem::path(FORENSICS_SOURCE_DIR) / "fixtures/oom-container-limit/input";
  std::map<std::string, std::string> found;   // role -> place
  const auto report = walk({input}, RuleSet::builtin(), {}, {}, [&](const TimelineRecord& record) {
    for (const auto& mark : record.findings) found[mark.role] = record.source + ":" + std::to_string(record.event.where.line);
    return true;
  });
  REQUIRE(!report.verdict.evidence.empty());
  const auto& decisive = report.verdict.evidence.front();
  CHECK(found["verdict"] == decisive.source + ":" + std::to_string(decisive.line));
}

TEST_CASE("text and JSON of a record, escapes made harmless") {
  TimelineRecord record;
  record.source = "a.log";
  record.event.where = {0, 3, 100, 20};
  record.event.time = at(10, 0, 3);
  record.event.clock = ClockQuality::inferred;
  record.event.identifier = "kernel";
  record.event.message = "beep \x1b[31m";
  record.findings = {{"verdict", "oom/cgroup-limit", "oom-kill", Confidence::high}};
  std::ostringstream text, json;
  write_text(text, record);
  write_json(json, record);
  CHECK(text.str() == "2026-03-09 10:00:03.000~ a.log:3              -         kernel: beep \\x1b[31m\n"
                      "                         ^ verdict: oom-kill, high (oom/cgroup-limit)\n");
  CHECK(json.str() ==
        R"({"time":"2026-03-09T10:00:03.000Z","clock":"inferred","boot":0,"source":"a.log","line":3,"offset":100,"length":20,)"
        R"("trust":"claimed","identifier":"kernel","message":"beep \\x1b[31m",)"
        R"("findings":[{"role":"verdict","rule":"oom/cgroup-limit","cause":"oom-kill","confidence":"high"}]})");
}

}  // namespace
}  // namespace forensics
