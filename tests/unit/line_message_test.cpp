#include "read/line_message.h"

#include "line_samples.h"

using namespace forensics;

TEST_CASE("logfmt: text, fields, escapes, and what is cut") {
  std::string message;
  std::optional<int> severity;
  CHECK(unwrap_logfmt(R"(time="2026-11-30T22:45:14Z" level=warning msg="say \"hi\"\nthere" a=1 b="x y")", message, severity));
  CHECK(message == R"(say "hi" there a=1 b="x y")");
  CHECK(severity == 4);
  severity.reset();
  CHECK(unwrap_logfmt(R"(time="2015-04-28T20:51:11Z" level="info" msg="+job log(exec_start: bash , 83)", message, severity));
  CHECK(message == "+job log(exec_start: bash , 83");
  CHECK(severity == 6);
  CHECK_FALSE(unwrap_logfmt("time flies", message, severity));
  CHECK_FALSE(unwrap_logfmt("time=\"x\" level=info", message, severity));
}

TEST_CASE("containers in messages: the named one, else the first that is an id") {
  const std::string a(64, 'a'), b(64, 'b');
  CHECK(container_in("Container " + a + " failed to exit") == a);
  CHECK(container_in("x " + b + " container=" + a) == a);
  CHECK(container_in("shim reaped id=" + a) == a);
  CHECK(container_in("image sha256:" + a).empty());
  CHECK(container_in("f" + a).empty());
  CHECK(container_in("").empty());
}

TEST_CASE("escapes: rsyslog, /dev/kmsg and terminals") {
  CHECK(without_octal_escapes("a#011b #033[1mc#033[0m CPU#0 #09") == "a\tb c CPU#0 #09");
  CHECK(without_kmsg_escapes(R"(caf\xc3\xa9 \x5c \x \xg1)") == "café \\ \\x \\xg1");
  CHECK(without_terminal_sequences("\x1b[1m[NOTE]\x1b[0m ^[[31mred^[[0m ^[[x") == "[NOTE] red ^[[x");
}
