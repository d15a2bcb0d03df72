#include "read/line_reader.h"

#include <algorithm>
#include <utility>

#include "line_samples.h"

using namespace forensics;

namespace {

std::uint64_t skipped(const ReadText& read, std::string_view reason) {
  const auto found = read.context.account.skipped.find(reason);
  return found == read.context.account.skipped.end() ? 0 : found->second;
}

/// Gives a few bytes at a time, as a pipe does.
class Trickle final : public ByteSource {
 public:
  Trickle(std::string_view bytes, std::size_t step) : rest_(bytes), step_(step) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t n = rest_.copy(out, std::min(size, step_));
    rest_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view rest_;
  std::size_t step_;
};

/// `size` times 'x' on one line, then another line.
class HugeLine final : public ByteSource {
 public:
  explicit HugeLine(std::uint64_t size) : left_(size) {}
  std::size_t read(char* out, std::size_t size) override {
    if (left_ == 0) {
      const std::string_view tail = std::exchange(tail_, {});
      return tail.copy(out, tail.size());
    }
    const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
    std::fill_n(out, n, 'x');
    left_ -= n;
    return n;
  }

 private:
  std::uint64_t left_;
  std::string_view tail_ = "\nshort\n";
};

}  // namespace

TEST_CASE("lines: ends, blanks, a byte order mark and the last line without an end") {
  const ReadText read = read_text("\xEF\xBB\xBF[    1.000000] one\r\n\r\n[    2.000000] two\n   \n[    3.000000] three", "dmesg.txt");
  CHECK(read.format == "dmesg");
  CHECK(messages(read) == std::vector<std::string>{"one", "two", "three"});
  CHECK(read.context.account.lines == 5);
  CHECK(skipped(read, "blank") == 2);
  CHECK(read.events[0].event.where.offset == 3);
  CHECK(read.events[2].event.where.line == 5);
  CHECK(read.context.diagnostics.empty());
}

TEST_CASE("lines: equal stamps are shared, and the batch is the block") {
  const std::string text =
      "Nov 30 14:03:22 pi kernel: one\nNov 30 14:03:22 pi kernel: two\nNov 30 14:03:23 pi kernel: three\nNov 30 14:03:22 pi kernel: four\n";
  MemorySource bytes(text);
  SourceContext context;
  LineReader reader(bytes, context, LineFamily::syslog, {});
  Batch batch;
  batch.clear();
  REQUIRE(reader.next(batch));
  CHECK(batch.text == text);
  REQUIRE(batch.records.size() == 4);
  CHECK(batch.records[0].stamp == batch.records[1].stamp);
  CHECK(batch.records[1].stamp != batch.records[2].stamp);
  CHECK(batch.stamps.size() == 4);   // none, and three runs
  batch.clear();
  CHECK_FALSE(reader.next(batch));
}

TEST_CASE("lines: many blocks give what one block gives, however the bytes arrive") {
  std::string text;
  for (int i = 0; i < 12000; ++i)
    text += "Nov 30 14:" + std::to_string(10 + i / 300) + ":22 pi app[" + std::to_string(i) + "]: line number " + std::to_string(i) + "\n";
  REQUIRE(text.size() > 2 * 256 * 1024);
  for (const std::size_t step : {std::size_t{1} << 20, std::size_t{4099}}) {
    Trickle bytes(text, step);
    SourceContext context;
    LineReader reader(bytes, context, LineFamily::syslog, {});
    Batch batch;
    int n = 0;
    for (batch.clear(); reader.next(batch); batch.clear()) {
      for (const Record& record : batch.records) {
        Event event;
        const Stamp stamp = reader.parse(batch, record, event);
        CHECK(stamp.kind == Stamp::Wall::no_year);
        CHECK(event.pid == n);
        CHECK(event.message == "line number " + std::to_string(n));
        ++n;
        REQUIRE(event.where.line == static_cast<std::uint64_t>(n));
      }
    }
    CHECK(n == 12000);
  }
}

TEST_CASE("lines: a line of 40 MB is cut, in bounded memory, and the next one is read") {
  HugeLine bytes(40'000'000);
  SourceContext context;
  LineReader reader(bytes, context, LineFamily::container, {});
  Batch batch;
  std::vector<std::size_t> lengths;
  std::string last;
  for (batch.clear(); reader.next(batch); batch.clear()) {
    CHECK(batch.text.size() <= 256 * 1024);
    for (const Record& record : batch.records) {
      lengths.push_back(record.length);
      last = batch.text.substr(record.begin, record.length);
    }
  }
  CHECK(lengths == std::vector<std::size_t>{max_record, 5});
  CHECK(last == "short");
  CHECK(context.account.lines == 2);
  CHECK(context.account.records == 3);
  CHECK(context.account.skipped["long-line"] == 1);
  REQUIRE(context.diagnostics.size() == 1);
  CHECK(context.diagnostics[0].code == "long-line");
}

