#include <doctest/doctest.h>

#include "dump_text.h"

using namespace forensics;
using namespace forensics::test;

namespace {

Dump with_stack(std::initializer_list<const char*> symbols) {
  std::string text = "INFO: task a:b c:77 blocked for more than 122 seconds.\nCall Trace:\n __schedule+0x1/0x2\n schedule+0x1/0x2\n";
  for (const char* symbol : symbols) text += " " + std::string(symbol) + "+0x42/0x70\n";
  const auto dumps = read_dumps("hung-task", text + " ret_from_fork+0x22/0x30\n");
  REQUIRE(dumps.size() == 1);
  CHECK(fact(dumps[0], "comm") == "a:b c");
  CHECK(fact(dumps[0], "pid") == "77");
  CHECK(dumps[0].complete);
  return dumps[0];
}

}  // namespace

TEST_CASE("tasks that wait for a suspended disk") {
  const auto dumps = read_dumps("hung-task", recorded("hung-task.txt"));
  REQUIRE(dumps.size() == 2);
  CHECK(fact(dumps[0], "comm") == "ext4lazyinit");
  CHECK(fact(dumps[0], "pid") == "113");
  CHECK(fact(dumps[0], "seconds") == "10");
  CHECK(fact(dumps[0], "waits_on") == "storage");
  CHECK(fact(dumps[0], "frame") == "io_schedule");
  CHECK(fact(dumps[0], "symbol") == "io_schedule");
  CHECK(dumps[0].complete);
  CHECK(fact(dumps[1], "comm") == "dd");
  CHECK(fact(dumps[1], "waits_on") == "storage");
}

TEST_CASE("what a task waits for is its innermost telling frame") {
  const auto on = [](const Dump& dump) { return fact(dump, "waits_on"); };
  CHECK(on(with_stack({"jbd2_log_wait_commit", "ext4_sync_file"})) == "storage");
  CHECK(on(with_stack({"io_schedule", "bit_wait_io", "wait_on_page_bit", "nfs_file_fsync"})) == "nfs");
  CHECK(on(with_stack({"rpc_wait_bit_killable", "nfs4_call_sync"})) == "nfs");
  CHECK(on(with_stack({"schedule_preempt_disabled", "__mutex_lock", "rtnl_lock", "unregister_netdev"})) == "network");
  CHECK(on(with_stack({"rwsem_down_write_slowpath", "down_write", "ext4_file_write_iter", "vfs_write", "jbd2_x"})) == "lock");
  CHECK(on(with_stack({"schedule_timeout", "wait_for_completion", "blk_execute_rq", "mmc_x"})) == "storage");
  CHECK(on(with_stack({"__mmc_claim_host", "mmc_blk_mq_issue_rq"})) == "storage");
  CHECK(on(with_stack({"do_wait", "kernel_wait4"})) == "other");
}

TEST_CASE("an arm stack names one frame more than it has lines") {
  const auto cut = read_dumps("hung-task", "INFO: task cp:9 blocked for more than 120 seconds.\n"
                              "[<80a88018>] (schedule) from [<8015c138>] (io_schedule+0x14/0x3c)\n"
                              "[<8015c138>] (io_schedule) from [<80230be4>] (nfs_wait_on_request+0x110/0x15c)\n");
  REQUIRE(cut.size() == 1);
  CHECK(fact(cut[0], "waits_on") == "nfs");
}

TEST_CASE("a stale frame decides nothing, a cut stack promises nothing") {
  const auto stale = read_dumps("hung-task", "INFO: task a:1 blocked for more than 120 seconds.\n __schedule+0x1/0x2\n ? jbd2_x+0x1/0x2\n"
                                             " do_wait+0x1/0x2\n </TASK>\n");
  REQUIRE(stale.size() == 1);
  CHECK(fact(stale[0], "waits_on") == "other");
  const auto cut = read_dumps("hung-task", "INFO: task a:1 blocked in I/O wait for more than 120 seconds.\n io_schedule+0x1/0x2\n");
  REQUIRE(cut.size() == 1);
  CHECK(fact(cut[0], "seconds") == "120");
  CHECK(fact(cut[0], "waits_on") == "-");
  CHECK(fact(cut[0], "io_wait") == "true");
  CHECK_FALSE(cut[0].complete);
}

TEST_CASE("another report's stack is not this task's") {
  const auto dumps = read_dumps("hung-task", "INFO: task a:1 blocked for more than 120 seconds.\n"
                                             "CPU: 1 PID: 5 Comm: x Not tainted 6.1\n jbd2_x+0x1/0x2\n </TASK>\n");
  REQUIRE(dumps.size() == 1);
  CHECK(fact(dumps[0], "waits_on") == "-");
}

TEST_CASE("a hung task cut anywhere never contradicts the whole one") {
  CHECK(contradiction_in("hung-task", "hung-task.txt") == "");
}
