// Each style: which row of the table claims it, and what becomes of its lines.
#include "read/line_formats.h"

#include "line_samples.h"

using namespace forensics;

namespace {

const ReadEvent& first(const ReadText& read) {
  static const ReadEvent none;
  CHECK(!read.events.empty());
  return read.events.empty() ? none : read.events.front();
}

constexpr std::int64_t uptime = 4'712'345'678;
const std::string oom = "Memory cgroup out of memory: Killed process 4711 (python3)";

}  // namespace

TEST_CASE("dmesg: every style of one record gives the same message") {
  struct Style {
    std::string line, format;
    Trust trust;
    bool monotonic;
  };
  const Style styles[] = {
      {"[ 4712.345678] ", "dmesg", Trust::kernel_text, true},
      {"[ 4712.345678][ T4711] ", "dmesg", Trust::kernel_text, true},
      {"[ 4712.345678@2] ", "dmesg", Trust::kernel_text, true},
      {"[ 4712.345678 <    0.002822>] ", "dmesg", Trust::kernel_text, true},
      {" 4712.345678] ", "dmesg", Trust::kernel_text, true},
      {"> [ 4712.345678] ", "dmesg", Trust::kernel_text, true},
      {"`[ 4712.345678] ", "dmesg", Trust::kernel_text, true},
      {"**[ 4712.345678] ", "dmesg", Trust::kernel_text, true},
      {"  17: [ 4712.345678] ", "dmesg", Trust::kernel_text, true},
      {" err [ 4712.345678] ", "dmesg", Trust::kernel_text, true},
      {"root@pi:~# [ 4712.345678] ", "dmesg", Trust::kernel_text, true},
      {"<3>[ 4712.345678] ", "dmesg-raw", Trust::kernel, true},
      {"kern  :err   : [ 4712.345678] ", "dmesg-x", Trust::kernel, true},
      {"kern  :err   : [Mon Nov 30 14:03:22 2026] ", "dmesg-x", Trust::kernel, false},
      {"[Mon Nov 30 14:03:22 2026] ", "dmesg-ctime", Trust::kernel_text, false},
      {"[Mo Nov 30 14:03:22 2026] ", "dmesg-ctime", Trust::kernel_text, false},
      {"[пн ноя 30 14:03:22 2026] ", "dmesg-ctime", Trust::kernel_text, false},
      {"[一 11月 30 14:03:22 2026] ", "dmesg-ctime", Trust::kernel_text, false},
      {"2026-11-30T14:03:22,345678+00:00 ", "dmesg-iso", Trust::kernel_text, false},
      {"[Nov30 14:03] ", "dmesg-reltime", Trust::kernel_text, false},
      {"3,1142,4712345678,-;", "kmsg", Trust::kernel, true},
      {"3,1142,4712345678,-,caller=T4711;", "kmsg", Trust::kernel, true},
  };
  for (const Style& style : styles) {
    CAPTURE(style.line);
    const ReadText read = read_text(style.line + oom + "\n");
    CHECK(read.format == style.format);
    const ReadEvent& e = first(read);
    CHECK(e.event.message == oom);
    CHECK(e.event.identifier == "kernel");
    CHECK(e.event.trust == style.trust);
    CHECK(e.stamp.monotonic.has_value() == style.monotonic);
    if (style.monotonic) CHECK(*e.stamp.monotonic == uptime);
    if (!style.monotonic) CHECK(e.stamp.wall.has_value());
    if (style.trust == Trust::kernel) CHECK(e.event.severity == Severity::error);
    CHECK(read.context.diagnostics.empty());
  }
}

TEST_CASE("dmesg: times of the relative style add up from the anchor, and may run backwards") {
  const ReadText read = read_text("[Sep18 17:12] a\n[  +9.250001] b\n[ +14.112013] c\n[  -0.100000] d\n[Sep18 17:34] e\n", "dmesg.txt");
  CHECK(read.format == "dmesg-reltime");
  REQUIRE(read.events.size() == 5);
  CHECK(read.events[0].stamp.kind == Stamp::Wall::no_year);
  CHECK(read.events[2].stamp.wall == at(2000, 9, 18, 17, 12, 23.362014));
  CHECK(read.events[3].stamp.wall == at(2000, 9, 18, 17, 12, 23.262014));
  CHECK(read.events[4].stamp.wall == at(2000, 9, 18, 17, 34, 0));
}

