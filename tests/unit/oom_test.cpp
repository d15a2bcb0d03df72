#include <doctest/doctest.h>

#include "dump_text.h"

using namespace forensics;
using namespace forensics::test;

TEST_CASE("a memory cgroup's limit on cgroup v1, kernel 6.1") {
  const auto dumps = read_dumps("oom", recorded("memcg-v1.txt"));
  REQUIRE(dumps.size() == 2);
  const Dump& dump = dumps[1];
  CHECK(dump.complete);
  CHECK(fact(dump, "comm") == "prog");
  CHECK(fact(dump, "pid") == "103");
  CHECK(fact(dump, "uid") == "0");
  CHECK(fact(dump, "scope") == "cgroup");
  CHECK(fact(dump, "killed") == "true");
  CHECK(fact(dump, "limiter") == "/docker/4f7bb153e3b6895914c00e5a42d5c0dec3227167bc90597dbcfdd6b32c4f3da8");
  CHECK(fact(dump, "cgroup") == fact(dump, "limiter"));
  CHECK(fact(dump, "cgroup_version") == "1");
  CHECK(fact(dump, "usage_bytes") == "33550336");
  CHECK(fact(dump, "limit_bytes") == "33554432");
  CHECK(fact(dump, "anon_rss_bytes") == std::to_string(32492 * 1024));
  CHECK(fact(dump, "tasks") == "2");
  CHECK(fact(dump, "culprit_pid") == "103");
  CHECK(fact(dump, "culprit_rss_bytes") == std::to_string(8173 * 4096));
  CHECK(fact(dump, "page_size_assumed") == "-");   // the victim's row and its kill line agree
  const std::string text = recorded("memcg-v1.txt");
  const auto lines = split_dumps("oom", dmesg_lines(text));
  CHECK(lines[1][dump.quotes.front()].message.find("Killed process 103") != std::string_view::npos);
}

TEST_CASE("cgroup v2 has a swap line of its own; an unlimited one is no limit") {
  const auto dumps = read_dumps("oom", recorded("memcg-v2.txt"));
  REQUIRE(dumps.size() == 4);
  CHECK(fact(dumps[0], "cgroup_version") == "2");
  CHECK(fact(dumps[0], "swap_usage_bytes") == "0");
  CHECK(fact(dumps[0], "swap_limit_bytes") == "-");
  CHECK(fact(dumps[0], "asker") == "prog");
  CHECK(fact(dumps[0], "asker_pid") == "100");
  CHECK(fact(dumps[0], "gfp_mask") == "0xcc0(GFP_KERNEL)");
  CHECK(fact(dumps[0], "order") == "0");
}

TEST_CASE("a group kill: the members are told behind the report and are reports of their own") {
  const auto dumps = read_dumps("oom", recorded("memcg-v2.txt"));
  REQUIRE(dumps.size() == 4);
  CHECK(fact(dumps[1], "pid") == "112");
  CHECK(fact(dumps[2], "pid") == "111");
  CHECK(fact(dumps[2], "group_kill") == "true");
  CHECK(fact(dumps[2], "cgroup") ==
        "/system.slice/docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope");
  CHECK(fact(dumps[2], "usage_bytes") == "-");
  CHECK(fact(dumps[3], "pid") == "112");
  CHECK(dumps[3].complete);
}

TEST_CASE("the whole host is out of memory: the bystander dies, the biggest task is named") {
  const auto dumps = read_dumps("oom", recorded("global.txt"));
  REQUIRE(dumps.size() == 3);
  for (const Dump& dump : dumps) CHECK(fact(dump, "scope") == "host");
  CHECK(fact(dumps[1], "pid") == "101");
  CHECK(fact(dumps[1], "culprit_pid") == "103");
  CHECK(fact(dumps[1], "cgroup") == "/");
  CHECK(fact(dumps[1], "limiter") == "-");
  CHECK(fact(dumps[1], "total_swap_bytes") == "0");
  CHECK(fact(dumps[2], "pid") == "103");
}

