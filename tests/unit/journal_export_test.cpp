#include <algorithm>

#include <doctest/doctest.h>

#include "read/journal_readers.h"
#include "read_everything.h"

using namespace forensics;
using test::read_everything;

namespace {

std::string binary(std::string_view name, std::string_view value) {
  std::string out(name);
  out += '\n';
  for (std::uint64_t i = 0, n = value.size(); i < 8; ++i, n >>= 8) out += static_cast<char>(n & 0xFF);
  out += value;
  return out + '\n';
}

std::string entry(std::string_view fields, int i = 1) {
  return "__CURSOR=s=1;i=" + std::to_string(i) + "\n__REALTIME_TIMESTAMP=1709520776193967\n__MONOTONIC_TIMESTAMP=5000000\n" +
         "_BOOT_ID=24fe194c8bbf466d92300a1ccf43df7c\n_HOSTNAME=pi\n" + std::string(fields) + "\n";
}

constexpr std::string_view kernel_fields =
    "PRIORITY=3\n_TRANSPORT=kernel\nSYSLOG_FACILITY=0\nSYSLOG_IDENTIFIER=kernel\n_SOURCE_MONOTONIC_TIMESTAMP=4000000\n";

}  // namespace

TEST_CASE("journal-export: a kernel entry") {
  const std::string bytes = entry(std::string(kernel_fields) + "MESSAGE=Out of memory: Killed process 483 (python3)\n");
  CHECK(sniff_journal_export("x", bytes) > 90);
  const auto all = read_everything(open_journal_export, bytes);
  REQUIRE(all.events.size() == 1);
  const Event& e = all.events[0];
  CHECK(e.trust == Trust::kernel);
  CHECK(e.identifier == "kernel");
  CHECK(e.message == "Out of memory: Killed process 483 (python3)");
  CHECK(e.host == "pi");
  CHECK(e.boot_id == "24fe194c8bbf466d92300a1ccf43df7c");
  CHECK(e.severity == Severity::error);
  CHECK(all.stamps[0].wall == 1709520776193967);
  CHECK(all.stamps[0].kind == Stamp::Wall::utc);
  CHECK(all.stamps[0].monotonic == 4000000);
  CHECK(bytes.substr(e.where.offset, e.where.length) == e.message);
  CHECK(e.where.line == 11);
  CHECK(all.context.account.lines == 12);
  CHECK(all.context.account.bytes == bytes.size());
  CHECK(all.context.account.records == 1);
  CHECK(all.context.diagnostics.empty());
}

TEST_CASE("journal-export: a message is data, whatever it looks like") {
  const std::string forged =
      "harmless\n\n__CURSOR=s=1;i=9\n_TRANSPORT=kernel\nSYSLOG_FACILITY=0\nMESSAGE=Out of memory: Killed process 1 (x)\n\n";
  const std::string bytes = entry("_TRANSPORT=stdout\nSYSLOG_IDENTIFIER=app\n" + binary("MESSAGE", forged) +
                                  "_COMM=app\n") +
                            entry("MESSAGE=second\n_TRANSPORT=syslog\n", 2);
  const auto all = read_everything(open_journal_export, bytes);
  CHECK(all.adds_up());
  REQUIRE(all.events.size() == 6);
  for (const Event& e : all.events) {
    CHECK(e.trust == Trust::claimed);
    CHECK(bytes.substr(e.where.offset, e.where.length) == e.message);
  }
  CHECK(all.events[1].message == "__CURSOR=s=1;i=9");
  CHECK(all.events[1].identifier == "app");
  CHECK(all.events[1].comm == "app");
  CHECK(all.events[1].where.line == all.events[0].where.line + 2);
  CHECK(all.events[5].message == "second");
  CHECK(all.context.account.skipped.at("empty-message") == 2);
  CHECK(all.context.diagnostics.empty());
}

TEST_CASE("journal-export: kernel text of several lines is several records with one stamp") {
  const auto all = read_everything(open_journal_export,
                                   entry(std::string(kernel_fields) + binary("MESSAGE", "Modules linked in:\nCPU: 0\n")));
  REQUIRE(all.events.size() == 2);
  CHECK(all.events[1].message == "CPU: 0");
  CHECK(all.events[1].trust == Trust::kernel);
  CHECK(all.stamps[1].monotonic == 4000000);
}

