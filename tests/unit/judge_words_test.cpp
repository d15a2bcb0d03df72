#include <doctest/doctest.h>

#include "judge/judge.h"
#include "judge/words.h"

using namespace forensics;

TEST_CASE("partitions, controllers and paths of one disk compare equal") {
  for (const char* name : {"mmcblk0", "mmcblk0p2", "mmcblk0boot1", "mmc0", "mmc0:aaaa", "/dev/mmcblk0p1"})
    CHECK(disk_of(name) == "mmc0");
  for (const char* name : {"sda", "sda2", "/dev/sda11"}) CHECK(disk_of(name) == "sda");
  for (const char* name : {"nvme0", "nvme0n1", "nvme0n1p3"}) CHECK(disk_of(name) == "nvme0");
  CHECK(disk_of("sdaa1") == "sdaa");
  CHECK(disk_of("mmcblk10p1") == "mmc10");
  CHECK(disk_of("dm-0") == "dm-0");
  CHECK(disk_of("md127") == "md127");
  CHECK(disk_of("ata8") == "ata8");
  CHECK(disk_of("sd") == "sd");
  CHECK(disk_of("") == "");
}

TEST_CASE("signals by number and name") {
  CHECK(signal_name(9) == "SIGKILL");
  CHECK(signal_name(31) == "SIGSYS");
  CHECK(signal_name(34) == "SIGRTMIN+0");
  CHECK(signal_name(0).empty());
  CHECK(signal_name(99).empty());
  CHECK(signal_number("9") == 9);
  CHECK(signal_number("SIGTERM") == 15);
  CHECK(signal_number("SEGV") == 11);
  CHECK(signal_number("9/KILL") == 9);
  CHECK(signal_number("nothing") == 0);
}

TEST_CASE("typed and printed numbers") {
  const Values values = {{"a", std::int64_t{7}}, {"b", std::string("42")}, {"c", std::string("42x")}, {"d", true}};
  CHECK(number_of(values, "a") == 7);
  CHECK(number_of(values, "b") == 42);
  CHECK_FALSE(number_of(values, "c"));
  CHECK_FALSE(number_of(values, "missing"));
  CHECK(text_of(values, "a") == "7");
  CHECK(text_of(values, "d") == "true");
}

TEST_CASE("every exit status has a meaning, a warning and two commands") {
  for (int status = 0; status < 256; ++status) {
    const ExitStatus e = explain_exit_status(status);
    CHECK(e.status == status);
    CHECK_FALSE(e.meaning.empty());
    CHECK_FALSE(e.not_proof.empty());
    CHECK(e.commands.size() == 2);
  }
  CHECK(explain_exit_status(137).name == "SIGKILL");
  CHECK(explain_exit_status(137).not_proof.find("memory") != std::string::npos);
  CHECK(explain_exit_status(139).name == "SIGSEGV");
  CHECK(explain_exit_status(143).name == "SIGTERM");
  CHECK(explain_exit_status(136).name == "SIGFPE");
  CHECK(explain_exit_status(127).name == "command not found");
  CHECK(explain_exit_status(42).name.empty());
  CHECK(explain_exit_status(200).name.empty());
}