TEST_CASE("arm64") {
  const auto dumps = read_dumps("oom", recorded("arm64.txt"));
  REQUIRE(dumps.size() == 1);
  CHECK(dumps[0].complete);
  CHECK(fact(dumps[0], "pid") == "99");
  CHECK(fact(dumps[0], "limit_bytes") == "33554432");
}

TEST_CASE("kernel 3.10: the limit is told by `Task in`, the child dies instead of the one announced") {
  const auto dumps = read_dumps("oom", R"([  100.000001] java invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0
[  100.000002] java cpuset=6c21 mems_allowed=0
[  100.000003] CPU: 2 PID: 21904 Comm: java Not tainted 3.10.0-1160.el7.x86_64 #1
[  100.000004] Call Trace:
[  100.000005]  [<ffffffff8118a2f6>] oom_kill_process+0xb6/0x100
[  100.000006] Task in /docker/6c21 killed as a result of limit of /docker/6c21
[  100.000007] memory: usage 524288kB, limit 524288kB, failcnt 8812
[  100.000008] memory+swap: usage 524288kB, limit 1048576kB, failcnt 0
[  100.000009] [ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name
[  100.000010] [21877]     0 21877   961553   130410     442        0             0 java
[  100.000011] [21950]     0 21950    10000     1304      42        0             0 sh
[  100.000012] Memory cgroup out of memory: Kill process 21877 (java) score 997 or sacrifice child
[  100.000013] Killed process 21950 (sh) total-vm:40000kB, anon-rss:5000kB, file-rss:216kB
)");
  REQUIRE(dumps.size() == 1);
  CHECK(dumps[0].complete);
  CHECK(fact(dumps[0], "comm") == "sh");
  CHECK(fact(dumps[0], "scope") == "cgroup");
  CHECK(fact(dumps[0], "cgroup") == "/docker/6c21");
  CHECK(fact(dumps[0], "limiter") == "/docker/6c21");
  CHECK(fact(dumps[0], "cgroup_version") == "1");
  CHECK(fact(dumps[0], "culprit") == "java");
  CHECK(fact(dumps[0], "culprit_rss_bytes") == std::to_string(130410LL * 4096));
}

TEST_CASE("kill lines of all ages; the name of a task may hold anything") {
  struct { const char *line, *comm, *pid, *uid, *anon, *scope; } const cases[] = {
      {"Killed process 123 (httpd)", "httpd", "123", "-", "-", "-"},
      {"Killed process 123, UID 48, (httpd) total-vm:100kB, anon-rss:50kB, file-rss:1kB", "httpd", "123", "48", "51200", "-"},
      {"Killed process 11539 (indexer), UID 0, total-vm:70kB, anon-rss:45kB, file-rss:0kB, shmem-rss:0kB", "indexer",
       "11539", "0", "46080", "-"},
      {"Killed process 5 (Web Content) total-vm:9kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB", "Web Content", "5", "-",
       "8192", "-"},
      {"Out of memory: Killed process 7 ((sd-pam)) total-vm:9kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB, UID:1000", "(sd-pam)",
       "7", "1000", "8192", "host"},
      {"Memory cgroup out of memory: Killed process 8 (a) b, UID:9) total-vm:9kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB, "
       "UID:1 pgtables:4kB oom_score_adj:0", "a) b, UID:9", "8", "1", "8192", "cgroup"},
      {"Out of memory (oom_kill_allocating_task): Killed process 9 (x) total-vm:9kB, anon-rss:8kB", "x", "9", "-", "8192", "host"},
      {"Memory cgroup out of memory: Killed process 5093 (init) total-vm:36616kB, anon-rss:1124kB, file-rss:8kB, shm", "init",
       "5093", "-", "1150976", "cgroup"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.line);
    const auto dumps = read_dumps("oom", c.line);
    REQUIRE(dumps.size() == 1);
    CHECK(dumps[0].complete);
    CHECK(fact(dumps[0], "comm") == c.comm);
    CHECK(fact(dumps[0], "pid") == c.pid);
    CHECK(fact(dumps[0], "uid") == c.uid);
    CHECK(fact(dumps[0], "anon_rss_bytes") == c.anon);
    CHECK(fact(dumps[0], "scope") == c.scope);
    CHECK(fact(dumps[0], "killed") == "true");
  }
}

TEST_CASE("a cut kill line gives no wrong pid and no wrong name") {
  const auto pid = read_dumps("oom", "Out of memory: Killed process 45");
  REQUIRE(pid.size() == 1);
  CHECK(fact(pid[0], "pid") == "-");
  CHECK_FALSE(pid[0].complete);
  const auto comm = read_dumps("oom", "Out of memory: Killed process 5093 (ini");
  REQUIRE(comm.size() == 1);
  CHECK(fact(comm[0], "pid") == "5093");
  CHECK(fact(comm[0], "comm") == "-");
  CHECK_FALSE(comm[0].complete);
}

TEST_CASE("two kills a second apart never exchange a fact") {
  const std::string first = R"([   10.000001] aa invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
[   10.000002] memory: usage 1024kB, limit 1024kB, failcnt 1
[   10.000003] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
[   10.000004] [    100]     0   100      266      200    28672        0             0 aa
)";
  const std::string chosen = "[   10.000005] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/a,"
                             "task_memcg=/a/b,task=aa,pid=100,uid=0\n";
  const std::string other = "[   11.000000] Memory cgroup out of memory: Killed process 200 (bb) total-vm:9kB, anon-rss:8kB, "
                            "file-rss:0kB, shmem-rss:0kB, UID:7 pgtables:4kB oom_score_adj:0\n";
  for (const std::string& text : {first + chosen + other, first + other}) {
    const auto dumps = read_dumps("oom", text);
    REQUIRE(dumps.size() == 1);
    CHECK_FALSE(dumps[0].complete);
    CHECK(fact(dumps[0], "pid") == "200");
    for (const char* name : {"asker", "limiter", "cgroup", "usage_bytes", "limit_bytes", "culprit", "order"}) {
      CAPTURE(name);
      CHECK(fact(dumps[0], name) == "-");
    }
    CHECK(dumps[0].quotes.size() == 1);
  }
  const auto mixed = read_dumps("oom", first + "[   11.000000] Out of memory: Killed process 100 (aa) total-vm:9kB, anon-rss:8kB\n");
  REQUIRE(mixed.size() == 1);
  CHECK(fact(mixed[0], "scope") == "host");
  CHECK(fact(mixed[0], "limit_bytes") == "-");
  const auto two = read_dumps("oom", first + chosen + "[   10.000006] Memory cgroup out of memory: Killed process 100 (aa) total-vm:9kB\n" + other);
  REQUIRE(two.size() == 2);
  CHECK(fact(two[0], "limiter") == "/a");
  CHECK(fact(two[1], "limiter") == "-");
}