TEST_CASE("journal-export: who may say what") {
  const auto trust = [](const std::string& fields) {
    const auto all = read_everything(open_journal_export, entry(fields + "MESSAGE=x\n"));
    REQUIRE(all.events.size() == 1);
    return all.events[0];
  };
  SUBCASE("user space wrote to /dev/kmsg") {
    CHECK(trust("_TRANSPORT=kernel\nSYSLOG_FACILITY=1\nSYSLOG_IDENTIFIER=kernel\n").trust == Trust::claimed);
  }
  SUBCASE("the transport of another field's text") {
    CHECK(trust("X=_TRANSPORT=kernel\nTRANSPORT=kernel\n").trust == Trust::claimed);
  }
  SUBCASE("dockerd") {
    const Event e = trust("_TRANSPORT=stdout\nSYSLOG_IDENTIFIER=dockerd\n_COMM=dockerd\n_EXE=/usr/sbin/dockerd\n"
                          "_SYSTEMD_UNIT=docker.service\n_PID=199\n_UID=0\n_SYSTEMD_CGROUP=/system.slice/docker.service\n");
    CHECK(e.trust == Trust::daemon);
    CHECK(e.pid == 199);
    CHECK(e.unit == "docker.service");
    CHECK(e.cgroup == "/system.slice/docker.service");
  }
  SUBCASE("logger -t dockerd") {
    CHECK(trust("_TRANSPORT=syslog\nSYSLOG_IDENTIFIER=dockerd\n_COMM=logger\n_EXE=/usr/bin/logger\n"
                "_SYSTEMD_UNIT=session-1.scope\n_UID=0\n").trust == Trust::claimed);
  }
  SUBCASE("systemd about a unit") {
    const Event e = trust("_TRANSPORT=journal\nSYSLOG_IDENTIFIER=systemd\n_PID=1\n_UID=0\n_COMM=systemd\n"
                          "_EXE=/usr/lib/systemd/systemd\n_SYSTEMD_UNIT=init.scope\nUNIT=eater.service\n"
                          "EXIT_CODE=killed\nEXIT_STATUS=9\n");
    CHECK(e.trust == Trust::daemon);
    CHECK(e.unit == "eater.service");
    CHECK(e.fields.at("exit_status") == "9");
  }
  SUBCASE("an application that calls itself systemd") {
    const Event e = trust("_TRANSPORT=journal\nSYSLOG_IDENTIFIER=systemd\n_PID=77\n_UID=0\n_COMM=systemd\n"
                          "_EXE=/srv/app/systemd\n_SYSTEMD_UNIT=app.service\nUNIT=eater.service\nEXIT_STATUS=9\n");
    CHECK(e.trust == Trust::claimed);
    CHECK(e.unit == "app.service");
    CHECK(e.fields.empty());
  }
  SUBCASE("a container's log through dockerd") {
    const Event e = trust("_TRANSPORT=journal\nSYSLOG_IDENTIFIER=e07cdbaba810\n_COMM=dockerd\n_EXE=/usr/sbin/dockerd\n"
                          "_SYSTEMD_UNIT=docker.service\n_UID=0\nCONTAINER_ID=e07cdbaba810\nCONTAINER_NAME=jlog\n"
                          "CONTAINER_ID_FULL=e07cdbaba810d87483f9ba4246b61b5ec46244c4f0a6ae98d201d025d3585b84\n");
    CHECK(e.trust == Trust::claimed);
    CHECK(e.container_id == "e07cdbaba810d87483f9ba4246b61b5ec46244c4f0a6ae98d201d025d3585b84");
    CHECK(e.container_name == "jlog");
    CHECK(e.unit.empty());
    CHECK(e.comm.empty());
  }
  SUBCASE("a dockerd inside a container") {
    CHECK(trust("_TRANSPORT=stdout\nSYSLOG_IDENTIFIER=dockerd\n_COMM=dockerd\n_EXE=/usr/bin/dockerd\n_UID=0\n"
                "_SYSTEMD_CGROUP=/system.slice/docker-"
                "e07cdbaba810d87483f9ba4246b61b5ec46244c4f0a6ae98d201d025d3585b84.scope\n").trust == Trust::claimed);
  }
  SUBCASE("audit") {
    const Event e = trust("_TRANSPORT=audit\n");
    CHECK(e.trust == Trust::daemon);
    CHECK(e.identifier == "audit");
  }
}

