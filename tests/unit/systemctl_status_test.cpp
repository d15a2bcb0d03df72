// `systemctl status` above or without the journal's lines.
#include "read/systemctl_status.h"

#include "line_samples.h"

using namespace forensics;

namespace {

/// Identifiers and messages of systemd's events.
std::vector<std::string> ends(const ReadText& read) {
  std::vector<std::string> out;
  for (const ReadEvent& e : read.events)
    if (e.event.identifier == "systemd") out.push_back(e.event.message);
  return out;
}

}  // namespace

TEST_CASE("systemctl status: a unit that failed is told in the journal's words, with its time") {
  const ReadText read = read_text(
      "\xE2\x97\x8F web.service - Web server\n"
      "     Loaded: loaded (/etc/systemd/system/web.service; enabled; preset: enabled)\n"
      "     Active: failed (Result: core-dump) since Tue 2026-03-17 16:24:10 UTC; 5s ago\n"
      "    Process: 811 ExecStartPre=/usr/bin/check (code=exited, status=0/SUCCESS)\n"
      "    Process: 812 ExecStart=/usr/bin/web (code=dumped, signal=SEGV)\n"
      "    Process: 813 ExecStop=/usr/bin/web stop (code=exited, status=1/FAILURE)\n"
      "   Main PID: 812 (code=dumped, signal=SEGV)\n");
  REQUIRE(ends(read) == std::vector<std::string>{"web.service: Failed with result 'core-dump'.",
                                                 "web.service: Main process exited, code=dumped, status=11/SEGV",
                                                 "web.service: Main process exited, code=dumped, status=11/SEGV"});
  const ReadEvent& active = read.events[2];
  CHECK(active.event.unit == "web.service");
  CHECK(active.event.trust == Trust::daemon_text);
  CHECK(active.event.where.line == 3);
  CHECK(active.scanned == active.event.message);
  CHECK(active.stamp.wall == at(2026, 3, 17, 16, 24, 10));
}

TEST_CASE("systemctl status: what runs, what stopped in order and what only resembles it say nothing") {
  CHECK(ends(read_text("* web.service - Web server\n"
                       "   Active: active (running) since Tue 2026-03-17 16:24:10 CET; 5s ago\n"
                       " Main PID: 812 (web)\n"))
            .empty());
  CHECK(ends(read_text("web.service - Web server\n"
                       "   Active: inactive (dead) since Tue 2026-03-17 16:24:10 CET; 5s ago\n"
                       " Main PID: 812 (code=exited, status=0/SUCCESS)\n"))
            .empty());
  CHECK(ends(read_text("some text - about it\n"
                       "   Active: failed (Result: exit-code)\n"))
            .empty());
}

TEST_CASE("systemctl status: the block ends, and a second unit begins another") {
  std::string text = "x web.service - Web server\n   Active: failed (Result: signal)\n Main PID: 812 (code=killed, signal=KILL)\n";
  for (int i = 0; i < 30; ++i) text += "a line of the program\n";
  text += " Main PID: 900 (code=killed, signal=ABRT)\n";
  text += "\xC3\x97 db.service\n   Active: failed (Result: exit-code)\n Main PID: 901 (code=exited, status=203/EXEC)\n";
  CHECK(ends(read_text(text)) == std::vector<std::string>{"web.service: Failed with result 'signal'.",
                                                          "web.service: Main process exited, code=killed, status=9/KILL",
                                                          "db.service: Failed with result 'exit-code'.",
                                                          "db.service: Main process exited, code=exited, status=203/EXEC"});
}

TEST_CASE("systemctl status: the journal's lines below it are read as ever") {
  const ReadText read = read_text(
      "\xE2\x97\x8F web.service - Web server\n"
      "   Active: failed (Result: timeout) since Tue 2026-03-17 16:24:10 UTC; 5s ago\n"
      "\n"
      "Mar 17 16:22:40 box systemd[1]: Starting Web server...\n"
      "Mar 17 16:24:10 box systemd[1]: web.service: start operation timed out. Terminating.\n");
  CHECK(ends(read) == std::vector<std::string>{"web.service: Failed with result 'timeout'.", "Starting Web server...",
                                               "web.service: start operation timed out. Terminating."});
  CHECK(read.events[2].stamp.kind == Stamp::Wall::no_year);
}