TEST_CASE("a new report ends the one before") {
  const auto dumps = read_dumps("oom", R"([   10.000001] aa invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=3, oom_score_adj=0
[   10.500001] bb invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
[   10.500002] Out of memory: Killed process 200 (cc) total-vm:9kB, anon-rss:8kB
)");
  REQUIRE(dumps.size() == 2);
  CHECK(fact(dumps[0], "killed") == "false");
  CHECK_FALSE(dumps[0].complete);
  CHECK(fact(dumps[0], "comm") == "-");
  CHECK(fact(dumps[1], "asker") == "bb");
  CHECK(fact(dumps[1], "order") == "0");
}

TEST_CASE("without its kill line a report names who was selected, not a victim") {
  const auto dumps = read_dumps("oom",
                                "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0-1,oom_memcg=/kube,"
                                "task_memcg=/kube/x,task=a,pid=1,uid=2,pid=115,uid=0");
  REQUIRE(dumps.size() == 1);
  CHECK(fact(dumps[0], "killed") == "false");
  CHECK(fact(dumps[0], "comm") == "-");
  CHECK(fact(dumps[0], "selected") == "a,pid=1,uid=2");
  CHECK(fact(dumps[0], "selected_pid") == "115");
  CHECK(fact(dumps[0], "cgroup") == "/kube/x");
  CHECK(fact(dumps[0], "limiter") == "/kube");
  CHECK_FALSE(dumps[0].complete);
}

