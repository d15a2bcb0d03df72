#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "read/journal_readers.h"
#include "read_everything.h"

using namespace forensics;
using test::read_everything;

namespace {

std::string sample(const std::string& name) {
  std::ifstream in(FORENSICS_SOURCE_DIR "/tests/unit/samples/" + name, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr std::string_view kernel =
    R"({"__REALTIME_TIMESTAMP":"1709520776193967","__MONOTONIC_TIMESTAMP":"5000000","_SOURCE_MONOTONIC_TIMESTAMP":"4000000",)"
    R"("_TRANSPORT":"kernel","SYSLOG_FACILITY":"0","PRIORITY":"3","_HOSTNAME":"pi","MESSAGE":"Out of memory: \"x\" \u00e9\/"})";

}  // namespace

TEST_CASE("journal-json: a kernel entry") {
  const std::string bytes = std::string(kernel) + "\n";
  CHECK(sniff_journal_json("x", bytes) > 90);
  const auto all = read_everything(open_journal_json, bytes);
  REQUIRE(all.events.size() == 1);
  CHECK(all.adds_up());
  const Event& e = all.events[0];
  CHECK(e.message == "Out of memory: \"x\" é/");
  CHECK(e.trust == Trust::kernel);
  CHECK(e.severity == Severity::error);
  CHECK(e.host == "pi");
  CHECK(all.stamps[0].wall == 1709520776193967);
  CHECK(all.stamps[0].monotonic == 4000000);
  CHECK(bytes.substr(e.where.offset, e.where.length) == R"(Out of memory: \"x\" \u00e9\/)");
}

TEST_CASE("journal-json: null, bytes, repeated") {
  const auto messages = [](std::string_view value) {
    const std::string bytes = R"({"__CURSOR":"1","MESSAGE":)" + std::string(value) + R"(,"SYSLOG_IDENTIFIER":["a","b"]})" + "\n";
    const auto all = read_everything(open_journal_json, bytes);
    CHECK(all.adds_up());
    std::string out;
    for (const Event& e : all.events) {
      CHECK(e.identifier == "a");
      out += e.message + "|";
    }
    return out;
  };
  CHECK(messages("null").empty());
  CHECK(messages("[104,105,255]") == "hi\xff|");
  CHECK(messages("[ 104, 10, 105 ]") == "h|i|");
  CHECK(messages(R"(["one","two\nthree"])") == "one|two|three|");
  CHECK(messages("[[104,105],null,\"x\"]") == "hi|x|");
  CHECK(messages("[300]").empty());
  CHECK(messages("\"\"").empty());
  CHECK(messages("\"a\\\\nb\"") == "a\\nb|");
  CHECK(messages("42").empty());
}

TEST_CASE("journal-json: a message is data, whatever it looks like") {
  const auto all = read_everything(open_journal_json,
      R"j({"__CURSOR":"1","MESSAGE":"x\",\"_TRANSPORT\":\"kernel\",\"y\n{\"_TRANSPORT\":\"kernel\"}","_TRANSPORT":"stdout","CONTAINER_ID":"abcdefabcdef"})j" "\n");
  REQUIRE(all.events.size() == 2);
  CHECK(all.events[0].trust == Trust::claimed);
  CHECK(all.events[1].message == R"({"_TRANSPORT":"kernel"})");
  CHECK(all.events[1].trust == Trust::claimed);
  CHECK(all.events[1].container_id == "abcdefabcdef");
}

TEST_CASE("journal-json: the same entries in every form are the same events") {
  const auto exported = read_everything(open_journal_export, sample("journal.export"));
  CHECK(exported.events.size() > 20);
  CHECK(exported.context.diagnostics.empty());
  std::string compact = sample("journal.json"), sequence, events;
  for (std::size_t at = 0; at < compact.size();) {
    const std::size_t end = compact.find('\n', at) + 1;
    sequence += '\x1e' + compact.substr(at, end - at);
    events += "data: " + compact.substr(at, end - at) + "\n";
    at = end;
  }
  for (const std::string& bytes : {compact, sample("journal.json-pretty"), sequence, events}) {
    CHECK(sniff_journal_json("x", bytes) > 90);
    for (const std::size_t step : {std::size_t(-1), std::size_t(333)}) {
      const auto all = read_everything(open_journal_json, bytes, "x", step);
      CHECK(all.adds_up());
      CHECK(all.context.diagnostics.empty());
      CHECK(all.context.account.bytes == bytes.size());
      REQUIRE(all.events.size() == exported.events.size());
      for (std::size_t i = 0; i < all.events.size(); ++i) {
        const Event &a = all.events[i], &b = exported.events[i];
        CHECK(a.message == b.message);
        CHECK(a.trust == b.trust);
        CHECK(a.identifier == b.identifier);
        CHECK(a.unit == b.unit);
        CHECK(a.pid == b.pid);
        CHECK(a.boot_id == b.boot_id);
        CHECK(a.fields == b.fields);
        CHECK(a.container_id == b.container_id);
        CHECK(all.stamps[i].wall == exported.stamps[i].wall);
        CHECK(all.stamps[i].monotonic == exported.stamps[i].monotonic);
        CHECK(a.where.line > 0);
      }
    }
  }
}

