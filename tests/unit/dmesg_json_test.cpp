#include <doctest/doctest.h>

#include "read/state_readers.h"
#include "read_everything.h"

using namespace forensics;
using test::read_everything;

TEST_CASE("dmesg-json: records, lines of a record, who wrote them") {
  const std::string bytes = R"({
   "dmesg": [
      {
         "pri": 4,
         "time":    41.128300,
         "msg": "prog invoked oom-killer: \"x\""
      },{
         "pri": 6,
         "time":     2.5,
         "msg": "anon 33210368\nfile 0"
      },{
         "pri": 3,
         "time":     4.187283,
         "msg": "systemd[1]: Failed to find module 'autofs4'"
      },{
         "pri": 6,
         "time":     5.000001,
         "msg": "prog[18976]: segfault at 10 ip 000000000040180b"
      }
   ]
}
)";
  CHECK(sniff_dmesg_json("x", bytes) > 90);
  const auto all = read_everything(open_dmesg_json, bytes);
  CHECK(all.adds_up());
  REQUIRE(all.events.size() == 5);
  CHECK(all.events[0].message == "prog invoked oom-killer: \"x\"");
  CHECK(all.events[0].text == all.events[0].message);
  CHECK(all.events[0].trust == Trust::kernel);
  CHECK(all.events[0].severity == Severity::warning);
  CHECK(all.stamps[0].monotonic == 41128300);
  CHECK(all.events[0].where.line == 6);
  CHECK(bytes.substr(all.events[0].where.offset, all.events[0].where.length) == R"(prog invoked oom-killer: \"x\")");
  CHECK(all.events[2].message == "file 0");
  CHECK(all.stamps[2].monotonic == 2500000);
  CHECK(all.events[3].trust == Trust::daemon_text);
  CHECK(all.events[3].identifier == "systemd");
  CHECK(all.events[3].pid == 1);
  CHECK(all.events[3].message == "Failed to find module 'autofs4'");
  CHECK(all.events[3].text == "systemd[1]: Failed to find module 'autofs4'");
  CHECK(!all.events[3].severity);   // facility 3 or level 3 gives 3, and so does level 2
  CHECK(all.events[4].trust == Trust::kernel);
  CHECK(all.context.account.lines == 21);
  CHECK(all.context.account.records == 5);
  CHECK(all.context.diagnostics.empty());
}

TEST_CASE("dmesg-json: decoded facility and level, one line") {
  const auto all = read_everything(open_dmesg_json,
      R"x({"dmesg":[{"fac":"kern","pri":"err","time":1.000000,"caller":"T7","msg":"a"},{"fac":"user","pri":"warn","time":2.0,"msg":"Out of memory: Killed process 1 (x)"}]})x");
  REQUIRE(all.events.size() == 2);
  CHECK(all.events[0].severity == Severity::error);
  CHECK(all.events[0].fields.at("caller") == "T7");
  CHECK(all.events[1].trust == Trust::claimed);
  CHECK(all.events[1].facility == 1);
  CHECK(all.events[1].identifier.empty());
}

TEST_CASE("dmesg-json: any size, in pieces") {
  std::string bytes = "{\n   \"dmesg\": [\n";
  for (int i = 0; i < 30'000; ++i)
    bytes += "      {\n         \"pri\": 6,\n         \"time\": " + std::to_string(i) + ".5,\n         \"msg\": \"a }, \\\" { " +
             std::to_string(i) + "\"\n      },";
  bytes += "{\"pri\":6,\"time\":40000.5,\"msg\":\"last\"}\n   ]\n}\n";
  const auto all = read_everything(open_dmesg_json, bytes, "sample", 1000);
  REQUIRE(all.events.size() == 30'001);
  CHECK(all.adds_up());
  CHECK(all.context.diagnostics.empty());
  CHECK(all.context.account.bytes == bytes.size());
  CHECK(all.context.account.lines == static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n')));
  for (const std::size_t i : {std::size_t{0}, std::size_t{12'345}, std::size_t{29'999}}) {
    const Event& e = all.events[i];
    CHECK(e.message == "a }, \" { " + std::to_string(i));
    CHECK(all.stamps[i].monotonic == static_cast<std::int64_t>(i) * 1'000'000 + 500'000);
    CHECK(bytes.substr(e.where.offset, e.where.length) == "a }, \\\" { " + std::to_string(i));
    CHECK(e.where.line == 6 + i * 4);
  }
}

TEST_CASE("dmesg-json: an entry without an end, brackets without end") {
  const auto open = read_everything(open_dmesg_json, "{\"dmesg\": [\n{\"msg\":\"" + std::string(5 << 20, 'x') + "\"},{\"pri\":6,\"time\":1.5,\"msg\":\"c\"}]}\n");
  CHECK(open.adds_up());
  CHECK(open.diagnostic("long-record") != nullptr);
  REQUIRE(open.events.size() >= 1);
  CHECK(open.events.back().message == "c");
  const auto deep = read_everything(open_dmesg_json, "{\"dmesg\": " + std::string(1 << 20, '['));
  CHECK(deep.adds_up());
  CHECK(deep.diagnostic("truncated-record") != nullptr);
}

TEST_CASE("dmesg-json: cut anywhere") {
  const std::string bytes = "{\"dmesg\": [\n{\"pri\":4,\"time\":1.5,\"msg\":\"a\\nb\"},\n{\"pri\":4,\"time\":2.5,\"msg\":\"c\"}\n]}\n";
  CHECK(test::cuts_add_up(open_dmesg_json, bytes));
  for (std::size_t i = 1; i < bytes.size() - 2; ++i)
    CHECK(read_everything(open_dmesg_json, bytes.substr(0, i)).diagnostic("truncated-record") != nullptr);
  CHECK(read_everything(open_dmesg_json, bytes).diagnostic("truncated-record") == nullptr);
  const auto torn = read_everything(open_dmesg_json, bytes.substr(0, bytes.find("b\"")));   // half a message is no message
  CHECK(torn.events.empty());
}
