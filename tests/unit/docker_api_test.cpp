#include "collect/docker_api.h"

#include <doctest/doctest.h>

#include "fake_engine.h"
#include "forensics/error.h"

using namespace forensics;
using namespace forensics::test;
using std::chrono::milliseconds;

namespace {

std::string body_of(const std::string& recorded) { return recorded.substr(recorded.find("\r\n\r\n") + 4); }

EngineAnswer ask(const std::string& reply, EngineLimits limits = {}, milliseconds pause = {}, std::size_t piece = 1 << 20) {
  FakeEngine engine([&](const std::string&) { return reply; }, pause, piece);
  return EngineClient(engine.endpoint(), limits).get("/info");
}

}  // namespace

TEST_CASE("a recorded answer, whole and in chunks of any size") {
  const std::string body = body_of(file_text("engine/inspect.http"));
  REQUIRE(body.size() > 3000);
  for (const std::size_t size : {1u, 7u, 4096u}) {
    const EngineAnswer answer = ask(chunked(body, size));
    CHECK(answer.good());
    CHECK(answer.body == body);
  }
  CHECK(ask(ok(body)).body == body);
  CHECK(ask("HTTP/1.0 200 OK\r\n\r\nuntil the end").body == "until the end");
}

TEST_CASE("it asks with GET, without a version, and nothing else") {
  FakeEngine engine([](const std::string&) { return ok("{}"); });
  CHECK(EngineClient(engine.endpoint()).get("/containers/json?all=1").good());
  CHECK(EngineClient(engine.path()).get("/info").good());
  CHECK(engine.requests == std::vector<std::string>{"GET /containers/json?all=1", "GET /info"});
}

TEST_CASE("an answer that is cut keeps its beginning") {
  const EngineAnswer length = ask("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
  CHECK(length.trouble == EngineTrouble::cut);
  CHECK(length.status == 200);
  CHECK(length.body == "short");
  const EngineAnswer chunks = ask("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nff\r\nmore");
  CHECK(chunks.trouble == EngineTrouble::cut);
  CHECK(chunks.body.substr(0, 5) == "hello");
}

TEST_CASE("an engine that is too slow") {
  const EngineLimits limits{milliseconds(200), milliseconds(200), 1 << 20};
  const auto before = std::chrono::steady_clock::now();
  const EngineAnswer answer = ask(ok(std::string(100, 'x')), limits, milliseconds(50), 4);
  CHECK(answer.trouble == EngineTrouble::timed_out);
  CHECK(std::chrono::steady_clock::now() - before < milliseconds(3000));
  CHECK(ask("", limits).trouble == EngineTrouble::not_http);   // it closes without a word
}

TEST_CASE("what is not HTTP is no engine") {
  CHECK(ask("SSH-2.0-OpenSSH_9.2\r\n").trouble == EngineTrouble::not_http);
  CHECK(ask(std::string(5000, '\0')).trouble == EngineTrouble::not_http);
  CHECK(ask("\x15\x03\x01\x00\x02\x02\x0a").trouble == EngineTrouble::not_http);
}

TEST_CASE("an HTTP error is an answer, not trouble") {
  const EngineAnswer answer = ask("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}");
  CHECK(answer.trouble == EngineTrouble::none);
  CHECK(answer.status == 404);
  CHECK_FALSE(answer.good());
}

TEST_CASE("more than 16 MiB is refused") {
  const EngineAnswer answer = ask(chunked(std::string(17 << 20, 'x'), 1 << 20));
  CHECK(answer.trouble == EngineTrouble::too_large);
  CHECK(answer.body.size() <= (16u << 20));
  CHECK(ask("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx").trouble == EngineTrouble::too_large);
  CHECK(ask(chunked(std::string(15 << 20, 'x'), 1 << 20)).good());
}

TEST_CASE("no socket, a file that is none, an address that is none") {
  const TemporaryFolder folder;
  CHECK(EngineClient("unix://" + (folder.path / "none.sock").string()).get("/info").trouble == EngineTrouble::absent);
  std::ofstream(folder.path / "file") << "x";
  CHECK(EngineClient((folder.path / "file").string()).get("/info").trouble == EngineTrouble::absent);
  CHECK(EngineClient("tcp://127.0.0.1:1").get("/info").trouble == EngineTrouble::absent);
  for (const char* bad : {"ssh://host", "unix://relative", "tcp://", "tcp://host:port", "docker.sock"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(EngineClient{std::string(bad)}, Error);
  }
}

TEST_CASE("where engines listen") {
  CHECK(engine_endpoints("tcp://pi:2375") == std::vector<std::string>{"tcp://pi:2375"});
  const char* const host = std::getenv("DOCKER_HOST");
  if (host == nullptr) CHECK(engine_endpoints("").front() == "unix:///var/run/docker.sock");
}

TEST_CASE("the frames of a log are taken off; a terminal has none") {
  const std::string text = without_frames(body_of(file_text("engine/logs.http")));
  CHECK(text == "2026-11-30T22:45:18.014373713Z main: forking\n2026-11-30T22:45:18.239025923Z main: child 7 status signal=9\n");
  CHECK(without_frames("2026-11-30T22:45:18Z plain\n") == "2026-11-30T22:45:18Z plain\n");
  CHECK(without_frames(std::string("\x01\0\0\0\0\0\0\x10half", 12)) == "half");
  CHECK(without_frames(std::string("\x02\0\0\0\xff\xff\xff\xff", 8)) == "");
  CHECK(without_frames("") == "");
  CHECK(url_encoded(R"({"a":["x y"]})") == "%7B%22a%22%3A%5B%22x%20y%22%5D%7D");
}