TEST_CASE("lines: NUL runs of a power cut are diagnosed, and the line behind them is kept") {
  const std::string nulls(300, '\0');
  const ReadText read = read_text("Nov 30 14:03:22 pi app[1]: before\n" + nulls + "Nov 30 14:05:00 pi app[1]: after the power came back\n" + nulls +
                                  "\nNov 30 14:05:01 pi a" + nulls + "b\nNov 30 14:05:02 pi app[1]: and then some more text in the log\n");
  CHECK(messages(read) == std::vector<std::string>{"before", "after the power came back", "and then some more text in the log"});
  CHECK(skipped(read, "binary-bytes") == 2);
  REQUIRE(read.context.diagnostics.size() == 1);
  CHECK(read.context.diagnostics[0].code == "binary-bytes");
  CHECK(read.context.diagnostics[0].line == 2);
  CHECK(read.context.diagnostics[0].count == 3);
}

TEST_CASE("lines: binary and empty input has no format") {
  CHECK(sniff_format("x", "") == nullptr);
  CHECK(sniff_format("x", std::string_view("\x7f" "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0\1\0\0\0", 24)) == nullptr);
  CHECK(sniff_format("x", std::string(1000, '\0')) == nullptr);
}

TEST_CASE("lines: separators are no records") {
  const ReadText read = read_text(
      "-- Logs begin at Mon 2026-11-30 23:02:29 UTC. --\n-- Boot a4c31f6532eb30fa887caaabb34e66c6 --\nNov 30 14:03:22 pi app[1]: a\n--\n"
      "Nov 30 14:03:23 pi app[1]: b\n==> kern.log <==\n...\n");
  CHECK(messages(read) == std::vector<std::string>{"a", "b"});
  CHECK(skipped(read, "separator") == 5);
}

TEST_CASE("lines: terminal sequences are gone before the scan") {
  const ReadText read = read_text("\x1b[32m[    1.500000] \x1b[0m\x1b[1mmmc0\x1b[0m: card \x1b[31m0001 removed\x1b[0m\n[    2.500000] plain\n");
  REQUIRE(messages(read) == std::vector<std::string>{"mmc0: card 0001 removed", "plain"});
  CHECK(read.events[0].scanned == "mmc0: card 0001 removed");
  CHECK(read.events[0].stamp.monotonic == 1'500'000);
  CHECK(read.events[1].event.where.line == 2);
}

TEST_CASE("lines: what escapes hide is decoded before the scan") {
  const ReadText read = read_text(
      "Nov 30 14:03:22 pi app[1]: plain\n"
      R"(Nov 30 14:03:22 pi dockerd[77]: time="2026-11-30T14:03:22Z" level=error msg="exec: \"nope\": executable file not found" container=aa)" "\n"
      "Nov 30 14:03:22 pi app[1]: tab#011here\n");
  REQUIRE(messages(read) == std::vector<std::string>{"plain", R"(exec: "nope": executable file not found container=aa)", "tab\there"});
  CHECK(read.events[1].scanned == read.events[1].event.message);
  CHECK(read.events[2].scanned == "tab\there");
  CHECK(read.events[1].event.severity == Severity::error);
}

TEST_CASE("lines: continuation lines are said by the same program") {
  const ReadText journal = read_text(
      "Nov 30 14:03:22 pi dockerd[77]: first\n"
      "                                second\n"
      "                                  third, indented\n"
      "Nov 30 14:03:23 pi app[1]: other\n");
  REQUIRE(messages(journal) == std::vector<std::string>{"first", "second", "  third, indented", "other"});
  CHECK(journal.events[1].event.identifier == "dockerd");
  CHECK(journal.events[1].event.trust == Trust::daemon_text);
  CHECK(journal.events[1].stamp.wall == journal.events[0].stamp.wall);

  const ReadText dmesg = read_text(
      "kern  :err   : [  392.169182] ata7.00: cmd 60/58:18:08:8a:03/00:00:05:00:00/40 tag 3 ncq dma 45056 in\n"
      "                                       res 50/00:58:58:89:03/00:00:05:00:00/40 Emask 0x10 (ATA bus error)\n");
  REQUIRE(dmesg.events.size() == 2);
  CHECK(dmesg.events[1].event.message == "         res 50/00:58:58:89:03/00:00:05:00:00/40 Emask 0x10 (ATA bus error)");
  CHECK(dmesg.events[1].event.trust == Trust::kernel);
  CHECK(dmesg.events[1].event.severity == Severity::error);
  CHECK(dmesg.events[1].stamp.monotonic == 392'169'182);
}

