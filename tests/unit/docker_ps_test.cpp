#include <doctest/doctest.h>

#include "read/state_readers.h"
#include "read_everything.h"

using namespace forensics;
using test::Everything;
using test::read_everything;

namespace {

/// Messages of what engines say; other lines are text.
std::vector<std::string> states(const Everything& all) {
  std::vector<std::string> out;
  for (const Event& e : all.events)
    if (!e.identifier.empty()) out.push_back(e.container_name + ": " + e.message);
  return out;
}

}  // namespace

TEST_CASE("docker-ps: the table") {
  const std::string bytes =
      "$ docker ps -a\n"
      "CONTAINER ID   IMAGE        COMMAND                  CREATED              STATUS                        PORTS     NAMES\n"
      "bab5bf626f32   redacted     \"/usr/sbin/redacted…\"   4 months ago         Exited (128) 18 seconds ago             mycontainer\n"
      "bab5bf626f61   web:1        \"sh -c 'x  Exited (0)…\"   4 months ago   Restarting (1) 4 seconds ago      loop\n"
      "bab5bf626f62   web:1        \"web\"   4 months ago   Up 2 hours (unhealthy)   0.0.0.0:80->80/tcp   web\n"
      "bab5bf626f63   web:1        \"web\"   4 months ago   Created      never\n";
  CHECK(sniff_docker_ps("x", bytes) > 80);
  const Everything all = read_everything(open_docker_ps, bytes);
  CHECK(all.adds_up());
  CHECK(states(all) == std::vector<std::string>{"mycontainer: exited exit_code=128 status=exited", "loop: exited exit_code=1 status=restarting",
                                                "web: running status=running restart_count=0", "web: health=unhealthy"});
  CHECK(all.events.at(2).text == "Exited (128) 18 seconds ago             mycontainer");
  CHECK(all.events.at(2).where.line == 3);
  CHECK(all.events.at(2).trust == Trust::daemon_text);
  CHECK(all.events.at(2).container_id == "bab5bf626f32");
  CHECK(all.events.at(0).trust == Trust::claimed);
  CHECK(all.stamps.at(2).kind == Stamp::Wall::none);
  CHECK(all.context.containers.size() == 4);
  CHECK(all.context.containers.at(0).exit_code == 128);
  for (const Event& e : all.events) CHECK(show(bytes.substr(e.where.offset, e.where.length)) == e.text);
}

TEST_CASE("docker-ps: compose, new and old") {
  const std::string bytes =
      "NAME        IMAGE    COMMAND   SERVICE   CREATED        STATUS                       PORTS\n"
      "app-web-1   web:1    \"web\"     web       2 hours ago    Exited (137) 2 minutes ago\n";
  CHECK(sniff_docker_ps("x", bytes) > 80);
  const Everything all = read_everything(open_docker_ps, bytes);
  CHECK(states(all) == std::vector<std::string>{"app-web-1: exited exit_code=137 status=exited"});
  CHECK(all.context.containers.at(0).service == "web");

  const std::string old = "   Name         Command       State     Ports\n------------------------------\napp_web_1   /bin/sh -c web   Exit 137\n";
  CHECK(sniff_docker_ps("x", old) > 50);
  CHECK(states(read_everything(open_docker_ps, old)) == std::vector<std::string>{"app_web_1: exited exit_code=137 status=exited"});
}

TEST_CASE("docker-ps: cut anywhere, and what is no table") {
  CHECK(test::cuts_add_up(open_docker_ps, "CONTAINER ID   IMAGE   STATUS   NAMES\nbab5bf626f32   web:1   Exited (1) 3 s ago   x\n\n\xff\n"));
  CHECK(sniff_docker_ps("x", "Nov 30 10:00:00 pi dockerd[1]: Exited (137)\n") == 0);
  CHECK(sniff_docker_ps("x", "") == 0);
}