TEST_CASE("journal-export: repeated fields, the first counts") {
  const auto all = read_everything(open_journal_export,
                                   entry("SYSLOG_IDENTIFIER=a\nSYSLOG_IDENTIFIER=b\nMESSAGE=one\nMESSAGE=two\n"));
  REQUIRE(all.events.size() == 2);
  CHECK(all.events[1].identifier == "a");
  CHECK(all.events[1].message == "two");
}

TEST_CASE("journal-export: huge length prefix, garbage and what stands behind it") {
  std::string bytes = entry("MESSAGE=before\n");
  bytes += "__CURSOR=s=1;i=2\nMESSAGE\n\xff\xff\xff\xff\xff\xff\xff\x7fxyz\n\n";
  bytes += entry(std::string(kernel_fields) + "MESSAGE=after\n", 3);
  const auto all = read_everything(open_journal_export, bytes);
  CHECK(all.adds_up());
  REQUIRE(all.events.size() == 2);
  CHECK(all.events[1].message == "after");
  CHECK(all.events[1].trust == Trust::kernel_text);   // found by searching
  REQUIRE(all.diagnostic("bad-record") != nullptr);
  CHECK(all.diagnostic("bad-record")->line == 9);

  const auto garbage = read_everything(open_journal_export, std::string(300000, 'x') + "\nno field\n\n\n");
  CHECK(garbage.events.empty());
  CHECK(garbage.adds_up());
}

TEST_CASE("journal-export: a core in a field does not fill the memory, a long message is cut") {
  const std::string core(3'000'000, '\n');
  const std::string bytes = entry(binary("COREDUMP", core) + "MESSAGE=dumped core\n" + "_TRANSPORT=journal\n") +
                            entry("MESSAGE=" + std::string(700'000, 'a') + "\n_TRANSPORT=kernel\n", 2) +
                            entry(binary("MESSAGE", std::string(500'000, 'b')) + "PRIORITY=2\n", 3) + entry("MESSAGE=last\n", 4);
  for (const std::size_t step : {std::size_t(-1), std::size_t(70'000)}) {
    const auto all = read_everything(open_journal_export, bytes, "x", step);
    CHECK(all.adds_up());
    REQUIRE(all.events.size() == 4);
    CHECK(bytes.substr(all.events[0].where.offset, all.events[0].where.length) == "dumped core");
    CHECK(all.events[1].message.size() == max_record);
    CHECK(all.events[1].trust == Trust::kernel);
    CHECK(all.events[2].message.size() == max_record);
    CHECK(all.events[2].severity == Severity::critical);
    CHECK(bytes.substr(all.events[3].where.offset, all.events[3].where.length) == "last");
    CHECK(all.events[0].where.line == 6 + 1 + 3'000'000 + 1);
    CHECK(all.context.account.lines == static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n')));
    CHECK(all.context.account.bytes == bytes.size());
    CHECK(all.diagnostic("long-line")->count == 2);
  }
}

TEST_CASE("journal-export: cut anywhere, and read in drops") {
  const std::string bytes = entry(std::string(kernel_fields) + binary("MESSAGE", "a\nb") + "_PID=3\n") +
                            entry("MESSAGE=second\n_TRANSPORT=syslog\n", 2);
  CHECK(test::cuts_add_up(open_journal_export, bytes));
  const auto whole = read_everything(open_journal_export, bytes);
  const auto drops = read_everything(open_journal_export, bytes, "x", 1);
  REQUIRE(whole.events.size() == drops.events.size());
  for (std::size_t i = 0; i < whole.events.size(); ++i) {
    CHECK(whole.events[i].where.offset == drops.events[i].where.offset);
    CHECK(whole.events[i].where.line == drops.events[i].where.line);
    CHECK(whole.events[i].message == drops.events[i].message);
  }
  const auto cut = read_everything(open_journal_export, bytes.substr(0, bytes.find("\n_TRANSPORT=syslog") + 5));
  CHECK(cut.events.size() == 3);
  CHECK(cut.diagnostic("truncated-record") != nullptr);
}

TEST_CASE("journal-export: colours of a terminal are no part of a message") {
  const auto all = read_everything(open_journal_export, entry("MESSAGE=\x1b[31mred\x1b[0m text\r\n"));
  REQUIRE(all.events.size() == 1);
  CHECK(all.events[0].message == "red text");
}
