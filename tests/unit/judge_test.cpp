// Deaths, subjects and confidence: which findings are about the same death, and how sure they may be.
#include "judge/judge.h"

#include <doctest/doctest.h>

#include "forensics/error.h"
#include "judge_case.h"

using namespace forensics;
using namespace forensics::testing;
using namespace std::chrono_literals;

namespace {

/// One kernel OOM kill in a container's cgroup.
void kill_in(CaseBuilder& b, std::uint32_t source, std::optional<RealTime> time, char id, const std::string& comm,
             std::int64_t pid, std::int64_t limit) {
  b.rule("oom/limit", "oom-kill").dump = "oom";
  b.event(source, time, "kernel",
          "Memory cgroup out of memory: Killed process " + std::to_string(pid) + " (" + comm + ")");
  const std::string path = "/docker/" + id_of(id);
  b.match("oom/limit", {{"comm", comm},
                        {"pid", pid},
                        {"cgroup", path},
                        {"limiter", path},
                        {"scope", std::string("cgroup")},
                        {"limit_bytes", limit},
                        {"killed", true},
                        {"killer", std::string("kernel")}});
}

const Fact& fact(const Finding& f, const std::string& name) {
  static const Fact none = std::string();
  const auto it = f.facts.find(name);
  return it == f.facts.end() ? none : it->second;
}

bool says(const std::vector<Contradiction>& list, std::string_view text) {
  for (const auto& c : list)
    if (c.what.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("a kernel kill that names the container, and its exit status, are one sure death") {
  CaseBuilder b;
  const auto k = b.source("dmesg.txt", "dmesg-ctime", Trust::kernel_text);
  kill_in(b, k, noon, 'a', "python3", 4711, 512 << 20);
  b.inspected('a', "trainer", 137, noon + 1s, true);
  const Report r = b.judge(container("trainer"));
  CHECK(r.verdict.cause == "oom-kill");
  CHECK(r.verdict.rule == "oom/limit");
  CHECK(r.verdict.confidence == Confidence::high);
  CHECK(r.verdict.victim.comm == "python3");
  CHECK(r.verdict.victim.pid == 4711);
  CHECK(r.verdict.victim.container == id_of('a'));
  CHECK(fact(r.verdict, "scope") == Fact(std::string("container")));
  CHECK(fact(r.verdict, "exit_code") == Fact(std::int64_t{137}));
  CHECK(r.subject.id == id_of('a'));
  CHECK(r.subject.exit_code == 137);
  CHECK(r.subject.signal == "SIGKILL");
  CHECK(r.verdict.summary.find("trainer") != std::string::npos);
  REQUIRE(!r.verdict.remedies.empty());
  CHECK(r.verdict.remedies[0].find("--memory 1024m") != std::string::npos);
  CHECK(r.verdict.evidence.size() >= 2);
  CHECK(r.verdict.evidence[0].source == "dmesg.txt");
  CHECK(r.deaths.empty());
  CHECK(r.missing.empty());
}

TEST_CASE("two kills a second apart never exchange their facts") {
  CaseBuilder b;
  const auto k = b.source("dmesg.txt", "dmesg-ctime", Trust::kernel_text);
  kill_in(b, k, noon, 'a', "alpha", 100, 64 << 20);
  kill_in(b, k, noon + 1s, 'b', "beta", 200, 128 << 20);
  b.inspected('a', "one", 137, noon, true);
  b.inspected('b', "two", 137, noon + 1s, true);
  const Report one = b.judge(container("one"));
  CHECK(one.verdict.victim.comm == "alpha");
  CHECK(fact(one.verdict, "limit_bytes") == Fact(std::int64_t{64 << 20}));
  const Report two = b.judge(container("two"));
  CHECK(two.verdict.victim.comm == "beta");
  CHECK(fact(two.verdict, "limit_bytes") == Fact(std::int64_t{128 << 20}));
  REQUIRE(two.deaths.size() == 1);
  CHECK(two.deaths[0].subject.name == "one");
}

TEST_CASE("a specific finding about one death never supersedes the generic one of another") {
  CaseBuilder b;
  const auto k = b.source("dmesg.txt", "dmesg-ctime", Trust::kernel_text, noon - 1h, noon + 1h);
  b.rule("oom/limit", "oom-kill").supersedes = {"exit/unknown-signal"};
  kill_in(b, k, noon, 'a', "alpha", 100, 64 << 20);
  b.inspected('a', "one", 137, noon, true);
  b.inspected('b', "two", 137, noon + 1s);
  const Report two = b.judge(container("two"));
  CHECK(two.verdict.cause == "unknown-signal");
  CHECK(b.judge(container("one")).verdict.cause == "oom-kill");
}

TEST_CASE("exit 137 alone is not an OOM kill; the flag alone is medium") {
  CaseBuilder b;
  b.inspected('a', "one", 137, noon);
  const Report r = b.judge(container("one"));
  CHECK(r.verdict.cause == "unknown-signal");
  CHECK(r.verdict.confidence == Confidence::medium);
  CHECK(r.verdict.summary.find("sender is unknown") != std::string::npos);
  CHECK(r.missing.size() >= 2);  // the kernel's log, the engine's events

  CaseBuilder flagged;
  flagged.inspected('a', "one", 137, noon, true);
  const Report f = flagged.judge(container("one"));
  CHECK(f.verdict.cause == "oom-kill");
  CHECK(f.verdict.confidence == Confidence::medium);
}

TEST_CASE("the flag with another exit status is a child's") {
  CaseBuilder b;
  b.inspected('a', "one", 0, noon, true);
  const Report r = b.judge(container("one"));
  CHECK(r.verdict.cause == "clean-exit");
  CHECK(says(r.contradictions, "another process"));
}

TEST_CASE("the kernel's word against the flag") {
  CaseBuilder b;
  b.source("kern.log", "syslog-rfc3164", Trust::kernel_text, noon - 1h, noon + 1h);
  b.inspected('a', "one", 137, noon, true);
  CHECK(says(b.judge(container("one")).contradictions, "holds no kill"));

  CaseBuilder unflagged;
  const auto k = unflagged.source("kern.log", "syslog-rfc3164", Trust::kernel_text, noon - 1h, noon + 1h);
  kill_in(unflagged, k, noon, 'a', "alpha", 100, 64 << 20);
  unflagged.inspected('a', "one", 137, noon);
  const Report r = unflagged.judge(container("one"));
  CHECK(r.verdict.cause == "oom-kill");
  CHECK(says(r.contradictions, "OOMKilled=false"));
}

TEST_CASE("a child of the container was killed") {
  CaseBuilder b;
  const auto k = b.source("dmesg.txt", "dmesg-ctime", Trust::kernel_text);
  kill_in(b, k, noon, 'a', "child", 100, 64 << 20);
  b.inspected('a', "one", 1, noon + 1s, true);
  const Report r = b.judge(container("one"));
  CHECK(r.verdict.cause == "oom-kill");
  CHECK(r.verdict.confidence == Confidence::medium);
  CHECK(r.verdict.summary.find("not the container's main process") != std::string::npos);
}

TEST_CASE("a crash that names nobody belongs to the only end that fits it") {
  CaseBuilder b;
  const auto k = b.source("dmesg.txt", "dmesg", Trust::kernel_text);
  b.rule("process/segfault", "segfault").supersedes = {"exit/unknown-signal"};
  b.event(k, {}, "kernel", "prog[4711]: segfault at 10");
  b.match("process/segfault", {{"comm", std::string("prog")}, {"pid", std::int64_t{4711}}});
  b.inspected('a', "one", 139, noon);
  const Report r = b.judge(container("one"));
  CHECK(r.verdict.cause == "segfault");
  CHECK(r.verdict.confidence == Confidence::medium);
  CHECK(r.verdict.victim.container == id_of('a'));

  b.event(k, {}, "kernel", "other[4712]: segfault at 20");
  b.match("process/segfault", {{"comm", std::string("other")}, {"pid", std::int64_t{4712}}});
  CHECK(b.judge(container("one")).verdict.cause == "unknown-signal");  // which of them?
}

TEST_CASE("a kernel line hours away is another death") {
  CaseBuilder b;
  const auto k = b.source("dmesg.txt", "dmesg-ctime", Trust::kernel_text);
  kill_in(b, k, noon - 6h, 'a', "alpha", 100, 64 << 20);
  b.inspected('a', "one", 137, noon);
  CHECK(b.judge(container("one")).verdict.cause == "unknown-signal");
}

TEST_CASE("a restart loop: the last death, or the last before the moment asked about") {
  CaseBuilder b;
  const auto k = b.source("dmesg.txt", "dmesg-ctime", Trust::kernel_text);
  kill_in(b, k, noon, 'a', "first", 100, 64 << 20);
  kill_in(b, k, noon + 10min, 'a', "second", 200, 64 << 20);
  const Report last = b.judge(container(id_of('a')));
  CHECK(last.verdict.victim.comm == "second");
  CHECK(last.deaths.size() == 1);
  AnalyzeOptions options;
  options.around = noon + 5min;
  CHECK(b.judge(container("aaaa"), options).verdict.victim.comm == "first");
}

TEST_CASE("runs a second apart are separated by what ended each") {
  CaseBuilder b;
  const auto k = b.source("kern.log", "syslog-iso", Trust::kernel_text);
  const auto e = b.source("events.txt", "docker-events", Trust::daemon);
  b.rule("exit/unknown-signal", "unknown-signal");
  for (int run = 0; run < 3; ++run) {
    const RealTime at = noon + run * 1s;
    kill_in(b, k, at, 'a', "run" + std::to_string(run), 100 + run, 64 << 20);
    Event& die = b.event(e, at + 100ms, "docker-events", "container die " + id_of('a') + " (exitCode=137)");
    die.container_id = id_of('a');
    b.match("exit/unknown-signal", {{"exit_code", std::string("137")}, {"container", id_of('a')}});
  }
  const Report r = b.judge(container("aaaa"));
  CHECK(r.verdict.victim.comm == "run2");
  CHECK(r.deaths.size() == 2);
}

TEST_CASE("nobody asked about: the last death, and all others are listed") {
  CaseBuilder b;
  const auto k = b.source("dmesg.txt", "dmesg", Trust::kernel_text);
  kill_in(b, k, noon, 'a', "alpha", 100, 64 << 20);
  b.rule("process/segfault", "segfault");
  b.event(k, noon + 1h, "kernel", "prog[7]: segfault");
  b.match("process/segfault", {{"comm", std::string("prog")}, {"pid", std::int64_t{7}}});
  const Report r = b.judge();
  CHECK(r.verdict.cause == "segfault");
  CHECK(r.verdict.confidence == Confidence::high);  // the victim that is named is the subject
  CHECK(r.subject.kind == SubjectKind::pid);
  REQUIRE(r.deaths.size() == 1);
  CHECK(r.deaths[0].cause == "oom-kill");
}

TEST_CASE("names: service, prefix, ambiguity, nobody") {
  CaseBuilder b;
  b.inspected('a', "app_web_1", 1, noon).service = "web";
  b.inspected('b', "app_db_1", 2, noon + 1min).service = "db";
  CHECK(b.judge(container("web")).subject.name == "app_web_1");
  CHECK(b.judge(container("bbbbb")).subject.name == "app_db_1");
  const Report nobody = b.judge(container("cache"));
  CHECK(nobody.verdict.cause == "unknown");
  CHECK(nobody.deaths.size() == 2);
  REQUIRE(!nobody.missing.empty());
  CHECK(nobody.missing[0].how_to_get_it.find("docker inspect cache") != std::string::npos);

  b.inspected('a', "x", 1, noon);
  b.evidence().timeline.containers.back().id = "aaaa" + std::string(60, 'c');
  CHECK_THROWS_AS(b.judge(container("aaaa")), Error);
  try {
    b.judge(container("aaaa"));
  } catch (const Error& e) {
    CHECK(e.code() == ErrorCode::usage);
    CHECK(e.reason().find("app_web_1") != std::string::npos);
  }
}

TEST_CASE("nothing died is none, a complaint stays a complaint; an end that no rule explains is unknown") {
  CaseBuilder b;
  const auto k = b.source("dmesg.txt", "dmesg", Trust::kernel_text);
  b.rule("mmc/reset", "mmc-error", Role::contributing);
  b.rule("kernel/noise", "none", Role::harmless);
  b.event(k, noon, "kernel", "mmc0: reset");
  b.match("mmc/reset", {{"device", std::string("mmc0")}});
  b.event(k, noon, "kernel", "scary");
  b.match("kernel/noise", {});
  const Report r = b.judge();
  CHECK(r.verdict.cause == "none");
  CHECK(r.contributing.size() == 1);
  CHECK(r.ruled_out.size() == 1);

  CaseBuilder silent;
  silent.inspected('a', "one", 3, noon);
  silent.evidence().matches.clear();
  const Report u = silent.judge(container("one"));
  CHECK(u.verdict.cause == "unknown");
  CHECK(u.verdict.summary.find("status 3") != std::string::npos);
}

TEST_CASE("what a container writes is not the kernel's word") {
  CaseBuilder b;
  const auto log = b.source("docker-logs.txt", "container-log", Trust::claimed);
  b.source("kmsg", "kmsg", Trust::kernel, noon - 1h, noon + 1h);
  b.rule("oom/limit", "oom-kill");
  b.event(log, noon, "", "Out of memory: Killed process 1 (app)");
  b.match("oom/limit", {{"comm", std::string("app")}, {"pid", std::int64_t{1}}});
  const Report r = b.judge();
  CHECK(r.verdict.confidence == Confidence::low);
  CHECK(says(r.contradictions, "not the kernel"));
}

TEST_CASE("a container's own log about its own end is medium at most") {
  CaseBuilder b;
  const auto log = b.source("docker-logs.txt", "container-log", Trust::claimed);
  b.rule("exit/exec-format", "exec-format").all[0].origin = Origin::container;
  b.event(log, noon, "", "exec /bin/app: exec format error");
  b.match("exit/exec-format", {});
  b.inspected('a', "one", 1, noon);
  const Report r = b.judge(container("one"));
  CHECK(r.verdict.cause == "exec-format");
  CHECK(r.verdict.confidence == Confidence::medium);
}

TEST_CASE("a machine that went down took its containers along") {
  CaseBuilder b;
  const auto k = b.source("console.txt", "dmesg-iso", Trust::kernel);
  b.rule("kernel/panic", "kernel-panic");
  b.event(k, noon, "kernel", "Kernel panic - not syncing: fatal");
  b.match("kernel/panic", {});
  b.inspected('a', "one", 255, noon + 5min);
  b.inspected('b', "two", 1, noon - 5min);
  const Report r = b.judge(container("one"));
  CHECK(r.verdict.cause == "kernel-panic");
  CHECK(r.verdict.confidence == Confidence::high);
  CHECK(b.judge(container("two")).verdict.cause == "exit-code");
  Subject host;
  host.kind = SubjectKind::host;
  CHECK(b.judge(host).verdict.cause == "kernel-panic");
}

TEST_CASE("a log whose newest line comes first: the report behind the kill tells the victim's container") {
  CaseBuilder b;
  const auto k = b.source("journal.txt", "syslog-rfc3164", Trust::kernel_text);
  b.rule("oom/host", "oom-kill").dump = "oom";
  b.rule("oom/report", "oom-kill").dump = "oom";
  b.event(k, noon, "kernel", "Out of memory: Killed process 4711 (python3)");
  b.match("oom/host", {{"comm", std::string("python3")}, {"pid", std::int64_t{4711}}, {"killed", true}});
  b.event(k, noon, "kernel", "oom-kill:constraint=CONSTRAINT_NONE");
  b.match("oom/report", {{"selected", std::string("python3")},
                         {"selected_pid", std::int64_t{4711}},
                         {"killed", false},
                         {"cgroup", "/docker/" + id_of('a')}});
  const Report r = b.judge();
  CHECK(r.verdict.victim.comm == "python3");
  CHECK(r.verdict.victim.container == id_of('a'));
  CHECK(r.deaths.empty());
}

TEST_CASE("a memory killer that names nobody meant what ended right after it spoke") {
  CaseBuilder b;
  const auto j = b.source("journal.txt", "syslog-rfc3164", Trust::daemon_text);
  b.rule("oom/pressure", "oom-kill").all[0].origin = Origin::identifier;
  b.rule("docker/died", "unknown").all[0].origin = Origin::identifier;
  b.event(j, noon, "systemd-oomd", "Memory pressure for /user.slice is greater than 50");
  b.match("oom/pressure", {{"killer", std::string("systemd-oomd")}});
  b.event(j, noon + 1s, "podman", "2026-11-30 12:00:01 +0000 UTC m=+1.2 container died " + id_of('a'));
  b.match("docker/died", {{"container", id_of('a')}});
  const Report r = b.judge();
  CHECK(r.verdict.cause == "oom-kill");
  CHECK(r.verdict.victim.container == id_of('a'));
}

TEST_CASE("an engine that was stopped took its containers along") {
  for (const std::string speaker : {"dockerd", "kubelet"}) {
    CaseBuilder b;
    b.link("stopped", "unknown-signal", 2min, "engine");
    const auto j = b.source("journal.txt", "syslog-rfc3164", Trust::daemon_text);
    b.rule("docker/shutdown", "stopped").all[0].origin = Origin::identifier;
    b.event(j, noon, speaker, "Processing signal 'terminated'");
    b.match("docker/shutdown", {{"unit", speaker + ".service"}});
    b.inspected('a', "web", 143, noon + 3s);
    const Report r = b.judge(container("web"));
    CHECK(r.verdict.cause == (speaker == "dockerd" ? "stopped" : "unknown-signal"));
  }
}

TEST_CASE("what one source says of a nameless container's end is one end") {
  CaseBuilder b;
  const auto s = b.source("describe.txt", "kubectl", Trust::daemon_text);
  b.rule("oom/reason", "oom-kill").all[0].origin = Origin::state;
  b.rule("exit/kill", "unknown-signal").all[0].origin = Origin::state;
  b.event(s, noon, "container-state", "reason=OOMKilled exit_code=137");
  b.match("oom/reason", {{"exit_code", std::string("137")}});
  b.event(s, noon, "container-state", "exited exit_code=137");
  b.match("exit/kill", {{"exit_code", std::string("137")}});
  const Report r = b.judge();
  CHECK(r.verdict.cause == "oom-kill");
  CHECK(r.deaths.empty());
}

TEST_CASE("the tag of a program's own line in the syslog is the victim") {
  CaseBuilder b;
  const auto j = b.source("syslog", "syslog-rfc3164", Trust::claimed);
  b.rule("app/threads", "pids-limit").all[0].origin = Origin::container;
  b.event(j, noon, "swarm", "failed to create new OS thread").pid = 812;
  b.match("app/threads", {});
  CHECK(b.judge().verdict.victim.comm == "swarm");
  CHECK(b.judge().verdict.victim.pid == 812);
  b.event(j, noon + 1h, "abcdefabcdef", "failed to create new OS thread").container_id = "abcdefabcdef";
  b.evidence().timeline.events.back().pid = 77;
  b.match("app/threads", {});
  CHECK(!b.judge().verdict.victim.pid);
}
