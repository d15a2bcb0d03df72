#include "collect/containers.h"

#include <doctest/doctest.h>

#include "fake_engine.h"

using namespace forensics;

namespace {

std::vector<ListedContainer> some() {
  return *listed_containers(R"([
    {"Id":"5c8b92adda3ce2402ab9ef764b67c54eb000d4c2a738e5de7f2c7c48d8f73377","Names":["/trainer","/web/trainer"],"Image":"tf:2"},
    {"Id":"5c8b0000da3ce2402ab9ef764b67c54eb000d4c2a738e5de7f2c7c48d8f73377","Names":["/shop-db-1"],"Labels":{"com.docker.compose.service":"db"}},
    {"Id":"aaaa0000da3ce2402ab9ef764b67c54eb000d4c2a738e5de7f2c7c48d8f73377","Names":["/blog-db-1"],"Labels":{"com.docker.compose.service":"db"}},
    {"Id":"beef0000da3ce2402ab9ef764b67c54eb000d4c2a738e5de7f2c7c48d8f73377","Names":["/aaaa"]},
    17, {"Names":null,"Labels":null}])");
}

std::vector<std::string> called(const char* asked) {
  std::vector<std::string> names;
  for (const ListedContainer& c : containers_called(asked, some())) names.push_back(c.name());
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a container is found by its name, then its service, then its id") {
  CHECK(called("trainer") == Names{"trainer"});
  CHECK(called("db") == Names{"shop-db-1", "blog-db-1"});
  CHECK(called("5c8b92") == Names{"trainer"});
  CHECK(called("5c8b") == Names{"trainer", "shop-db-1"});
  CHECK(called("5c8") == Names{});        // too few digits
  CHECK(called("aaaa") == Names{"aaaa"});  // a name beats an id
  CHECK(called("") == Names{});
}

TEST_CASE("the nearest names come first") {
  CHECK(nearest_names("trianer", some(), 1) == Names{"trainer"});
  CHECK(nearest_names("dd", some(), 1) == Names{"db"});
  CHECK(nearest_names("x", {}, 5).empty());
}

TEST_CASE("answers that are none") {
  CHECK_FALSE(listed_containers(R"({"message":"no"})"));
  CHECK_FALSE(listed_containers("[{"));
  CHECK_FALSE(last_run("[]"));
  CHECK_FALSE(last_run(""));
  CHECK(id_in_events("garbage\n{}\n[1]\n").empty());
}

TEST_CASE("the last run, and a container that never ran") {
  const std::string recorded = test::file_text("engine/inspect.http");
  const auto run = last_run(recorded.substr(recorded.find("\r\n\r\n") + 4));
  REQUIRE(run);
  CHECK(run->name == "oom-main");
  CHECK(to_string(*run->since) == "2026-11-30T22:45:14.074Z");
  CHECK_FALSE(run->terminal);
  const auto never = last_run(R"({"Id":"ab","Name":"/x","Created":"2026-11-30T22:00:00Z","State":{"StartedAt":"0001-01-01T00:00:00Z"},"Config":{"Tty":true}})");
  REQUIRE(never);
  CHECK(to_string(*never->since) == "2026-11-30T22:00:00.000Z");
  CHECK(never->terminal);
}

TEST_CASE("a removed container is known by its events") {
  CHECK(id_in_events("{\"status\":\"die\",\"id\":\"5c8b92adda3c\"}\n{\"Actor\":{\"ID\":\"aaaa92adda3c\"}}\n") == "aaaa92adda3c");
}
