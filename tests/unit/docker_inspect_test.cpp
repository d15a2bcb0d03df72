#include <doctest/doctest.h>

#include "read/inspect_states.h"
#include "read/state_readers.h"
#include "read_everything.h"

using namespace forensics;
using test::Everything;
using test::read_everything;

namespace {

constexpr std::string_view whole = R"([
    {
        "Id": "5c8b92adda3ce2402ab9ef764b67c54eb000d4c2a738e5de7f2c7c48d8f73377",
        "Created": "2026-11-30T22:45:13.248806034Z",
        "Path": "prog",
        "Args": ["ExitCode: 1", "\"OOMKilled\": true"],
        "State": {
            "Status": "exited",
            "Running": false,
            "Paused": false,
            "Restarting": false,
            "OOMKilled": true,
            "Dead": false,
            "Pid": 0,
            "ExitCode": 137,
            "Error": "",
            "StartedAt": "2026-11-30T22:45:14.074959052Z",
            "FinishedAt": "2026-11-30T22:45:14.31236398Z"
        },
        "LogPath": "/var/lib/docker/x-json.log",
        "Name": "/oom-main",
        "RestartCount": 2,
        "HostConfig": {
            "LogConfig": {"Type": "json-file", "Config": {}},
            "RestartPolicy": {"Name": "on-failure", "MaximumRetryCount": 3},
            "Memory": 33554432,
            "CgroupParent": "/custom",
            "PidsLimit": null
        },
        "Mounts": [{"Type": "bind", "Name": "vol"}],
        "Config": {
            "Env": ["PASSWORD=hunter2"],
            "Cmd": ["prog", "--token=hunter2"],
            "Image": "lab:1",
            "StopSignal": "SIGINT",
            "StopTimeout": 7,
            "Labels": {"com.docker.compose.service": "trainer", "secret": "hunter2"}
        }
    }
]
)";

std::vector<std::string> messages(const Everything& all) {
  std::vector<std::string> out;
  for (const Event& e : all.events) out.push_back(e.message);
  return out;
}

Everything inspect(std::string_view bytes) {
  CHECK(sniff_docker_inspect("x", bytes) > 0);
  auto all = read_everything(open_docker_inspect, bytes);
  CHECK(all.adds_up());
  for (const Event& e : all.events) CHECK(show(bytes.substr(e.where.offset, e.where.length)) == e.text);
  return all;
}

}  // namespace

TEST_CASE("docker-inspect: every field of a whole document") {
  const Everything all = inspect(whole);
  CHECK(messages(all) == std::vector<std::string>{"oom_killed=true exit_code=137 status=exited",
                                                  "exited exit_code=137 oom_killed=true status=exited"});
  const Event& e = all.events.at(1);
  CHECK(e.text == "\"ExitCode\": 137");
  CHECK(e.where.line == 15);
  CHECK(e.trust == Trust::daemon);
  CHECK(e.identifier == "container-state");
  CHECK(e.container_name == "oom-main");
  CHECK(all.stamps.at(1).wall == 1796078714312363);
  CHECK(all.stamps.at(1).kind == Stamp::Wall::utc);
  CHECK(all.context.account.lines == 40);
  CHECK(all.context.account.records == 40);
  CHECK(all.context.account.skipped.at("no-event") == 38);
  CHECK(all.context.diagnostics.empty());
  REQUIRE(all.context.containers.size() == 1);
  const Container& c = all.context.containers[0];
  CHECK(c.id == "5c8b92adda3ce2402ab9ef764b67c54eb000d4c2a738e5de7f2c7c48d8f73377");
  CHECK(c.name == "oom-main");
  CHECK(c.image == "lab:1");
  CHECK(c.service == "trainer");
  CHECK(c.status == "exited");
  CHECK_FALSE(c.running);
  CHECK(c.exit_code == 137);
  CHECK(c.oom_killed == true);
  CHECK(c.memory_limit_bytes == 33554432);
  CHECK(c.pids_limit == 0);
  CHECK(c.stop_timeout_s == 7);
  CHECK(c.stop_signal == "SIGINT");
  CHECK(c.restart_policy == "on-failure");
  CHECK(c.restart_count == 2);
  CHECK(c.cgroup_parent == "/custom");
  CHECK(c.log_driver == "json-file");
  CHECK(c.log_path == "/var/lib/docker/x-json.log");
  CHECK(to_string(*c.created_at) == "2026-11-30T22:45:13.248Z");
  CHECK(to_string(*c.finished_at) == "2026-11-30T22:45:14.312Z");
}