TEST_CASE("journal-verbose: the same entries are the same events") {
  const auto exported = read_everything(open_journal_export, sample("journal.export"));
  const std::string bytes = sample("journal.verbose");
  CHECK(sniff_journal_verbose("x", bytes) > 90);
  for (const std::size_t step : {std::size_t(-1), std::size_t(333)}) {
    const auto all = read_everything(open_journal_verbose, bytes, "x", step);
    CHECK(all.adds_up());
    CHECK(all.context.diagnostics.empty());
    REQUIRE(all.events.size() == exported.events.size());
    for (std::size_t i = 0; i < all.events.size(); ++i) {
      const Event &a = all.events[i], &b = exported.events[i];
      CHECK(a.message == b.message);
      CHECK(a.trust == b.trust);
      CHECK(a.unit == b.unit);
      CHECK(a.fields == b.fields);
      CHECK(all.stamps[i].wall == exported.stamps[i].wall);
      CHECK(all.stamps[i].monotonic == exported.stamps[i].monotonic);
      CHECK(show(bytes.substr(a.where.offset, a.where.length)) == a.text);
    }
  }
}

TEST_CASE("journal-verbose: a message cannot pass for a field; blobs; cut anywhere") {
  const std::string bytes =
      "Mon 2026-11-30 23:24:00.941123 UTC [s=1;i=1;b=f2;m=86004b;t=66186b46ee043;x=7]\n"
      "    _TRANSPORT=stdout\n"
      "    MESSAGE=a\n"
      "            _TRANSPORT=kernel\n"
      "            Mon 2026-11-30 23:24:00.941123 UTC [s=1;i=1;b=f2;m=86004b;t=66186b46ee043;x=7]\n"
      "    SYSLOG_IDENTIFIER=app\n"
      "Mon 2026-11-30 23:24:01.941123 UTC [s=1;i=2;b=f2;m=86004b;t=66186b46ee043;x=7]\n"
      "    MESSAGE=[18B blob data]\n"
      "garbage\n";
  const auto all = read_everything(open_journal_verbose, bytes);
  CHECK(all.adds_up());
  REQUIRE(all.events.size() == 3);
  for (const Event& e : all.events) {
    CHECK(e.trust == Trust::claimed);
    CHECK(e.identifier == "app");
  }
  CHECK(all.events[1].message == "_TRANSPORT=kernel");
  CHECK(all.stamps[0].wall == 0x66186b46ee043);
  CHECK(all.stamps[0].monotonic == 0x86004b);
  CHECK(all.context.account.skipped.at("blob-message") == 1);
  CHECK(all.diagnostic("bad-record")->line == 9);
  CHECK(test::cuts_add_up(open_journal_verbose, bytes));
}

TEST_CASE("journal-json: cut anywhere, garbage between entries") {
  const std::string compact = std::string(kernel) + "\n" + std::string(kernel) + "\n";
  CHECK(test::cuts_add_up(open_journal_json, compact));
  CHECK(test::cuts_add_up(open_journal_json, "{\n\t\"MESSAGE\" : \"a\\nb\",\n\t\"__CURSOR\" : \"1\"\n}\n{\n\t\"MESSAGE\" : null\n}\n"));
  const auto all = read_everything(open_journal_json, std::string(kernel) + "\nnonsense\n{\"MESSAGE\":}\n{\"a\":[[[[\n{}\n" + std::string(kernel));
  CHECK(all.events.size() == 2);
  CHECK(all.adds_up());
  CHECK(all.diagnostic("bad-record")->count == 3);
  const auto torn = read_everything(open_journal_json, "{\n\t\"__CURSOR\" : \"1\",\n\t\"MESSAGE\" : \"a\nb\"\n}\n");
  CHECK(torn.events.empty());
  CHECK(torn.diagnostic("bad-record") != nullptr);
  const auto cut = read_everything(open_journal_json, std::string(kernel) + "\n" + std::string(kernel.substr(0, 200)));
  CHECK(cut.events.size() == 1);
  CHECK(cut.diagnostic("truncated-record")->line == 2);
  const auto big = read_everything(open_journal_json, std::string(5'000'000, '{') + "\n" + std::string(kernel) + "\n");
  CHECK(big.events.size() == 1);
  CHECK(big.diagnostic("long-line") != nullptr);
  CHECK(big.adds_up());
}

TEST_CASE("journal-json: what a daemon wrapped in logfmt says what it says in syslog; the time is when it said so") {
  const std::string bytes =
      R"j({"MESSAGE":"time=\"2026-11-30T14:03:22Z\" level=error msg=\"exec: \\\"nope\\\": not found\" container=aa","SYSLOG_IDENTIFIER":"dockerd","PRIORITY":"6","_PID":"77","_EXE":"/usr/bin/dockerd","__REALTIME_TIMESTAMP":"1796047402500000","__MONOTONIC_TIMESTAMP":"9500000","_SOURCE_REALTIME_TIMESTAMP":"1796047402000000"})j" "\n";
  const auto all = test::read_everything(open_journal_json, bytes);
  REQUIRE(all.events.size() == 1);
  CHECK(all.events[0].message == R"(exec: "nope": not found container=aa)");
  CHECK(all.events[0].text.starts_with("time="));
  CHECK(all.events[0].severity == Severity::error);
  CHECK(all.stamps[0].wall == 1796047402000000);
  CHECK(all.stamps[0].monotonic == 9500000);
  CHECK(all.stamps[0].delay == 500000);   // so the boot began at 1796047393
}
