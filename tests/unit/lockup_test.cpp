#include <doctest/doctest.h>

#include "dump_text.h"

using namespace forensics;
using namespace forensics::test;

TEST_CASE("a soft lockup and two RCU stalls, kernel 6.1") {
  const auto dumps = read_dumps("lockup", recorded("lockup.txt"));
  REQUIRE(dumps.size() == 3);
  CHECK(fact(dumps[0], "kind") == "rcu");
  CHECK(fact(dumps[0], "cpu") == "1");
  CHECK(fact(dumps[0], "comm") == "lab_soft");
  CHECK(fact(dumps[0], "pid") == "97");
  CHECK(fact(dumps[0], "symbol") == "lab_softlockup");
  CHECK(fact(dumps[0], "jiffies") == "3750");
  CHECK(fact(dumps[1], "kind") == "soft");
  CHECK(fact(dumps[1], "seconds") == "33");
  CHECK(fact(dumps[1], "comm") == "lab_soft");
  CHECK(fact(dumps[1], "cpu") == "1");
  CHECK(fact(dumps[2], "symbol") == "lab_rcustall");
  for (const Dump& dump : dumps) CHECK(dump.complete);
}

TEST_CASE("lockups of other ages") {
  struct { const char *line, *kind, *cpu, *comm, *seconds; } const cases[] = {
      {"BUG: soft lockup - CPU#0 stuck for 61s! [kworker/0:1:97]", "soft", "0", "kworker/0:1", "61"},
      {"NMI watchdog: BUG: soft lockup - CPU#12 stuck for 22s! [java:4711]", "soft", "12", "java", "22"},
      {"NMI watchdog: Watchdog detected hard LOCKUP on cpu 3", "hard", "3", "-", "-"},
      {"INFO: rcu_sched detected stalls on CPUs/tasks: { 1} (detected by 0, t=60002 jiffies, g=28, q=120)", "rcu", "1", "-", "-"},
      {"INFO: RCU detected CPU 0 stall (t=1000 jiffies)", "rcu", "0", "-", "-"},
      {"INFO: rcu_sched_state detected stall on CPU 5 (t=15000 jiffies)", "rcu", "5", "-", "-"},
      {"watchdog: CPU 3 Hard LOCKUP", "hard", "3", "-", "-"},
      {"Watchdog CPU:7 Hard LOCKUP", "hard", "7", "-", "-"},
      {"watchdog: CPU 3 self-detected hard LOCKUP @ foo+0x12/0x20", "hard", "3", "-", "-"},
      {"rcu: INFO: rcu_tasks detected stalls on tasks:", "rcu", "-", "-", "-"},
      {"watchdog: CPU 0 detected hard LOCKUP on other CPUs 2", "hard", "2", "-", "-"},
      {"watchdog: BUG: soft lockup. - CPU#3 stuck for 26s! -[node:311]", "soft", "3", "node", "26"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.line);
    const auto dumps = read_dumps("lockup", c.line);
    REQUIRE(dumps.size() == 1);
    CHECK(fact(dumps[0], "kind") == c.kind);
    CHECK(fact(dumps[0], "cpu") == c.cpu);
    CHECK(fact(dumps[0], "comm") == c.comm);
    CHECK(fact(dumps[0], "seconds") == c.seconds);
  }
}

TEST_CASE("a stall elsewhere: the detector is not the culprit") {
  const auto dumps = read_dumps("lockup", "[    1.0] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:\n[    1.0] rcu: \t2-...!: (1 GPs behind) idle=5/1/0x4 softirq=2/2 fqs=0\n"
                                          "[    1.0] \t(detected by 0, t=5252 jiffies, g=9, q=1)\n"
                                          "[    1.0] CPU: 0 PID: 1 Comm: detector Not tainted 6.1\n[    1.0] RIP: 0010:detect+0x1/0x2\n"
                                          "[    1.0] NMI backtrace for cpu 2\n[    1.0] CPU: 2 PID: 8 Comm: spinner Not tainted 6.1\n[    1.0] RIP: 0010:spin+0x1/0x2\n");
  REQUIRE(dumps.size() == 1);
  CHECK(fact(dumps[0], "comm") == "spinner");
  CHECK(fact(dumps[0], "symbol") == "spin");
  CHECK(fact(dumps[0], "cpu") == "2");
}

TEST_CASE("a lockup cut anywhere never contradicts the whole one") {
  CHECK(contradiction_in("lockup", "lockup.txt") == "");
}