TEST_CASE("docker-inspect: pieces") {
  SUBCASE("cut off in front and behind") {
    const Everything all = inspect(R"(            "OOMKilled": false,
            "ExitCode": 139,
            "Error": "",
            "FinishedAt": "2026-11-30T23:45:14+01:00"
        },
        "Name": "/web",
        "HostConfig": {
            "Memory": 0,
)");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=139 oom_killed=false"});
    CHECK(all.events.at(0).container_name == "web");
    CHECK(all.stamps.at(0).wall == 1796078714000000);
    CHECK(all.context.containers.at(0).memory_limit_bytes == 0);
    CHECK(all.diagnostic("truncated-record") != nullptr);
  }
  SUBCASE("without quotes") {
    const Everything all = inspect("State:{\nDead:false,\nError:\"\",\nExitCode:137,\nFinishedAt:\"2025-06-06T21:54:22Z\",\n"
                                   "OOMKilled:false,\nRunning:false,\nStatus:\"exited\"\n}\n");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=137 oom_killed=false status=exited"});
    CHECK(all.events.at(0).text == "ExitCode:137");
    CHECK(all.events.at(0).where.line == 4);
  }
  SUBCASE("quoted in a thread") {
    const Everything all = inspect("> \"State\": {\n>             \"OOMKilled\": false,>  \n>   \"ExitCode\": 1,\n> },\n");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=1 oom_killed=false"});
  }
  SUBCASE("grep over several") {
    const Everything all = inspect("\"OOMKilled\": false,\n\"ExitCode\": 1,\n\"OOMKilled\": true,\n\"ExitCode\": 137,\n"
                                   "\"OOMKilled\": false,\n\"ExitCode\": 0,\n");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=1 oom_killed=false", "oom_killed=true exit_code=137",
                                                    "exited exit_code=137 oom_killed=true",
                                                    "exited exit_code=0 oom_killed=false"});
    CHECK(all.context.containers.size() == 3);
  }
  SUBCASE("Go's map") {
    const Everything all = inspect("map[Dead:false Error: ExitCode:137 FinishedAt:2021-01-02T03:04:05Z OOMKilled:true Running:false "
                                   "StartedAt:2021-01-02T03:00:00Z Status:exited]\n");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=137 oom_killed=true status=exited",
                                                    "oom_killed=true exit_code=137 status=exited"});
    CHECK(all.stamps.at(0).wall == 1609556645000000);
  }
}

