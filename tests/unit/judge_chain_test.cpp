// Chains: root first, joined by time and a shared thing, as sure as the weakest link.
#include <doctest/doctest.h>

#include "judge_case.h"

using namespace forensics;
using namespace forensics::testing;
using namespace std::chrono_literals;

namespace {

std::vector<std::string> causes_of(const std::vector<Finding>& chain) {
  std::vector<std::string> out;
  for (const auto& f : chain) out.push_back(f.cause);
  return out;
}

struct Board : CaseBuilder {
  std::uint32_t kernel = source("dmesg.txt", "dmesg-ctime", Trust::kernel_text);

  Board() {
    rule("power/under-voltage", "under-voltage", Role::contributing);
    rule("mmc/timeout", "mmc-error");
    rule("fs/read-only", "filesystem-error");
    link("under-voltage", "mmc-error", 10min, "host");
    link("mmc-error", "filesystem-error", 30min, "device");
    link("filesystem-error", "exit-code", 10min, "host");
  }

  void says(const std::string& rule_id, RealTime time, const std::string& device) {
    event(kernel, time, "kernel", rule_id + " " + device);
    if (device.empty())
      match(rule_id, {});
    else
      match(rule_id, {{"device", device}});
  }
};

}  // namespace

TEST_CASE("the root of a closed chain is the verdict, a weak supply included") {
  Board b;
  b.says("power/under-voltage", noon, "");
  b.says("mmc/timeout", noon + 10s, "mmc0");
  b.says("fs/read-only", noon + 20s, "mmcblk0p2");
  const Report r = b.judge();
  CHECK(r.verdict.cause == "under-voltage");
  CHECK(r.verdict.confidence == Confidence::medium);  // joined by time on one host
  CHECK(causes_of(r.chain) == std::vector<std::string>{"under-voltage", "mmc-error", "filesystem-error"});
}

TEST_CASE("partition, disk and controller are one device") {
  Board b;
  b.says("mmc/timeout", noon, "mmc0");
  b.says("fs/read-only", noon + 20s, "mmcblk0p2");
  const Report r = b.judge();
  CHECK(r.verdict.cause == "mmc-error");
  CHECK(r.verdict.confidence == Confidence::high);
  CHECK(r.chain.size() == 2);
  CHECK(r.deaths.empty());
}

TEST_CASE("another disk, too late, or in the wrong order is no chain") {
  Board other;
  other.says("mmc/timeout", noon, "mmc1");
  other.says("fs/read-only", noon + 20s, "sda1");
  CHECK(other.judge().verdict.cause == "filesystem-error");
  CHECK(other.judge().chain.empty());

  Board late;
  late.says("mmc/timeout", noon, "mmc0");
  late.says("fs/read-only", noon + 2h, "mmcblk0p2");
  CHECK(late.judge().verdict.cause == "filesystem-error");

  Board reversed;
  reversed.says("fs/read-only", noon, "mmcblk0p2");
  reversed.says("mmc/timeout", noon + 2h, "mmc0");
  CHECK(reversed.judge().verdict.cause == "mmc-error");
  CHECK(reversed.judge().chain.empty());
}

TEST_CASE("a complaint without a loss is no verdict") {
  Board b;
  b.says("power/under-voltage", noon, "");
  const Report r = b.judge();
  CHECK(r.verdict.cause == "none");
  CHECK(r.contributing.size() == 1);
}

TEST_CASE("a root that would only be low stands aside") {
  Board b;
  b.rule("mmc/timeout", "mmc-error").confidence = Confidence::low;
  b.says("mmc/timeout", noon, "mmc0");
  b.says("fs/read-only", noon + 10s, "mmcblk0p2");
  const Report r = b.judge();
  CHECK(r.verdict.cause == "filesystem-error");
  CHECK(r.verdict.confidence == Confidence::high);
  REQUIRE(r.contributing.size() == 1);
  CHECK(r.contributing[0].cause == "mmc-error");
}

TEST_CASE("what the storage did to a container") {
  Board b;
  b.says("mmc/timeout", noon, "mmc0");
  b.says("fs/read-only", noon + 10s, "mmcblk0p2");
  b.inspected('a', "db", 1, noon + 1min);
  const Report r = b.judge(container("db"));
  CHECK(r.verdict.cause == "mmc-error");
  CHECK(r.verdict.confidence == Confidence::medium);
  CHECK(causes_of(r.chain) == std::vector<std::string>{"mmc-error", "filesystem-error", "exit-code"});
  CHECK(r.verdict.summary.find("db") != std::string::npos);
}

TEST_CASE("generic findings about one disk give way, also through others") {
  Board b;
  b.rule("storage/io-error", "io-error");
  b.rule("mmc/io-error", "mmc-error").supersedes = {"storage/io-error"};
  b.rule("mmc/timeout", "mmc-error").supersedes = {"mmc/io-error"};
  b.says("storage/io-error", noon, "mmcblk0");
  b.says("mmc/timeout", noon + 1s, "mmc0");
  const Report r = b.judge();
  CHECK(r.verdict.rule == "mmc/timeout");
  CHECK(r.verdict.evidence.size() == 2);
  CHECK(r.deaths.empty());
}

TEST_CASE("one limit that was reached is no shortage of the machine's") {
  for (const std::string scope : {"cgroup", "host"}) {
    Board b;
    b.rule("oom/kill", "oom-kill");
    b.rule("kernel/hung", "task-hung");
    b.link("oom-kill", "task-hung", 5min, "host");
    b.event(b.kernel, noon, "kernel", "Killed process 4711 (python3)");
    b.match("oom/kill", {{"comm", std::string("python3")}, {"pid", std::int64_t{4711}}, {"scope", scope}});
    b.event(b.kernel, noon + 2min, "kernel", "task db:77 blocked");
    b.match("kernel/hung", {{"comm", std::string("db")}, {"pid", std::int64_t{77}}});
    CHECK(b.judge().verdict.cause == (scope == "host" ? "oom-kill" : "task-hung"));
  }
}
