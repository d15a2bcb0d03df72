#include "forensics/host.h"

#include <doctest/doctest.h>

#include "fake_engine.h"
#include "forensics/error.h"

using namespace forensics;
using namespace forensics::test;

namespace {

const std::string id = "5c8b92adda3ce2402ab9ef764b67c54eb000d4c2a738e5de7f2c7c48d8f73377";

std::string body_of(const std::string& file) {
  const std::string recorded = file_text("engine/" + file);
  return recorded.substr(recorded.find("\r\n\r\n") + 4);
}

/// An engine with one container, oom-main, which was killed for its memory.
std::string one_container(const std::string& target) {
  if (target == "/info") return ok(R"({"ID":"X","ServerVersion":"20.10.24"})");
  if (target == "/containers/json?all=1") return chunked(R"([{"Id":")" + id + R"(","Names":["/oom-main"],"Image":"lab:1"}])", 64);
  if (target == "/containers/" + id + "/json") return chunked(body_of("inspect.http"), 1000);
  const bool filtered = target.find(id) != target.npos || target.find("%22oom-main%22") != target.npos;
  if (target.starts_with("/events?") && !filtered) return ok("");
  if (target.starts_with("/events?")) return chunked(file_text("engine/events.jsonl"), 1000);
  if (target.starts_with("/containers/" + id + "/logs?")) return chunked(body_of("logs.http"), 32);
  return "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}";
}

struct Machine {
  TemporaryFolder folder;
  HostOptions options;
  explicit Machine(const std::string& engine) {
    options.docker_host = engine;
    options.kmsg = FORENSICS_SOURCE_DIR "/tests/unit/engine/kmsg.txt";
    options.journal = folder.path.string();
    options.log_dir = folder.path.string();
  }
  Report ask(const std::string& name) const {
    Subject subject;
    subject.kind = SubjectKind::container;
    subject.name = name;
    return analyze_host(subject, RuleSet::builtin(), {}, options);
  }
};

bool has(const Report& report, std::string_view code, std::string_view part = {}) {
  for (const Diagnostic& d : report.diagnostics)
    if (d.code == code && (d.source + d.message).find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("a container that was killed for its memory, on a live host") {
  FakeEngine engine(one_container);
  const Machine machine(engine.endpoint());
  const Report report = machine.ask("oom-main");
  CHECK(report.verdict.cause == "oom-kill");
  CHECK(report.subject.name == "oom-main");
  CHECK(report.subject.id == id);
  CHECK_FALSE(report.verdict.evidence.empty());
  std::vector<std::string> sources;
  for (const Coverage& c : report.coverage) sources.push_back(c.source.name);
  CHECK(sources.size() == 4);
  for (const std::string& request : engine.requests) CHECK(request.starts_with("GET /"));
}

TEST_CASE("an id prefix names the container, too") {
  FakeEngine engine(one_container);
  CHECK(Machine(engine.endpoint()).ask("5c8b").subject.name == "oom-main");
}

TEST_CASE("no such container: the error lists the nearest names") {
  FakeEngine engine(one_container);
  const Machine machine(engine.endpoint());
  try {
    machine.ask("oom-mian");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::usage);
    CHECK(error.reason().find("nearest names are: oom-main") != std::string::npos);
  }
}

TEST_CASE("several containers fit: the error lists them") {
  FakeEngine engine([](const std::string& target) {
    if (target == "/info") return ok(R"({"ServerVersion":"4.3.1"})");
    return ok(R"([{"Id":"aaaa1111bbbb","Names":["/a"],"Labels":{"com.docker.compose.service":"db"}},
                  {"Id":"aaaa2222bbbb","Names":["/b"],"Labels":{"com.docker.compose.service":"db"}}])");
  });
  CHECK_THROWS_WITH_AS(Machine(engine.endpoint()).ask("db"), "db: 2 containers fit: a (aaaa1111bbbb), b (aaaa2222bbbb)", Error);
}

TEST_CASE("a removed container is explained from its events") {
  FakeEngine engine([](const std::string& target) {
    return target == "/containers/json?all=1" ? ok("[]") : one_container(target);
  });
  const Report report = Machine(engine.endpoint()).ask("oom-main");
  CHECK(report.subject.id == id);
  CHECK(report.verdict.cause == "oom-kill");
}

TEST_CASE("closed sources are told, with what opens them, and never end the analysis") {
  Machine machine("unix:///nonexistent/engine.sock");
  machine.options.kmsg = "/nonexistent/kmsg";
  const Report report = machine.ask("trainer");
  CHECK(report.verdict.cause == "unknown");
  CHECK(has(report, "closed-source", "engine.sock"));
  CHECK(has(report, "closed-source", "/nonexistent/kmsg"));
  int hints = 0;
  for (const Missing& missing : report.missing) hints += !missing.how_to_get_it.empty();
  CHECK(hints >= 2);
}

TEST_CASE("something else listens on the socket") {
  FakeEngine engine([](const std::string&) { return ok("hello"); });
  CHECK(has(Machine(engine.endpoint()).ask("trainer"), "closed-source", "no container engine"));
}

TEST_CASE("without a journal the logs below /var/log are read, the newest first, those that are packed too") {
  FakeEngine engine(one_container);
  Machine machine(engine.endpoint());
  std::ofstream(machine.folder.path / "syslog") << "Nov 30 22:45:14 pi kernel: [  793.620075] prog: something\n";
  std::ofstream(machine.folder.path / "syslog.2.gz") << "\x1f\x8b not gzip";
  std::ofstream(machine.folder.path / "auth.log") << "Nov 30 22:45:14 pi sshd[1]: x\n";
  const Report report = machine.ask("oom-main");
  CHECK(has(report, "unreadable", "syslog.2.gz"));   // told, and the rest is read
  bool syslog = false, other = false;
  for (const Coverage& c : report.coverage) {
    syslog |= c.source.name == "syslog";
    other |= c.source.name == "auth.log";
  }
  CHECK(syslog);
  CHECK_FALSE(other);
}