TEST_CASE("docker-inspect: running, restarting, never started") {
  SUBCASE("running after a restart: the exit code says nothing") {
    const Everything all = inspect(R"({"Status":"running","Running":true,"OOMKilled":false,"Pid":7893,"ExitCode":0,"Error":"",)"
                                   R"("StartedAt":"2018-02-16T11:16:38.28Z","FinishedAt":"2018-02-16T11:16:36.48Z"})");
    CHECK(messages(all) == std::vector<std::string>{"running status=running exit_code=0 restart_count=0"});
    CHECK(all.context.containers.at(0).running);
    CHECK(all.context.containers.at(0).pid == 7893);
  }
  SUBCASE("between two restarts") {
    const Everything all = inspect(R"({"State":{"Status":"restarting","Running":true,"Restarting":true,"OOMKilled":false,"Pid":0,"ExitCode":1,)"
                                   R"("StartedAt":"2018-02-16T11:16:30Z","FinishedAt":"2018-02-16T11:16:36.48Z"},"Name":"/a"})");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=1 oom_killed=false status=restarting"});
    CHECK_FALSE(all.context.containers.at(0).running);
  }
  SUBCASE("the start failed") {
    const Everything all = inspect(R"({"Id":"ab","Created":"2026-11-30T22:45:34.721589Z","State":{"Status":"created","Running":false,"OOMKilled":false,)"
                                   R"("ExitCode":127,"Error":"exec: \"x\":\nnot found","StartedAt":"0001-01-01T00:00:00Z",)"
                                   R"("FinishedAt":"0001-01-01T00:00:00Z"}})");
    CHECK(messages(all) == std::vector<std::string>{R"(never-started exit_code=127 status=created error="exec: "x": not found")",
                                                    R"(error="exec: "x": not found" exit_code=127 status=created)"});
    CHECK(all.stamps.at(0).wall == 1796078734721589);
  }
  SUBCASE("only created") {
    const Everything all = inspect(R"({"State":{"Status":"created","Running":false,"OOMKilled":false,"ExitCode":0,"Error":"",)"
                                   R"("StartedAt":"0001-01-01T00:00:00Z","FinishedAt":"0001-01-01T00:00:00Z"},"Name":"/a"})");
    CHECK(all.events.empty());
    CHECK(all.context.containers.size() == 1);
  }
  SUBCASE("a run of a moment: noted as started after it ended") {
    const Everything all = inspect(R"({"State":{"Status":"exited","Running":false,"OOMKilled":false,"ExitCode":1,"Error":"",)"
                                   R"("StartedAt":"2026-11-30T22:45:12.546740949Z","FinishedAt":"2026-11-30T22:45:12.545661124Z"}})");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=1 oom_killed=false status=exited"});
  }
}

TEST_CASE("docker-inspect: health") {
  const Everything all = inspect(R"({
  "Status": "unhealthy",
  "FailingStreak": 3,
  "Log": [
    {"Start": "2026-08-17T13:37:46+02:00", "End": "2026-08-17T13:37:46.1+02:00", "ExitCode": 0, "Output": ""},
    {"Start": "2026-08-17T13:38:46+02:00", "End": "2026-08-17T13:38:49+02:00", "ExitCode": -1, "Output": "timeout 3s"}
  ]
})");
  CHECK(messages(all) == std::vector<std::string>{"health=unhealthy streak=3", R"(health_log exit_code=-1 output="timeout 3s")"});
  CHECK(all.stamps.at(1).wall == 1786966729000000);
  CHECK(all.events.at(0).text == "\"Status\": \"unhealthy\"");
}

