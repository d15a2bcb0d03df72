// Hand-made reports for the tests of what writes them.
#pragma once

#include <chrono>

#include "forensics/report.h"

namespace forensics::samples {

inline RealTime at(std::int64_t seconds, int milliseconds = 0) {
  return RealTime(std::chrono::seconds(seconds) + std::chrono::milliseconds(milliseconds));
}

inline Evidence line(std::string source, std::uint64_t number, std::string text) {
  Evidence evidence;
  evidence.source = std::move(source);
  evidence.line = number;
  evidence.offset = 100 * number;
  evidence.length = text.size();
  evidence.text = std::move(text);
  return evidence;
}

inline Source source(std::string name, std::uint64_t used, std::uint64_t skipped) {
  Source out;
  out.name = std::move(name);
  out.format = "dmesg";
  out.trust = Trust::kernel_text;
  out.records = used + skipped;
  out.used = used;
  if (skipped > 0) out.skipped["no-stamp"] = skipped;
  return out;
}

/// A container killed at its memory limit: every part of a report has something in it.
inline Report memory_limit() {
  Report report;
  Subject& subject = report.subject;
  subject.kind = SubjectKind::container;
  subject.name = "trainer";
  subject.id = std::string(64, 'a');
  subject.image = "example/trainer:1";
  subject.died_at = at(1796047402, 100);
  subject.exit_code = 137;
  subject.signal = "SIGKILL";

  Finding& verdict = report.verdict;
  verdict.rule = "oom/container-limit";
  verdict.cause = "oom-kill";
  verdict.confidence = Confidence::high;
  verdict.summary = "The kernel killed python3 (pid 4711) because container trainer reached its memory limit of 512 MiB.";
  verdict.time = at(1796047402, 100);
  verdict.clock = ClockQuality::inferred;
  verdict.victim.comm = "python3";
  verdict.victim.pid = 4711;
  verdict.victim.container = subject.id;
  verdict.facts["limit_bytes"] = std::int64_t{536870912};
  verdict.facts["manual"] = false;
  verdict.facts["scope"] = std::string("container");
  verdict.evidence.push_back(line("dmesg.txt", 12, "[  803.1] Memory cgroup out of memory: Killed process 4711 (python3)"));
  verdict.evidence[0].time = verdict.time;
  verdict.evidence[0].clock = ClockQuality::inferred;
  verdict.evidence[0].also.push_back({"syslog", 801});
  verdict.evidence[0].repeated = 1200;
  verdict.evidence.push_back(line("inspect.json", 15, "            \"OOMKilled\": true,"));
  verdict.remedies = {"Raise the limit: docker run --memory.", "Find what grew."};

  Finding root;
  root.rule = "thermal/throttle";
  root.cause = "thermal-throttle";
  root.confidence = Confidence::medium;
  root.summary = "The CPU was throttled.";
  root.time = at(1796047000);
  report.chain = {root, verdict};
  report.contributing = {root};
  report.ruled_out.push_back({"usb/reset", "A USB reset that recovered.", {line("dmesg.txt", 3, "[  12.0] usb 1-1: reset")}});
  report.contradictions.push_back({"inspect says OOMKilled=false, the kernel says it was.", {}});
  report.missing.push_back({"The journal does not reach the death.", "journalctl -k -o export"});
  Death other;
  other.subject.kind = SubjectKind::container;
  other.subject.name = "web";
  other.time = at(1796040000);
  other.cause = "segfault";
  other.confidence = Confidence::medium;
  report.deaths = {other};
  report.coverage = {{source("dmesg.txt", 12400, 8), true}, {source("inspect.json", 1, 0), false}};
  report.diagnostics.push_back({"dmesg.txt", 77, "truncated-record", "The last line is cut.", 2});
  return report;
}

}  // namespace forensics::samples