TEST_CASE("dmesg: a row of the OOM table is no stamp") {
  const ReadText read = read_text("[ 4712.345678] [ pid ]   uid  tgid total_vm\n[19431.000000]     0 19431   396156    42487     618       4   266041             0 python\n");
  REQUIRE(read.events.size() == 2);
  CHECK(read.events[1].stamp.monotonic == uptime);
  const ReadText raw = read_text("<6>[ 1807.405796] [  483]     0   483      226\n<6>[18444]     0 18444      630       46 dropbear\n");
  REQUIRE(raw.events.size() == 2);
  CHECK(raw.events[1].event.message == "[18444]     0 18444      630       46 dropbear");
  CHECK(raw.events[1].event.trust == Trust::kernel);
}

TEST_CASE("dmesg: user space that writes to /dev/kmsg is not the kernel") {
  const ReadText read = read_text(
      "6,1,1000000,-;EXT4-fs (sda1): mounted\n30,2,2000000,-;systemd[1]: Started Journal Service.\n"
      "12,3,3000000,-;Out of memory: Killed process 1 (init)\n SUBSYSTEM=x\n14,4,4000000,-;app[7]: hello\n");
  REQUIRE(read.events.size() == 4);
  CHECK(read.context.account.skipped.at("kmsg-dictionary") == 1);
  CHECK(read.events[0].event.trust == Trust::kernel);
  CHECK(read.events[1].event.identifier == "systemd");
  CHECK(read.events[1].event.message == "Started Journal Service.");
  CHECK(read.events[1].event.trust == Trust::daemon_text);
  CHECK(read.events[2].event.trust == Trust::claimed);
  CHECK(read.events[3].event.trust == Trust::claimed);
  CHECK(read.events[3].event.facility == 1);

  const ReadText plain = read_text("[    1.0] systemd[1]: Started Journal Service.\n[ 2.000000] systemd[1]: segfault at 0 ip 0000 sp 0000\n[ 3.000000] mmc0: x\n", "dmesg");
  CHECK(plain.events[0].event.identifier == "systemd");
  CHECK(plain.events[1].event.identifier == "kernel");
  CHECK(plain.events[1].event.message == "systemd[1]: segfault at 0 ip 0000 sp 0000");
}

TEST_CASE("kmsg: one record of several lines, and escapes") {
  const ReadText read = read_text(R"(3,400,6587436,-;ata1.00: cmd 60/08\x0a         res 50/00 \x5c Emask 0x1)" "\n6,401,6587500,-;next\n");
  REQUIRE(messages(read) == std::vector<std::string>{"ata1.00: cmd 60/08", "         res 50/00 \\ Emask 0x1", "next"});
  CHECK(read.events[1].stamp.monotonic == 6'587'436);
  CHECK(read.events[1].event.severity == Severity::error);
  CHECK(read.events[1].scanned == read.events[1].event.message);
  CHECK(read.events[1].event.where.line == 1);
  CHECK(read.events[2].event.where.line == 2);
}