TEST_CASE("docker-inspect: other engines") {
  SUBCASE("swarm task") {
    const Everything all = inspect(R"([{"ID":"t1","Spec":{"ContainerSpec":{"Image":"web:1"}},"Status":{"Timestamp":"2020-01-02T03:04:05Z",
"State":"failed","Message":"started","Err":"task: non-zero exit (137): dockerexec: unhealthy container",
"ContainerStatus":{"ContainerID":"abc","PID":0,"ExitCode":137}},"DesiredState":"shutdown"}])");
    CHECK(messages(all) == std::vector<std::string>{
                               R"x(error="task: non-zero exit (137): dockerexec: unhealthy container" exit_code=137 status=failed)x",
                               R"x(exited exit_code=137 status=failed error="task: non-zero exit (137): dockerexec: unhealthy container")x"});
    CHECK(all.context.containers.at(0).id == "abc");
    CHECK(all.context.containers.at(0).image == "web:1");
  }
  SUBCASE("config.v2.json") {
    const Everything all = inspect(R"({"StreamConfig":{},"State":{"Running":false,"Paused":false,"Restarting":false,"OOMKilled":false,"RemovalInProgress":false,"Dead":false,"Pid":0,"ExitCode":143,"Error":"","StartedAt":"2021-01-02T03:00:00Z","FinishedAt":"2021-01-02T03:04:05Z","Health":null},"ID":"abcd","Image":"sha256:1","Config":{"Image":"web:1"},"Name":"/w"})");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=143 oom_killed=false status=exited"});
    CHECK(all.context.containers.at(0).id == "abcd");
    CHECK(all.context.containers.at(0).image == "web:1");
  }
  SUBCASE("crictl") {
    const Everything all = inspect(R"({"status":{"id":"abcd","metadata":{"attempt":2,"name":"app"},"state":"CONTAINER_EXITED",
"createdAt":"2023-11-20T03:01:58.1+00:00","startedAt":"2024-03-14T04:11:38.2+01:00","finishedAt":"2024-03-14T04:13:41.5+01:00","exitCode":137,
"image":{"image":"web:1"},"reason":"OOMKilled","message":"","labels":{"io.kubernetes.container.name":"app","io.kubernetes.pod.name":"p","io.kubernetes.pod.namespace":"n"}},
"info":{"pid":0}})");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=137 oom_killed=true status=exited", "reason=OOMKilled exit_code=137"});
    const Container& c = all.context.containers.at(0);
    CHECK(c.id == "abcd");
    CHECK(c.name == "app");
    CHECK(c.pod == "n/p");
    CHECK(to_string(*c.finished_at) == "2024-03-14T03:13:41.500Z");
  }
  SUBCASE("kubectl get pod -o json") {
    const Everything all = inspect(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"n"},"status":{"containerStatuses":[
{"containerID":"containerd://new","image":"web:1","name":"app","restartCount":3,
 "lastState":{"terminated":{"containerID":"containerd://old","exitCode":137,"finishedAt":"2024-03-14T04:13:41Z","reason":"Error","startedAt":"2024-03-14T04:11:38Z"}},
 "state":{"running":{"startedAt":"2023-11-20T03:04:04Z"}}}]}})");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=137 oom_killed=false status=exited", "reason=Error exit_code=137"});
    const Container& c = all.context.containers.at(0);
    CHECK(c.id == "old");
    CHECK(c.name == "app");
    CHECK(c.pod == "n/p");
    CHECK(c.restart_count == 3);
  }
  SUBCASE("kubectl get pod -o yaml") {
    const Everything all = inspect(R"(status:
  containerStatuses:
  - containerID: containerd://new
    image: web:1
    lastState:
      terminated:
        containerID: containerd://old
        exitCode: 137
        finishedAt: "2024-03-14T04:13:41Z"
        reason: OOMKilled
        startedAt: "2024-03-14T04:11:38Z"
    name: app
    ready: true
    restartCount: 3
    state:
      running:
        startedAt: "2023-11-20T03:04:04Z"
)");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=137 oom_killed=true status=exited", "reason=OOMKilled exit_code=137"});
    CHECK(all.events.at(0).text == "exitCode: 137");
    const Container& c = all.context.containers.at(0);
    CHECK(c.id == "old");
    CHECK(c.name == "app");
    CHECK(c.restart_count == 3);
    CHECK(to_string(*c.finished_at) == "2024-03-14T04:13:41.000Z");
  }
  SUBCASE("podman inspect: local offsets") {
    const Everything all = inspect(R"([{"Id":"abc","State":{"OciVersion":"1.0","Status":"exited","Running":false,"OOMKilled":true,"Pid":0,"ConmonPid":0,"ExitCode":137,"Error":"","StartedAt":"2023-05-22T10:14:03.1+02:00","FinishedAt":"2023-05-22T10:14:13.514785974+02:00","Healthcheck":{"Status":"","FailingStreak":0,"Log":null}},"ImageName":"docker.io/web:1","Name":"w"}])");
    CHECK(messages(all).size() == 2);
    CHECK(to_string(*all.context.containers.at(0).finished_at) == "2023-05-22T08:14:13.514Z");
    CHECK(all.context.containers.at(0).image == "docker.io/web:1");
  }
  SUBCASE("docker ps --format json") {
    const Everything all = inspect(R"({"Command":"\"prog\"","ID":"5826a62e58b2","Image":"lab:1","Names":"paused","State":"exited","Status":"Exited (137) 1 second ago"})");
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=137 status=exited"});
    CHECK(all.events.at(0).container_id == "5826a62e58b2");
  }
}

