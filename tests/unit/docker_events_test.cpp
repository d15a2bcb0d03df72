#include <doctest/doctest.h>

#include "read/state_readers.h"
#include "read_everything.h"

using namespace forensics;
using test::read_everything;

namespace {

const std::string id = "28c25b32e8956b5759a9e67575404a105900c46564c774cf31294be2f8410174";

}  // namespace

TEST_CASE("docker-events: text, attributes with commas, equals and JSON") {
  const std::string line = "2021-02-17T09:36:00.042318605-05:00 container die " + id +
                           " (annotation.io.kubernetes.container.ports=[{\"name\":\"p\",\"containerPort\":8888}], exitCode=137, image=web:1, "
                           "my.label=a, b, c=d, name=web)\n";
  CHECK(sniff_docker_events("x", line) > 90);
  const auto all = read_everything(open_docker_events, line);
  REQUIRE(all.events.size() == 1);
  CHECK(all.adds_up());
  const Event& e = all.events[0];
  CHECK(e.message == "container die " + id + " (exitCode=137, image=web:1, name=web)");
  CHECK(e.identifier == "docker-events");
  CHECK(e.trust == Trust::daemon);
  CHECK(e.container_id == id);
  CHECK(e.container_name == "web");
  CHECK(e.fields.at("exitcode") == "137");
  CHECK(all.stamps[0].wall == 1613572560042318);
  CHECK(show(line.substr(e.where.offset, e.where.length)) == e.text);
  CHECK(e.text.find("my.label") == std::string::npos);
  CHECK(e.text.find("exitCode=137") != std::string::npos);
}

TEST_CASE("docker-events: a label cannot change the exit code") {
  const auto all = read_everything(open_docker_events, "2021-02-17T09:36:00Z container die " + id + " (exitCode=137, image=i, name=n, z=1, exitCode=0)\n");
  REQUIRE(all.events.size() == 1);
  CHECK(all.events[0].message == "container die " + id + " (image=i, name=n)");
  CHECK_FALSE(all.events[0].fields.contains("exitcode"));
}

TEST_CASE("docker-events: every form of one event is one message") {
  const std::string expected = "container die " + id + " (exitCode=137, image=web:1, name=web)";
  const std::vector<std::string> forms = {
      "2026-11-30T22:45:11.132695314Z container die " + id + " (exitCode=137, image=web:1, name=web)\n",
      R"({"status":"die","id":")" + id + R"(","from":"web:1","Type":"container","Action":"die","Actor":{"ID":")" + id +
          R"(","Attributes":{"exitCode":"137","image":"web:1","lab":"secret","name":"web"}},"scope":"local","time":1796078711,"timeNano":1796078711132695314})" + "\n",
      R"({"Type":"container","Action":"die","Actor":{"ID":")" + id +
          R"(","Attributes":{"exitCode":"137","image":"web:1","name":"web"}},"scope":"local","time":1796078711,"timeNano":1796078711132695314})" + "\n",
      R"({"ContainerExitCode":137,"ID":")" + id + R"(","Image":"web:1","Name":"web","Status":"died","time":1796078711,"timeNano":1796078711132695314,"Type":"container"})" + "\n"};
  for (const std::string& form : forms) {
    CHECK(sniff_docker_events("x", form) > 90);
    const auto all = read_everything(open_docker_events, form);
    REQUIRE(all.events.size() == 1);
    CHECK(all.events[0].message == expected);
    CHECK(all.events[0].container_name == "web");
    CHECK(all.stamps[0].wall == 1796078711132695);
    CHECK(all.events[0].text.find("secret") == std::string::npos);
  }
}

TEST_CASE("docker-events: podman's text, old docker's text, exec, health, network") {
  const std::string bytes = "2023-01-02 03:04:05.123456789 +0100 CET container died " + id + " (image=web:1, name=web)\n" +
                            "2015-04-28T20:51:11.5Z " + id + ": (from web:1) die\n" +
                            "2021-02-17T09:36:00Z container exec_start: sh -c TOKEN=x " + id + " (image=web:1, name=web)\n" +
                            "2021-02-17T09:36:01Z container health_status: unhealthy " + id + " (image=web:1, name=web)\n" +
                            "2021-02-17T09:36:02Z network disconnect f1a3efb092ac (container=" + id + ", name=none, type=null)\n" +
                            "2021-02-17T09:36:02Z container kill " + id + " (image=web:1, name=web, signal=15)\n";
  const auto all = read_everything(open_docker_events, bytes);
  REQUIRE(all.events.size() == 6);
  CHECK(all.events[0].message == "container die " + id + " (image=web:1, name=web)");
  CHECK(all.stamps[0].wall == 1672625045123456);
  CHECK(all.events[1].message == "container die " + id + " (image=web:1)");
  CHECK(all.events[2].message == "container exec_start " + id + " (image=web:1, name=web)");
  CHECK(all.events[2].text.find("TOKEN") == std::string::npos);
  CHECK(all.events[3].message == "container health_status: unhealthy " + id + " (image=web:1, name=web)");
  CHECK(all.events[4].container_id.empty());
  CHECK(all.events[5].message == "container kill " + id + " (image=web:1, name=web, signal=15)");
  for (const Event& e : all.events) CHECK(show(bytes.substr(e.where.offset, e.where.length)) == e.text);
}

TEST_CASE("docker-events: bad input") {
  const std::string bytes = "2021-02-17T09:36:00Z container die " + id + " (exitCode=137, image=web:1)\n" +
                            R"({"Type":"container","Action":"die","Actor":{"ID":"ab","Attributes":{"exitCode":"1"}},"time":1})" + "\n";
  CHECK(test::cuts_add_up(open_docker_events, bytes));
  const auto all = read_everything(open_docker_events, "nonsense\n\n" + bytes + R"({"Type":"container","Action":"di)");
  CHECK(all.events.size() == 2);
  CHECK(all.adds_up());
  CHECK(all.diagnostic("bad-record")->line == 1);
  CHECK(all.diagnostic("truncated-record")->line == 5);
  CHECK(all.context.account.skipped.at("blank") == 1);
  CHECK(sniff_docker_events("x", "2021-02-17T09:36:00Z host app[1]: container die\n") == 0);
}