TEST_CASE("syslog: every style of one kernel line gives the same message and time") {
  struct Style {
    std::string line, format;
    Stamp::Wall kind;
  };
  const Style styles[] = {
      {"Nov 30 14:03:22 pi kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"Nov 30 14:03:22 pi kernel:[ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"nov. 30 14:03:22 pi kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"novembre 30 14:03:22 pi kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"ноя 30 14:03:22 pi kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"11月 30 14:03:22 pi kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"Nov 30 14:03:22 222 kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"Nov 30 14:03:22 kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"Nov 30 14:03:22 pi kern.err kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"    Line  528: Nov 30 14:03:22 pi kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"32789 Nov 30 14:03:22 pi kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"/var/log/syslog.1:Nov 30 14:03:22 pi kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::no_year},
      {"2026 Nov 30 14:03:22.000000 pi ERR kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::local},
      {"Mon Nov 30 14:03:22 2026 kern.err kernel: [ 4712.345678] ", "syslog-rfc3164", Stamp::Wall::local},
      {"2026-11-30T14:03:22.000000+00:00 pi kernel: [ 4712.345678] ", "syslog-iso", Stamp::Wall::utc},
      {"2026-11-30T15:03:22+0100 pi kernel: [ 4712.345678] ", "syslog-iso", Stamp::Wall::utc},
      {"<3>1 2026-11-30T14:03:22.000000Z pi kernel - - -  [ 4712.345678] ", "syslog-rfc5424", Stamp::Wall::utc},
      {"<3>Nov 30 14:03:22 pi kernel: [ 4712.345678] ", "syslog-pri", Stamp::Wall::no_year},
      {"Mon 2026-11-30 14:03:22 UTC pi kernel: [ 4712.345678] ", "journal-short-full", Stamp::Wall::utc},
      {"Mon 2026-11-30 14:03:22 CET pi kernel: [ 4712.345678] ", "journal-short-full", Stamp::Wall::local},
      {"1796047402.000000 pi kernel: [ 4712.345678] ", "journal-short-unix", Stamp::Wall::utc},
  };
  for (const Style& style : styles) {
    CAPTURE(style.line);
    const ReadText read = read_text(style.line + oom + "\n", "messages");
    CHECK(read.format == style.format);
    const ReadEvent& e = first(read);
    CHECK(e.event.message == oom);
    CHECK(e.event.identifier == "kernel");
    CHECK(e.event.trust == Trust::kernel_text);
    CHECK(e.stamp.monotonic == uptime);
    CHECK(e.stamp.kind == style.kind);
    CHECK(e.stamp.wall == at(style.kind == Stamp::Wall::no_year ? 2000 : 2026, 11, 30, 14, 3, 22));
    CHECK(read.context.diagnostics.empty());
  }
}

TEST_CASE("syslog: RFC 5424 inside RFC 3164, as logger and rsyslog make it") {
  for (const char* outer : {"Nov 30 14:03:22 pi 1 ", "2026-11-30T14:03:22.000300+00:00 pi sshd[7]: x\n2026-11-30T14:03:22.000300+00:00 pi 1 ", "<13>Nov 30 14:03:22 pi 1 ", "<13>1 2026-11-30T14:03:22.000300Z pi 1 - - - "}) {
    const ReadText read = read_text(std::string(outer) + "2026-11-30T14:03:22.000100+00:00 pi backup 4711 - [timeQuality tzKnown=\"1\"] no space left\n", "messages");
    REQUIRE(!read.events.empty());
    const Event& event = read.events.back().event;
    CHECK(event.identifier == "backup");
    CHECK(event.pid == 4711);
    CHECK(event.message == "no space left");
  }
}

TEST_CASE("syslog: tags, pids and who is believed") {
  const ReadText read = read_text(
      "Nov 30 14:03:22 pi systemd-oomd[849]: Killed /system.slice/x.service\n"
      "Nov 30 14:03:22 pi sshd[31204]: kernel: Out of memory\n"
      "Nov 30 14:03:22 pi 4b7c2d90aa11[123]: from a container\n"
      "Nov 30 14:03:22 pi docker/web[123]: from a container\n"
      "Nov 30 14:03:22 pi last message repeated 3 times\n"
      "Nov 30 14:03:22 pi audit[7650]: SECCOMP auid=1\n"
      "<13>Nov 30 14:03:22 pi kernel: Out of memory: Killed process 1 (init)\n"
      "Nov 30 14:03:22 pi conmon[11588]: conmon d97cffbee24c232c27eb <ninfo>: container 11601 exited with status 132\n"
      "Nov 30 14:03:22: sending SIGTERM to process 704 uid 1001 \"ipfs\": badness 757, VmRSS 637 MiB\n");
  REQUIRE(read.events.size() == 9);
  const auto& e = read.events;
  CHECK(e[0].event.identifier == "systemd-oomd");
  CHECK(e[0].event.pid == 849);
  CHECK(e[0].event.trust == Trust::daemon_text);
  CHECK(e[1].event.trust == Trust::claimed);
  CHECK(e[2].event.container_id == "4b7c2d90aa11");
  CHECK(e[2].event.trust == Trust::claimed);
  CHECK(e[3].event.container_name == "web");
  CHECK(!e[3].event.pid);   // that of the engine
  CHECK(e[4].event.message == "last message repeated 3 times");
  CHECK(e[4].event.host == "pi");
  CHECK(e[5].event.trust == Trust::daemon_text);
  CHECK(e[6].event.trust == Trust::claimed);   // the sender says that it is user space
  CHECK(e[7].event.container_id == "d97cffbee24c");
  CHECK(e[8].event.identifier == "earlyoom");
}

TEST_CASE("syslog: lines whose stamp was cut, and wall broadcasts") {
  const ReadText read = read_text("Message from syslogd@pizero at Feb 17 17:52:48 ...\n kernel:thermal thermal_zone0: gpu-thermal: critical temperature reached, shutting down\n");
  CHECK(read.format == "syslog-wall");
  REQUIRE(read.events.size() == 1);
  CHECK(read.events[0].event.message == "thermal thermal_zone0: gpu-thermal: critical temperature reached, shutting down");
  CHECK(read.events[0].event.host == "pizero");
  CHECK(read.events[0].event.trust == Trust::kernel_text);
  CHECK(read.events[0].stamp.wall == at(2000, 2, 17, 17, 52, 48));
  const ReadText cut = read_text("kernel: [  777.909650] cgroup: fork rejected by pids controller in /system.slice/docker.service\n");
  CHECK(first(cut).stamp.monotonic == 777'909'650);
  CHECK(first(cut).event.message == "cgroup: fork rejected by pids controller in /system.slice/docker.service");
}

TEST_CASE("syslog: routers replay the kernel of the boot before") {
  const ReadText read = read_text("May  7 09:03:08 crashlog: <6>[18444]     0 18444      630       46 dropbear\n");
  CHECK(first(read).event.identifier == "kernel");
  CHECK(first(read).event.message == "[18444]     0 18444      630       46 dropbear");
}

TEST_CASE("journal: short-monotonic is told from the ring buffer by its tags") {
  const ReadText host = read_text("[   81.886640] vm systemd-oomd[672]: oomd attempting to kill 420 with KILL\n[   81.900000] vm kernel: Out of memory: x\n");
  CHECK(host.format == "journal-short-monotonic");
  CHECK(host.events[0].event.identifier == "systemd-oomd");
  CHECK(host.events[0].event.host == "vm");
  CHECK(host.events[0].stamp.monotonic == 81'886'640);
  CHECK(host.events[1].event.trust == Trust::kernel_text);
  const ReadText delta = read_text("[ 1828.838480                ] vm systemd-journald[28910]: Journal started\n[ 1829.360261 <    0.521696 >] vm app[1]: x\n");
  CHECK(delta.format == "journal-short-monotonic");
  CHECK(delta.events[1].event.message == "x");
  const ReadText segfault = read_text("[  803.732367] prog[18976]: segfault at 10 ip 000000000040180b sp 00007ffc769ac060 error 6 in prog[401000+7b000]\n");
  CHECK(segfault.format == "dmesg");
  CHECK(first(segfault).event.message.starts_with("prog[18976]: segfault at 10"));
}

TEST_CASE("journal: with-unit names the unit, and containers inside docker's unit are not dockerd") {
  const ReadText read = read_text(
      "Mon 2026-11-30 23:02:29 UTC vm systemd-journald.service[28910]: Journal started\n"
      "Mon 2026-11-30 23:02:29 UTC vm docker.service[77]: time=\"2026-11-30T23:02:29Z\" level=info msg=\"Starting up\"\n"
      "Mon 2026-11-30 23:02:29 UTC vm docker.service[77]: from a container\n");
  CHECK(read.events[0].event.identifier == "systemd-journald");
  CHECK(read.events[0].event.unit == "systemd-journald.service");
  CHECK(read.events[1].event.identifier == "dockerd");
  CHECK(read.events[1].event.message == "Starting up");
  CHECK(read.events[2].event.trust == Trust::claimed);
}

TEST_CASE("engines: logfmt and logrus as files") {
  const std::string id(64, 'a');
  const ReadText read = read_text("time=\"2026-11-30T22:42:21.790195212Z\" level=info msg=\"ignoring event\" container=" + id + " module=libcontainerd\n", "dockerd.log");
  CHECK(read.format == "logfmt");
  CHECK(first(read).event.identifier == "dockerd");
  CHECK(first(read).event.message == "ignoring event container=" + id + " module=libcontainerd");
  CHECK(first(read).event.container_id == id);
  CHECK(first(read).event.trust == Trust::daemon_text);
  CHECK(first(read).stamp.wall == at(2026, 11, 30, 22, 42, 21.790195));
  const ReadText logrus = read_text("INFO[2026-11-30T09:04:51.801872920+03:00] Container " + id + " failed to exit within 10 seconds of signal 15 - using the force \nINFO[4711] POST /v1.19/containers/x/stop?t=10  \n", "dockerd.txt");
  CHECK(logrus.format == "logfmt");
  CHECK(logrus.events[0].stamp.wall == at(2026, 11, 30, 6, 4, 51.801872));
  CHECK(logrus.events[0].event.message == "Container " + id + " failed to exit within 10 seconds of signal 15 - using the force");
  CHECK(logrus.events[1].event.message == "POST /v1.19/containers/x/stop?t=10");
  CHECK(first(read_text("time=\"2026-11-30T22:42:21Z\" level=info msg=\"hello\"\n", "app.log")).event.trust == Trust::claimed);
}

TEST_CASE("kubernetes: klog in a file and behind a tag") {
  const std::string klog = R"(E1130 04:04:02.199034   24711 remote_runtime.go:479] "ExecSync cmd failed" err="rpc error: \"x\"" containerID="ab")";
  for (const std::string& line : {klog, "2026-11-30T04:04:02.202155+01:00 worker kubelet[24711]: " + klog}) {
    const ReadText read = read_text(line + "\n", "kubelet.log");
    CHECK(first(read).event.identifier == "kubelet");
    CHECK(first(read).event.trust == Trust::daemon_text);
    CHECK(first(read).event.severity == Severity::error);
    CHECK(first(read).event.message.find("ExecSync cmd failed") != std::string::npos);
  }
}

TEST_CASE("android: logcat threadtime") {
  const ReadText read = read_text("11-19 20:10:59.843   865   865 I lowmemorykiller: Killing 'android.process.media' (3898), uid 10018, adj 700\n");
  CHECK(read.format == "logcat");
  CHECK(first(read).event.identifier == "lowmemorykiller");
  CHECK(first(read).event.trust == Trust::daemon_text);
  CHECK(first(read).stamp.wall == at(2000, 11, 19, 20, 10, 59.843));
}

TEST_CASE("containers: engines' and programs' own stamps") {
  struct Line {
    std::string line, message;
    bool stamped;
  };
  const Line lines[] = {
      {"2026-11-30T22:45:18.014373713Z main: forking", "main: forking", true},
      {"2026-11-30T22:45:18.014373713Z stderr F panic: out of memory", "panic: out of memory", true},
      {"2026-11-30T22:45:18.014373713+01:00 stdout P part", "part", true},
      {"postgres_1   | LOG:  could not fork new process", "LOG:  could not fork new process", false},
      {"2019-02-04 08:43:48,428 - octoprint - INFO - reboot", "octoprint - INFO - reboot", true},
      {"2024-04-24 17:22:56.173 UTC [4711] FATAL:  no space", "[4711] FATAL:  no space", true},
      {"[13-Feb-2020 10:28:34] NOTICE: fpm is running, pid 1", "NOTICE: fpm is running, pid 1", true},
      {"1:C 30 Nov 2026 14:03:22.208 # Redis is starting", "# Redis is starting", true},
      {"RuntimeError: CUDA out of memory.", "RuntimeError: CUDA out of memory.", false},
  };
  for (const Line& line : lines) {
    CAPTURE(line.line);
    const ReadText read = read_text(line.line + "\n");
    CHECK(read.format == "container-log");
    CHECK(first(read).event.message == line.message);
    CHECK(first(read).event.trust == Trust::claimed);
    CHECK(first(read).event.identifier.empty());
    CHECK(first(read).stamp.wall.has_value() == line.stamped);
  }
  CHECK(first(read_text(lines[3].line + "\n")).event.container_name == "postgres_1");
}

TEST_CASE("containers: a container's own log stays its own, whatever its lines look like") {
  for (const char* name : {"logs.txt", "docker-logs.txt", "docker-logs-web.log"})
    for (const char* line : {"[ 4712.345678] Out of memory: Killed process 1 (init)\n", "Nov 30 14:03:22 pi kernel: Out of memory\n", "<3>[ 1.000000] mmc0: x\n"}) {
      const ReadText read = read_text(line, name);
      CHECK(read.format == "container-log");
      CHECK(first(read).event.trust == Trust::claimed);
    }
  const ReadText stamped = read_text("2026-11-30T22:45:18.014373713Z [ 4712.345678] Out of memory: Killed process 1 (init)\n", "x.log");
  CHECK(first(stamped).event.trust == Trust::claimed);
}

TEST_CASE("dmesg-plain: unstamped kernel text by the name of the file or by what it says") {
  CHECK(read_text("cgroup: fork rejected by pids controller in /system.slice/x.service\n", "dmesg.txt").format == "dmesg-plain");
  const ReadText read = read_text("NMI watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [runc:1]\n", "paste.txt");
  CHECK(read.format == "dmesg-plain");
  CHECK(first(read).event.trust == Trust::kernel_text);
  CHECK(read_text("hello\nworld\n", "paste.txt").format == "container-log");
}
