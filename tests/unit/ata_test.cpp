#include <doctest/doctest.h>

#include "dump_text.h"

using namespace forensics;
using namespace forensics::test;

TEST_CASE("a command that failed, and the disk that an I/O error names") {
  const auto dumps = read_dumps("ata", recorded("ata-error.txt"));
  REQUIRE(dumps.size() == 2);
  CHECK(fact(dumps[0], "port") == "ata1");
  CHECK(fact(dumps[0], "errors") == "device");
  CHECK(fact(dumps[0], "command") == "READ FPDMA QUEUED");
  CHECK(fact(dumps[0], "status") == "DRDY");
  CHECK(fact(dumps[0], "device") == "sda");
  CHECK(fact(dumps[0], "lost") == "false");
  CHECK(dumps[0].complete);
  CHECK(fact(dumps[1], "device") == "-");
}

TEST_CASE("resets take their time, and then the disk is given up") {
  const auto dumps = read_dumps("ata", recorded("ata-lost.txt"));
  REQUIRE(dumps.size() == 1);
  CHECK(fact(dumps[0], "errors") == "timeout");
  CHECK(fact(dumps[0], "command") == "FLUSH CACHE");
  CHECK(fact(dumps[0], "lost") == "true");
  CHECK(fact(dumps[0], "device") == "-");   // its I/O errors stand behind the end
  CHECK(dumps[0].complete);
}

TEST_CASE("two ports at once, a disk given up, a link that changed") {
  const auto dumps = read_dumps("ata", R"([    1.000001] ata2.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen
[    1.000002] ata3.00: failed command: READ DMA
[    1.000003]          res 51/40:08:00:a0:00/00:00:00:00:00/e0 Emask 0x9 (media error)
[    1.000004] ata2.00: disabled
[    1.000005] ata2: EH complete
[    1.100001] ata4: exception Emask 0x10 SAct 0x0 SErr 0x4090000 action 0xe frozen
[    1.100002] ata4: irq_stat 0x00400040, connection status changed
[    1.100003] ata4: SError: { PHYRdyChg 10B8B DevExch }
[    1.100004] ata4: hard resetting link
[    1.100005] ata4: EH complete
)");
  REQUIRE(dumps.size() == 2);
  CHECK(fact(dumps[0], "command") == "-");
  CHECK(fact(dumps[0], "lost") == "true");
  CHECK(fact(dumps[1], "errors") == "link");
}

TEST_CASE("an ATA exception cut anywhere never contradicts the whole one") {
  for (const char* name : {"ata-error.txt", "ata-lost.txt"})
    CHECK(contradiction_in("ata", name) == "");
}
