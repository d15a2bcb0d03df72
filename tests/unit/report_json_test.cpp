#include <sstream>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "forensics/report.h"
#include "report_samples.h"

using nlohmann::ordered_json;

namespace {

ordered_json written(const forensics::Report& report) {
  std::ostringstream out;
  forensics::write_json(out, report);
  return ordered_json::parse(out.str());
}

void no_null(const ordered_json& value) {
  CHECK_FALSE(value.is_null());
  if (value.is_structured())
    for (const auto& item : value) no_null(item);
}

std::vector<std::string> keys(const ordered_json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

}  // namespace

TEST_CASE("json: a full report has every key, in order") {
  const auto json = written(forensics::samples::memory_limit());
  no_null(json);
  CHECK(keys(json) == std::vector<std::string>{"schema", "subject", "verdict", "chain", "contributing", "ruled_out",
                                               "contradictions", "coverage", "missing", "deaths", "diagnostics"});
  CHECK(json["schema"] == 1);
  CHECK(keys(json["subject"]) ==
        std::vector<std::string>{"kind", "name", "id", "image", "died_at", "exit_code", "signal"});
  CHECK(json["subject"]["died_at"] == "2026-11-30T14:03:22.100Z");
  const auto& verdict = json["verdict"];
  CHECK(keys(verdict) == std::vector<std::string>{"cause", "rule", "confidence", "summary", "time", "clock", "victim",
                                                  "facts", "evidence", "remedies"});
  CHECK(verdict["confidence"] == "high");
  CHECK(verdict["clock"] == "inferred");
  CHECK(verdict["victim"]["pid"] == 4711);
  CHECK(verdict["facts"].dump() == R"({"limit_bytes":536870912,"manual":false,"scope":"container"})");
  CHECK(keys(verdict["evidence"][0]) ==
        std::vector<std::string>{"source", "line", "offset", "length", "time", "clock", "text", "also", "repeated"});
  CHECK(verdict["evidence"][0]["also"].dump() == R"([{"source":"syslog","line":801}])");
  CHECK(json["coverage"][0]["skipped"] == 8);
  CHECK(json["coverage"][0]["covers_death"] == true);
  CHECK(json["coverage"][0]["trust"] == "kernel-text");
  CHECK(json["deaths"][0]["cause"] == "segfault");
  CHECK(json["diagnostics"][0]["count"] == 2);
}

TEST_CASE("json: what is unknown is absent") {
  forensics::Report report;
  const auto json = written(report);
  no_null(json);
  CHECK(json["verdict"]["cause"] == "unknown");
  CHECK_FALSE(json.contains("chain"));
  CHECK_FALSE(json["verdict"].contains("rule"));
  CHECK_FALSE(json["verdict"].contains("time"));
  CHECK_FALSE(json["verdict"].contains("clock"));
  CHECK_FALSE(json["verdict"].contains("victim"));
  CHECK(json["subject"].dump() == R"({"kind":"last-death"})");
  CHECK(json["deaths"].is_array());

  report.chain.resize(1);
  CHECK_FALSE(written(report).contains("chain"));
}

TEST_CASE("json: native journals have a cursor instead of line and offset") {
  forensics::Report report;
  forensics::Evidence evidence;
  evidence.source = "system.journal";
  evidence.cursor = "s=1;i=2";
  evidence.text = "out of memory";
  report.verdict.evidence.push_back(evidence);
  CHECK(written(report)["verdict"]["evidence"][0].dump() ==
        R"({"source":"system.journal","cursor":"s=1;i=2","text":"out of memory"})");
}

TEST_CASE("json: nothing raw gets out") {
  forensics::Report report;
  report.verdict.summary = "bad \xff byte, \x1b[31mcolour\x1b[0m, caf\xc3\xa9";
  report.verdict.victim.comm = "\x01\x80";
  report.verdict.facts["x\xfe"] = std::string("\xed\xa0\x80");
  std::ostringstream out;
  forensics::write_ndjson(out, report);
  const std::string text = out.str();
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\n') == text.size() - 1);
  const auto json = ordered_json::parse(text);
  CHECK(json["verdict"]["summary"] == "bad \\xff byte, \\x1b[31mcolour\\x1b[0m, caf\xc3\xa9");
  CHECK(json["verdict"]["victim"]["comm"] == "\\x01\\x80");
}