TEST_CASE("the oom-kill line may come in pieces") {
  const auto dumps = read_dumps("oom", R"([   10.000001] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)
[   10.000002] ,cpuset=/,mems_allowed=0
[   10.000003] ,oom_memcg=/a,task_memcg=/a/b
[   10.000004] ,task=prog,pid=5,uid=3
[   10.000005] Memory cgroup out of memory: Killed process 5 (prog) total-vm:9kB, anon-rss:8kB
)");
  REQUIRE(dumps.size() == 1);
  CHECK(fact(dumps[0], "limiter") == "/a");
  CHECK(fact(dumps[0], "cgroup") == "/a/b");
  CHECK(fact(dumps[0], "uid") == "3");
}

TEST_CASE("a back trace alone, a manual kill, a report that kills nobody") {
  const auto trace = read_dumps("oom", R"([   10.000001]  oom_kill_process+0x2ec/0x2f0
[   10.000002]  out_of_memory+0xf0/0x5a0
[   10.000003]  mem_cgroup_out_of_memory+0x13c/0x154
)");
  REQUIRE(trace.size() == 1);
  CHECK(fact(trace[0], "killed") == "-");
  CHECK(fact(trace[0], "scope") == "cgroup");
  CHECK_FALSE(trace[0].complete);
  const auto middle = read_dumps("oom", R"([   10.000001] memory: usage 32764kB, limit 32768kB, failcnt 23
[   10.000002] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
[   10.000003] [    100]     0   100     8458     8186   102400        0             0 prog
)");
  REQUIRE(middle.size() == 1);
  CHECK(fact(middle[0], "killed") == "-");
  CHECK(fact(middle[0], "limit_bytes") == "33554432");
  CHECK(fact(middle[0], "culprit") == "-");   // the table may go on
  CHECK_FALSE(middle[0].complete);
  const auto manual = read_dumps("oom", R"([   10.000001] kworker/0:1 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=-1, oom_score_adj=0
[   10.000002] Out of memory: Killed process 1037 (sleep) total-vm:3264kB, anon-rss:256kB, file-rss:1916kB, shmem-rss:0kB
)");
  REQUIRE(manual.size() == 1);
  CHECK(fact(manual[0], "manual") == "true");
  const auto none = read_dumps("oom", R"([   10.000001] aa invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
[   10.000002] Out of memory and no killable processes...
)");
  REQUIRE(none.size() == 1);
  CHECK(fact(none[0], "killed") == "false");
  CHECK(fact(none[0], "no_kill") == "no-killable-process");
  CHECK(none[0].complete);
}

TEST_CASE("these are not kills") {
  for (const char* line : {"OOM killer enabled.", "Kill process 12 (x) sharing same memory",
                           "oom_reaper: reaped process 12 (x), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB",
                           "Out of memory: OOM victim 12 (x) is already exiting. Skip killing the task"})
    CHECK(read_dumps("oom", line).empty());
}

TEST_CASE("a report cut anywhere never contradicts the whole one") {
  for (const char* name : {"memcg-v1.txt", "memcg-v2.txt", "global.txt", "arm64.txt"})
    CHECK(contradiction_in("oom", name) == "");
}
