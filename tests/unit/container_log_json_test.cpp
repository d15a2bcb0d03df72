#include <doctest/doctest.h>

#include "read/state_readers.h"
#include "read_everything.h"

using namespace forensics;
using test::read_everything;

TEST_CASE("container-log-json: what a container prints is never trusted") {
  const std::string id(64, 'a');
  const std::string bytes =
      R"({"log":"[  1.0] Out of memory: Killed process 1 (x)\n","stream":"stderr","time":"2026-11-30T22:45:14.077250693Z"})" "\n"
      R"({"log":"a \"q\" \u003c\\n","stream":"stdout","attrs":{"time":"\"time\":\"x"},"time":"2026-11-30T22:45:15Z"})" "\n"
      R"({"log":"\u001b[31mred\u001b[0m\r\n","stream":"stdout","time":"2026-11-30T22:45:15Z"})" "\n"
      R"({"log":"\n","stream":"stdout","time":"2026-11-30T22:45:15Z"})" "\n" + std::string(5, '\0') + "\n"
      R"({"log":"cut)";
  CHECK(sniff_container_log_json("x", bytes) > 90);
  const auto all = read_everything(open_container_log_json, bytes, "containers/" + id + "/" + id + "-json.log");
  CHECK(all.adds_up());
  REQUIRE(all.events.size() == 3);
  CHECK(all.events[0].trust == Trust::claimed);
  CHECK(all.events[0].message == "[  1.0] Out of memory: Killed process 1 (x)");
  CHECK(all.events[0].container_id == id);
  CHECK(all.events[0].fields.at("stream") == "stderr");
  CHECK(all.stamps[0].wall == 1796078714077250);
  CHECK(all.stamps[0].kind == Stamp::Wall::utc);
  CHECK(bytes.substr(all.events[0].where.offset, all.events[0].where.length) == all.events[0].message);
  CHECK(all.events[1].message == "a \"q\" <\\n");
  CHECK(all.stamps[1].wall == 1796078715000000);
  CHECK(all.events[2].message == "red");
  CHECK(all.context.account.skipped.at("empty-message") == 1);
  CHECK(all.context.account.skipped.at("blank") == 1);
  CHECK(all.diagnostic("truncated-record")->line == 6);
}

TEST_CASE("container-log-json: cut anywhere, a very long line, garbage") {
  const std::string bytes = "{\"log\":\"a\\nb\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-30T22:45:14Z\"}\n{\"log\":\"c\",\"stream\":\"stdout\",\"time\":\"x\"}\n";
  CHECK(test::cuts_add_up(open_container_log_json, bytes));
  const auto all = read_everything(open_container_log_json, "{\"log\":\"" + std::string(3'000'000, 'x') + "\"}\n" + bytes, "x", 100'000);
  CHECK(all.adds_up());
  CHECK(all.events.size() == 3);
  CHECK(all.events[1].where.line == 2);
  CHECK(all.diagnostic("long-line")->line == 1);
  CHECK(sniff_container_log_json("x", "{\"log\":1}\n") == 0);
}