TEST_CASE("docker-inspect: secrets stay where they are") {
  const Everything all = inspect(whole);
  for (const Event& e : all.events) {
    CHECK(e.message.find("hunter2") == std::string::npos);
    CHECK(e.text.find("hunter2") == std::string::npos);
  }
  CHECK_FALSE(inspect_key("Env"));
  CHECK_FALSE(inspect_key("Cmd"));
}

TEST_CASE("docker-inspect: what the end of the file tears is not used") {
  const std::string text(whole);
  const auto until = [&](std::string_view behind) { return inspect(text.substr(0, text.find(behind) + behind.size())); };
  SUBCASE("a number") {
    for (const std::string_view end : {"\"ExitCode\":", "\"ExitCode\": 1", "\"ExitCode\": 13", "\"ExitCode\": 137"}) {
      const Everything all = until(end);
      CHECK(messages(all) == std::vector<std::string>{"oom_killed=true status=exited"});
      CHECK(all.diagnostic("truncated-record") != nullptr);
    }
    CHECK(messages(until("\"ExitCode\": 137,")).size() == 2);
  }
  SUBCASE("a name") {
    CHECK(until("\"Name\": \"/oom-").context.containers.at(0).name.empty());
    CHECK(until("\"Name\": \"/oom-main\"").context.containers.at(0).name == "oom-main");
  }
  SUBCASE("every cut is told") {
    for (std::size_t i = 1; i < text.rfind(']'); ++i) CHECK(read_everything(open_docker_inspect, text.substr(0, i)).diagnostic("truncated-record") != nullptr);
  }
}

TEST_CASE("docker-inspect: too much of it") {
  std::string many = "[";
  SUBCASE("containers") {
    for (int i = 0; i < 9000; ++i) many += R"({"State":{"ExitCode":1,"OOMKilled":false}},)";
    const Everything all = inspect(many + "{}]");
    CHECK(all.context.containers.size() == 8192);
    CHECK(all.diagnostic("too-large") != nullptr);
  }
  SUBCASE("values") {
    many += R"({"State":{"OOMKilled":true,)";
    for (int i = 0; i < 250'000; ++i) many += R"("ExitCode":1,)";
    const Everything all = inspect(many + "}}]");
    CHECK(all.diagnostic("too-large") != nullptr);
    CHECK(all.diagnostic("truncated-record") == nullptr);   // it is whole, only not read to its end
  }
  SUBCASE("one line of more than 16 MiB: what stands in front is used") {
    const std::string line = R"({"State":{"ExitCode":3,"OOMKilled":false},"Args":[")" + std::string(17 << 20, 'x') + "\"]}";
    const Everything all = inspect(line);
    CHECK(messages(all) == std::vector<std::string>{"exited exit_code=3 oom_killed=false"});
    CHECK(all.diagnostic("too-large") != nullptr);
    CHECK(all.diagnostic("truncated-record") == nullptr);
    CHECK(all.adds_up());
  }
}

TEST_CASE("docker-inspect: bad input") {
  CHECK(test::cuts_add_up(open_docker_inspect, whole));
  CHECK(read_everything(open_docker_inspect, std::string(300000, '{')).adds_up());
  CHECK(read_everything(open_docker_inspect, std::string(300000, '}')).adds_up());
  CHECK(read_everything(open_docker_inspect, std::string("\0\xff\"\\", 4)).adds_up());
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "\"ExitCode\": 1}\n";
  CHECK(read_everything(open_docker_inspect, many).adds_up());
}

TEST_CASE("docker-inspect: logs that only speak of such things are not it") {
  CHECK(sniff_docker_inspect("x", "Nov 30 10:00:00 pi app[1]: \"OOMKilled\": true\nNov 30 10:00:01 pi app[1]: next\n") < 50);
  CHECK(sniff_docker_inspect("x", "{\"log\":\"x\\n\",\"stream\":\"stdout\",\"time\":\"2020-01-01T00:00:00Z\"}\n") == 0);
  CHECK(sniff_docker_inspect("x", "") == 0);
}