TEST_CASE("lines: a second stamp in one line starts a record of its own, a prompt before the first does not") {
  const ReadText read = read_text(
      "node-01 login: [ 6428.503107] general protection fault: 0000 [#1] SMP \n"
      "[ 6428.504078] Modules linked in:[ 6428.509469] SELinux: mount invalid.\n"
      "/init: 384: .: C[ 6431.381024] Kernel panic - not syncing: Attempted to kill init!\n");
  REQUIRE(messages(read) == std::vector<std::string>{"general protection fault: 0000 [#1] SMP ", "Modules linked in:", "SELinux: mount invalid.",
                                                     "Kernel panic - not syncing: Attempted to kill init!"});
  CHECK(read.events[2].event.where.line == 2);
  CHECK(read.events[2].event.text == "[ 6428.509469] SELinux: mount invalid.");
  CHECK(read.events[2].stamp.monotonic == 6'428'509'469);
}

TEST_CASE("lines: a clock without a date is read in front of a tag with a pid only") {
  const ReadText read = read_text(
      "11:08:34 box systemd[1]: Starting Web server...\n"
      "11:09:28 systemd[1]: Started Web server.\n"
      "11:09:30 box kernel: eth0: link up\n"
      "11:10:00 box error: not a tag\n");
  REQUIRE(messages(read) == std::vector<std::string>{"Starting Web server...", "Started Web server.", "eth0: link up", "11:10:00 box error: not a tag"});
  CHECK(read.events[0].event.host == "box");
  CHECK(read.events[0].event.trust == Trust::daemon_text);
  CHECK(read.events[1].event.identifier == "systemd");
  CHECK(read.events[2].event.trust == Trust::kernel_text);
  CHECK(read.events[3].event.identifier.empty());
  CHECK(!read.events[0].stamp.wall);
}

TEST_CASE("lines: a paste that was broken behind the tag") {
  const ReadText read = read_text(
      "Nov 30 14:03:22 box systemd[1]:\n"
      "web.service: Watchdog timeout (limit 2s)!\n"
      "nobody's\n"
      "Nov 30 14:03:23 box app[7]: text\n"
      "nobody's, either\n");
  REQUIRE(read.events.size() == 5);
  CHECK(read.events[1].event.message == "web.service: Watchdog timeout (limit 2s)!");
  CHECK(read.events[1].event.identifier == "systemd");
  CHECK(read.events[1].event.trust == Trust::daemon_text);
  CHECK(read.events[1].stamp.wall == read.events[0].stamp.wall);
  CHECK(read.events[2].event.identifier.empty());
  CHECK(read.events[4].event.identifier.empty());
}

TEST_CASE("lines: Apache's stamps are no kernel's, and neither is a date alone in brackets") {
  const ReadText read = read_text(
      "[Mon Mar 02 10:11:12.123456 2026] [core:notice] [pid 1] AH00052: child pid 29 exit signal Segmentation fault (11)\n"
      "[Mon Mar 02 10:11:13 2026] [notice] caught SIGTERM, shutting down\n"
      "[Mon Mar  2 10:11:14 2026]\n"
      "rule one:\n");
  CHECK(read.format == "container-log");
  REQUIRE(read.events.size() == 4);
  CHECK(read.events[0].event.message == "[core:notice] [pid 1] AH00052: child pid 29 exit signal Segmentation fault (11)");
  CHECK(read.events[0].stamp.wall == at(2026, 3, 2, 10, 11, 12.123456));
  CHECK(read.events[1].event.message == "[notice] caught SIGTERM, shutting down");
  CHECK(read.events[1].event.trust == Trust::claimed);

  const ReadText dmesg = read_text(
      "[Mon Mar  2 10:11:13 2026] [Hardware Error]: CPU 0: Machine Check Exception: 4\n"
      "[Mon Mar  2 10:11:14 2026] [drm] Initialized\n"
      "[Mon Mar  2 10:11:14 2026] usb 1-1: new device\n");
  CHECK(dmesg.format == "dmesg-ctime");
  CHECK(messages(dmesg) == std::vector<std::string>{"[Hardware Error]: CPU 0: Machine Check Exception: 4", "[drm] Initialized", "usb 1-1: new device"});
}
