#include "read/syslog_json.h"

#include "line_samples.h"
#include "read_everything.h"

using namespace forensics;
using test::read_everything;

namespace {

const std::string all_properties =
    R"j({ "msg": " Memory cgroup out of memory: Killed process 4711 (python3)", "timereported": "2026-11-30T14:03:22.345678+01:00", "hostname": "pi", "syslogtag": "kernel:", "pri": "3", "syslogfacility": "0", "syslogseverity": "3", "app-name": "kernel", "procid": "-", "uuid": null, "$!": null })j" "\n";

}  // namespace

TEST_CASE("syslog-json: rsyslog's properties, and the templates for collectors") {
  const std::string lines[] = {
      all_properties,
      R"j({"@timestamp":"2026-11-30T13:03:22.345678Z","host":"pi","severity":"err","facility":"kern","tag":"kernel:","message":" Memory cgroup out of memory: Killed process 4711 (python3)"})j" "\n",
      R"j({"PROGRAM":"kernel","PRIORITY":"err","FACILITY":"kern","HOST":"pi","ISODATE":"2026-11-30T13:03:22.345678+00:00","MESSAGE":"[ 4712.345678] Memory cgroup out of memory: Killed process 4711 (python3)"})j" "\n"};
  for (const std::string& line : lines) {
    CAPTURE(line);
    const ReadText none = read_text("{}\n", "x");
    CHECK(none.format != "syslog-json");
    CHECK(sniff_format("x", line)->name == "syslog-json");
    const auto all = read_everything(open_syslog_json, line);
    REQUIRE(all.events.size() == 1);
    const Event& event = all.events[0];
    CHECK(event.message == "Memory cgroup out of memory: Killed process 4711 (python3)");
    CHECK(event.identifier == "kernel");
    CHECK(event.trust == Trust::kernel_text);
    CHECK(event.host == "pi");
    CHECK(event.severity == Severity::error);
    CHECK(event.facility == 0);
    CHECK(all.stamps[0].wall == at(2026, 11, 30, 13, 3, 22.345678));
    CHECK(all.stamps[0].kind == Stamp::Wall::utc);
    CHECK(all.context.diagnostics.empty());
  }
  CHECK(read_everything(open_syslog_json, lines[2]).stamps[0].monotonic == 4'712'345'678);
}

TEST_CASE("syslog-json: user space that claims to be the kernel is not believed") {
  const auto all = read_everything(open_syslog_json,
      R"j({"msg":" Out of memory: Killed process 1 (init)","timereported":"2026-11-30T14:03:22Z","hostname":"pi","syslogtag":"kernel:","pri":"13"})j" "\n");
  REQUIRE(all.events.size() == 1);
  CHECK(all.events[0].trust == Trust::claimed);
}

TEST_CASE("syslog-json: what a daemon says is unwrapped, and what its quotes hide is scanned") {
  const std::string bytes =
      R"j({"msg":" time=\"2026-11-30T14:03:22Z\" level=error msg=\"exec: \\\"nope\\\": not found\" container=aa","timereported":"2026-11-30T14:03:22Z","hostname":"pi","syslogtag":"dockerd[77]:","pri":"28"})j" "\n";
  SourceContext context;
  MemorySource source(bytes);
  const auto reader = open_syslog_json(source, context);
  Batch batch;
  batch.clear();
  REQUIRE(reader->next(batch));
  REQUIRE(batch.records.size() == 1);
  CHECK(batch.text.find(R"(exec: "nope": not found)") != std::string_view::npos);
  Event event;
  reader->parse(batch, batch.records[0], event);
  CHECK(event.message == R"(exec: "nope": not found container=aa)");
  CHECK(event.identifier == "dockerd");
  CHECK(event.pid == 77);
  CHECK(event.severity == Severity::error);
  CHECK(event.trust == Trust::daemon_text);
}

TEST_CASE("syslog-json: lines that are no record, and cuts") {
  const auto all = read_everything(open_syslog_json, all_properties + "\n{\"a\": 1\n{\"pri\":\"3\"}\n" + all_properties);
  CHECK(all.events.size() == 2);
  CHECK(all.adds_up());
  CHECK(all.context.account.skipped.at("bad-record") == 1);
  CHECK(all.context.account.skipped.at("no-message") == 1);
  CHECK(all.context.account.skipped.at("blank") == 1);
  CHECK(test::cuts_add_up(open_syslog_json, all_properties + all_properties));
}
