#include <doctest/doctest.h>

#include "read/state_readers.h"
#include "read_everything.h"

using namespace forensics;
using test::Everything;
using test::read_everything;

namespace {

std::vector<std::string> states(const Everything& all) {
  std::vector<std::string> out;
  for (const Event& e : all.events)
    if (!e.identifier.empty()) out.push_back(e.identifier + ": " + e.message);
  return out;
}

constexpr std::string_view described = R"(Name:             api-7c9
Namespace:        shop
Containers:
  api:
    Container ID:   containerd://abcd
    Image:          web:1
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Thu, 14 Mar 2024 05:11:38 +0100
      Finished:     Thu, 14 Mar 2024 05:13:41 +0100
    Ready:          False
    Restart Count:  5
  side:
    State:          Running
      Started:      Thu, 14 Mar 2024 05:13:43 +0100
    Ready:          True
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Killing    18m (x2 over 18m)  kubelet, rack2-n7    Stopping container api
  Warning  Unhealthy  3m (x9 over 10m)   kubelet            Liveness probe failed: Get "http://10.1.2.3/": refused
)";

}  // namespace

TEST_CASE("kubectl: describe pod") {
  CHECK(sniff_kubectl("x", described) > 80);
  const Everything all = read_everything(open_kubectl, described);
  CHECK(all.adds_up());
  CHECK(states(all) == std::vector<std::string>{
                           "container-state: reason=CrashLoopBackOff", "container-state: reason=OOMKilled exit_code=137",
                           "container-state: exited exit_code=137 oom_killed=true status=exited",
                           "kubernetes-events: reason=Killing message=Stopping container api",
                           "kubernetes-events: reason=Unhealthy message=Liveness probe failed: Get \"http://10.1.2.3/\": refused"});
  REQUIRE(all.context.containers.size() == 1);
  const Container& c = all.context.containers[0];
  CHECK(c.name == "api");
  CHECK(c.pod == "shop/api-7c9");
  CHECK(c.id.empty());   // the one printed is that of the run now
  CHECK(c.exit_code == 137);
  CHECK(c.oom_killed == true);
  CHECK(c.restart_count == 5);
  CHECK(to_string(*c.finished_at) == "2024-03-14T04:13:41.000Z");
  for (std::size_t i = 0; i < all.events.size(); ++i) {
    const Event& e = all.events[i];
    CHECK(show(described.substr(e.where.offset, e.where.length)) == e.text);
    if (e.message.starts_with("exited")) {
      CHECK(e.text == "Exit Code:    137");
      CHECK(e.where.line == 11);
      CHECK(e.trust == Trust::daemon_text);
      CHECK(all.stamps[i].wall == 1710389621000000);
    }
    if (e.identifier.empty()) CHECK(e.trust == Trust::claimed);
  }
}

TEST_CASE("kubectl: ended now and before, without indentation") {
  const Everything all = read_everything(open_kubectl, "web:\nContainer ID: docker://aa\nState: Terminated\nReason: Error\nExit Code: 1\n"
                                                       "Last State: Terminated\nReason: OOMKilled\nExit Code: 137\nReady: False\n");
  CHECK(states(all).size() == 4);
  REQUIRE(all.context.containers.size() == 1);
  CHECK(all.context.containers[0].exit_code == 1);
  CHECK(all.context.containers[0].id == "aa");
}

TEST_CASE("kubectl: events and pods") {
  const std::string bytes =
      "LAST SEEN   TYPE      REASON    OBJECT        MESSAGE\n"
      "4m11s       Warning   Evicted   pod/cart-7c9   The node was low on resource: memory. Container egg was using 1Ki, request is 0.\n"
      "NAME      READY   STATUS    RESTARTS   AGE\n"
      "cart-7c9   0/1     Evicted   0          102d\n"
      "cart-7d0   1/1     Running   0          102d\n"
      "Message:        The node was low on resource: memory.\n";
  CHECK(sniff_kubectl("x", bytes) > 80);
  const Everything all = read_everything(open_kubectl, bytes);
  CHECK(all.adds_up());
  CHECK(states(all) == std::vector<std::string>{
                           "kubernetes-events: reason=Evicted message=The node was low on resource: memory. Container egg was using 1Ki, request is 0.",
                           "container-state: reason=Evicted", "kubernetes-events: message=The node was low on resource: memory."});
  CHECK(all.events.at(1).fields.at("object") == "pod/cart-7c9");
}

TEST_CASE("kubectl: cut anywhere, and what is not its own") {
  CHECK(test::cuts_add_up(open_kubectl, described.substr(60, 500)));
  CHECK(sniff_kubectl("x", "[    1.000000] State: Terminated\n") == 0);
  CHECK(sniff_kubectl("x", "Nov 30 10:00:00 pi kernel: Warning Evicted\n") == 0);
}
