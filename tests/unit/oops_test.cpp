#include <doctest/doctest.h>

#include "dump_text.h"

using namespace forensics;
using namespace forensics::test;

TEST_CASE("an oops and a BUG on x86, and the WARNING before them is neither") {
  const auto dumps = read_dumps("oops", recorded("oops.txt"));
  REQUIRE(dumps.size() == 2);
  CHECK(fact(dumps[0], "title") == "BUG: kernel NULL pointer dereference, address: 0000000000000018");
  CHECK(fact(dumps[0], "kind") == "null-dereference");
  CHECK(fact(dumps[0], "comm") == "lab_oops");
  CHECK(fact(dumps[0], "pid") == "97");
  CHECK(fact(dumps[0], "symbol") == "lab_null_deref");
  CHECK(fact(dumps[0], "address") == "0000000000000018");
  CHECK(fact(dumps[0], "taint") == "G W OE");
  CHECK(fact(dumps[0], "fatal") == "-");
  CHECK(dumps[0].complete);
  CHECK(fact(dumps[1], "kind") == "bug");
  CHECK(fact(dumps[1], "symbol") == "wr");   // not the registers of the first one, which follow
  CHECK(fact(dumps[1], "pid") == "100");
}

TEST_CASE("oopses of other ages and machines") {
  const auto arm64 = read_dumps("oops", R"([   10.000001] Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008
[   10.000002] Mem abort info:
[   10.000003]   ESR = 0x0000000096000004
[   10.000004] Internal error: Oops: 0000000096000004 [#1] SMP
[   10.000005] CPU: 3 PID: 412 Comm: kworker/3:2 Tainted: G         C         6.1.21-v8+ #1642
[   10.000006] Hardware name: Raspberry Pi 4 Model B Rev 1.4 (DT)
[   10.000007] pstate: 60000005 (nZCv daif -PAN -UAO -TCO -DIT -SSBS BTYPE=--)
[   10.000008] pc : bcm2835_dma+0x1c/0x80
[   10.000009] lr : other+0x10/0x80
[   10.000010] ---[ end trace 0000000000000000 ]---
[   10.000011] Kernel panic - not syncing: Oops: Fatal exception in interrupt
)");
  REQUIRE(arm64.size() == 1);
  CHECK(fact(arm64[0], "kind") == "null-dereference");
  CHECK(fact(arm64[0], "symbol") == "bcm2835_dma");
  CHECK(fact(arm64[0], "comm") == "kworker/3:2");
  CHECK(fact(arm64[0], "taint") == "G C");
  CHECK(fact(arm64[0], "address") == "0000000000000008");
  CHECK(fact(arm64[0], "fatal") == "true");
  const auto old = read_dumps("oops", R"([   10.000001] BUG: unable to handle kernel paging request at ffffc90000f00000
[   10.000002] IP: [<ffffffffa0000010>] bad_init+0x10/0x20 [bad]
[   10.000003] Oops: 0002 [#1] SMP
[   10.000004] Pid: 1234, comm: insmod Not tainted 2.6.32-754.el6.x86_64 #1
[   10.000005] RIP: 0010:[<ffffffffa0000010>]  [<ffffffffa0000010>] bad_init+0x10/0x20 [bad]
[   10.000006] Process insmod (pid: 1234, threadinfo ffff88001a2b0000, task ffff88001b0c6040)
)");
  REQUIRE(old.size() == 1);
  CHECK(fact(old[0], "kind") == "page-fault");
  CHECK(fact(old[0], "symbol") == "bad_init");
  CHECK(fact(old[0], "comm") == "insmod");
  CHECK(fact(old[0], "taint") == "-");
  CHECK_FALSE(old[0].complete);   // no end of the trace
  const auto gp = read_dumps("oops", "general protection fault, probably for non-canonical address 0xdead000000000100: 0000 [#1] PREEMPT SMP");
  REQUIRE(gp.size() == 1);
  CHECK(fact(gp[0], "kind") == "general-protection");
  CHECK(fact(gp[0], "address") == "dead000000000100");
  const auto arm = read_dumps("oops", "Internal error: Oops - undefined instruction: 0 [#1] SMP ARM");
  REQUIRE(arm.size() == 1);
  CHECK(fact(arm[0], "kind") == "invalid-opcode");
}

TEST_CASE("a fault of a program is no oops") {
  for (const char* line : {"traps: prog[18976] general protection fault ip:401809 sp:7ffdd7d2f020 error:0 in prog[401000+7b000]",
                           "prog[1]: segfault at 10 ip 0000 sp 0000 error 6 in prog[4+7]", "hda: drive [#1] ready"})
    CHECK(read_dumps("oops", line).empty());
}

TEST_CASE("a panic: what it says, who called it") {
  const auto dumps = read_dumps("panic", recorded("panic.txt"));
  REQUIRE(dumps.size() == 1);
  CHECK(fact(dumps[0], "title") == "sysrq triggered crash");
  CHECK(fact(dumps[0], "comm") == "init");
  CHECK(fact(dumps[0], "pid") == "1");
  CHECK(fact(dumps[0], "symbol") == "sysrq_handle_crash");
}

TEST_CASE("a panic of which only the end marker is left, and panics copied from a screen") {
  struct { const char *line, *title; } const cases[] = {
      {"---[ end Kernel panic - not syncing: Fatal exception ]---", "Fatal exception"},
      {"Kernel panic-not syncing: VFS: Unable to mount root fs", "VFS: Unable to mount root fs"},
      {"**Kernel panic -- not syncing: Attempted to kill init!**", "Attempted to kill init!**"},
      {"kernel panic \xE2\x80\x93 not syncing: Fatal exception", "Fatal exception"}};
  for (const auto& c : cases) {
    CAPTURE(c.line);
    const auto dumps = read_dumps("panic", c.line);
    REQUIRE(dumps.size() == 1);
    CHECK(fact(dumps[0], "title") == c.title);
  }
  CHECK(read_dumps("panic", "[    1.0] Kernel panic - not syncing: Fatal exception\n[    1.1] ---[ end Kernel panic - not syncing: "
                            "Fatal exception ]---").size() == 1);
}

TEST_CASE("every way in which an oops begins") {
  for (const char* line :
       {"BUG: Kernel NULL pointer dereference on read at 0x00000018", "BUG: stack guard page was hit at ffffc90000223fff (stack is "
        "ffffc90000224000..ffffc90000227fff)", "traps: PANIC: double fault, error_code: 0x0", "Unhandled kernel unaligned access[#1]:",
        "Reserved instruction in kernel code[#2]:", "Data bus error[#1]:", "Kernel bug detected[#1]:",
        "kernel tried to execute exec-protected page (c0000000001f2340) - exploit attempt? (uid: 0)"}) {
    CAPTURE(line);
    CHECK(read_dumps("oops", line).size() == 1);
  }
  for (const char* line : {"drive[#1]: ready", "error: [#1]: x", "sd 0:0:0:0: error[#1]: y"}) {
    CAPTURE(line);
    CHECK(read_dumps("oops", line).empty());
  }
}

TEST_CASE("where the CPU was, on machines that name it otherwise") {
  CHECK(fact(read_dumps("oops", "CPU 1 Unable to handle kernel paging request at virtual address 00000018, epc == 80201234, ra == 8020abcd\n"
                                "Oops[#1]:\nCPU: 1 PID: 77 Comm: netifd Not tainted 5.15.150 #0\n$ 0   : 00000000 00000001\n"
                                "epc   : 80201234 foo_add+0x6c/0x88 [foo]\nra    : 8020abcd bar+0x7c/0x94\n")[0], "symbol") == "foo_add");
  CHECK(fact(read_dumps("oops", "Unable to handle kernel paging request at virtual address 0000000000000008\nOops [#1]\n"
                                "epc : foo_probe+0x1c/0x40 ra : bar+0x2/0x4 sp : ffffffc8\n")[0], "symbol") == "foo_probe");
  CHECK(fact(read_dumps("oops", "BUG: Unable to handle kernel data access at 0x8\nOops: Kernel access of bad area, sig: 11 [#1]\n"
                                "NIP [c00000000012ab34] foo_probe+0x1c/0x40\n")[0], "symbol") == "foo_probe");
}

TEST_CASE("an oops or a panic cut anywhere never contradicts the whole one") {
  CHECK(contradiction_in("oops", "oops.txt") == "");
  CHECK(contradiction_in("panic", "panic.txt") == "");
}
