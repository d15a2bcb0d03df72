#include <sstream>

#include <doctest/doctest.h>

#include "forensics/report.h"
#include "report_samples.h"

namespace {

std::string written(const forensics::Report& report, const forensics::TextStyle& style = {}) {
  std::ostringstream out;
  forensics::write_text(out, report, style);
  return out.str();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("text: the whole report reads from top to bottom") {
  const std::string expected =
      R"(The kernel killed python3 (pid 4711) because container trainer reached its memory limit of 512 MiB.

  certainty  high: a record that can be trusted names it
  when       2026-11-30 14:03:22.100 UTC (worked out: the log does not print all of it)
  who        container trainer (image example/trainer:1), process python3, pid 4711
  exit       status 137 (SIGKILL)
  cause      oom-kill (rule oom/container-limit)

Evidence
  dmesg.txt:12     [  803.1] Memory cgroup out of memory: Killed process 4711 (python3)
                   (and 1,200 more like it; also in syslog:801)
  inspect.json:15  "OOMKilled": true,

What to change
  1. Raise the limit: docker run --memory.
  2. Find what grew.

How it came to this (root first)
  1. 2026-11-30T13:56:40.000Z: The CPU was throttled. (thermal-throttle, medium)
  2. 2026-11-30T14:03:22.100Z: The kernel killed python3 (pid 4711) because container trainer
     reached its memory limit of 512 MiB. (oom-kill, high)

Contributing
  - 2026-11-30T13:56:40.000Z: The CPU was throttled. (thermal-throttle, medium)

Not the reason
  - A USB reset that recovered.
      dmesg.txt:3  [  12.0] usb 1-1: reset

Contradictions
  - inspect says OOMKilled=false, the kernel says it was.

What is missing
  - The journal does not reach the death.
    -> journalctl -k -o export

Other deaths (1)
  2026-11-30T12:00:00.000Z  segfault (medium)         container web

Trouble while reading
  - dmesg.txt:77: The last line is cut. (2 times) [truncated-record]

Read 2 sources, 12,409 records: 12,401 used, 8 skipped.
)";
  CHECK(written(forensics::samples::memory_limit()) == expected);
}

TEST_CASE("text: quiet is the sentence on one line") {
  forensics::TextStyle style;
  style.quiet = true;
  CHECK(written(forensics::samples::memory_limit(), style) ==
        "The kernel killed python3 (pid 4711) because container trainer reached its memory limit of 512 MiB.\n");
}

TEST_CASE("text: verbose shows facts and the account of every source") {
  forensics::TextStyle style;
  style.verbose = true;
  style.width = 200;
  const std::string text = written(forensics::samples::memory_limit(), style);
  CHECK(has(text, "limit_bytes = 536870912"));
  CHECK(has(text, "dmesg.txt (dmesg, kernel-text): 12,408 records, 12,400 used, 8 skipped (no-stamp); no wall-clock time;"));
  CHECK_FALSE(has(text, "--verbose"));
}

TEST_CASE("text: colour only if asked for, and nothing else escapes") {
  forensics::Report report = forensics::samples::memory_limit();
  report.verdict.evidence[0].text = "\x1b[2J gone";
  CHECK_FALSE(has(written(report), "\x1b"));
  CHECK(has(written(report), "\\x1b[2J gone"));
  forensics::TextStyle style;
  style.color = true;
  CHECK(has(written(report, style), "\x1b[1m"));
}

TEST_CASE("text: prose is wrapped, evidence is not") {
  forensics::Report report = forensics::samples::memory_limit();
  report.verdict.evidence[0].text = std::string(300, 'x');
  forensics::TextStyle style;
  style.width = 60;
  std::istringstream lines(written(report, style));
  for (std::string line; std::getline(lines, line);)
    if (!has(line, "dmesg.txt") && !has(line, "Killed process")) CHECK(line.size() <= 70);
  CHECK(has(written(report, style), std::string(300, 'x')));
}

TEST_CASE("text: an id is as short as people know it") {
  forensics::Report report;
  report.deaths.resize(2);
  report.deaths[0].victim.container = std::string(64, 'b');
  const std::string text = written(report);
  CHECK(has(text, "container bbbbbbbbbbbb\n"));
  CHECK(has(text, "(who is not told)\n"));
}

TEST_CASE("text: unknown says so without a certainty") {
  forensics::Report report;
  report.verdict.cause = "unknown";
  report.verdict.summary = "The evidence does not say why web ended.";
  const std::string text = written(report);
  CHECK_FALSE(has(text, "certainty"));
  CHECK(has(text, "Read 0 sources, 0 records: 0 used, 0 skipped."));
}
