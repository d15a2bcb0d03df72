// The format table: the only list of formats. Order does not matter, the highest sniff wins.
#include "read/reader.h"

#include "read/journal_readers.h"
#include "read/line_formats.h"
#include "read/state_readers.h"
#include "read/syslog_json.h"

namespace forensics {

const std::vector<FormatDef>& formats() {
  static const std::vector<FormatDef> table = {
      {"journal-export", "the journal's exchange format: journalctl -o export", Trust::kernel, sniff_journal_export, open_journal_export},
      {"journal-json", "the journal as JSON: journalctl -o json, json-pretty, json-seq, json-sse", Trust::kernel, sniff_journal_json, open_journal_json},
      {"journal-verbose", "the journal with all fields: journalctl -o verbose", Trust::kernel, sniff_journal_verbose, open_journal_verbose},
      {"docker-inspect", "a container's state: docker, podman or crictl inspect, whole or a piece of it", Trust::daemon, sniff_docker_inspect, open_docker_inspect},
      {"docker-ps", "the table of docker ps -a, podman ps -a or docker compose ps", Trust::daemon_text, sniff_docker_ps, open_docker_ps},
      {"kubectl", "kubectl describe pod, get events, get pods", Trust::daemon_text, sniff_kubectl, open_kubectl},
      {"docker-events", "docker events or podman events, as text or JSON lines", Trust::daemon, sniff_docker_events, open_docker_events},
      {"container-log-json", "a container's log as Docker's json-file driver writes it", Trust::claimed, sniff_container_log_json, open_container_log_json},
      {"dmesg-json", "the kernel ring buffer as JSON: dmesg --json", Trust::kernel, sniff_dmesg_json, open_dmesg_json},
      {"dmesg", "the kernel's ring buffer: dmesg, a serial console", Trust::kernel_text,
       sniff_line<LineFormat::dmesg>, open_line<LineFormat::dmesg>},
      {"dmesg-ctime", "the same with dates: dmesg -T", Trust::kernel_text,
       sniff_line<LineFormat::dmesg_ctime>, open_line<LineFormat::dmesg_ctime>},
      {"dmesg-iso", "the same with ISO dates: dmesg --time-format iso", Trust::kernel_text,
       sniff_line<LineFormat::dmesg_iso>, open_line<LineFormat::dmesg_iso>},
      {"dmesg-reltime", "the same with dates and differences: dmesg -H, dmesg -e", Trust::kernel_text,
       sniff_line<LineFormat::dmesg_reltime>, open_line<LineFormat::dmesg_reltime>},
      {"dmesg-x", "the same with facility and level: dmesg -x", Trust::kernel,
       sniff_line<LineFormat::dmesg_level>, open_line<LineFormat::dmesg_level>},
      {"dmesg-raw", "the same with priorities: dmesg -r, pstore, crashlog", Trust::kernel,
       sniff_line<LineFormat::dmesg_raw>, open_line<LineFormat::dmesg_raw>},
      {"dmesg-plain", "kernel text without stamps: dmesg -t", Trust::kernel_text,
       sniff_line<LineFormat::dmesg_plain>, open_line<LineFormat::dmesg_plain>},
      {"kmsg", "records of the kernel's log device: cat /dev/kmsg", Trust::kernel,
       sniff_line<LineFormat::kmsg>, open_line<LineFormat::kmsg>},
      {"syslog-rfc3164", "/var/log/syslog, messages, kern.log, logread, journalctl: Nov 30 14:03:22 host tag[pid]: text", Trust::kernel_text,
       sniff_line<LineFormat::rfc3164>, open_line<LineFormat::rfc3164>},
      {"syslog-iso", "the same with ISO dates: rsyslog, journalctl -o short-iso", Trust::kernel_text,
       sniff_line<LineFormat::syslog_iso>, open_line<LineFormat::syslog_iso>},
      {"syslog-rfc5424", "RFC 5424: <13>1 2026-11-30T14:03:22Z host app pid msgid - text", Trust::kernel_text,
       sniff_line<LineFormat::rfc5424>, open_line<LineFormat::rfc5424>},
      {"syslog-pri", "RFC 3164 as on the wire: <13>Nov 30 14:03:22 host tag: text", Trust::kernel_text,
       sniff_line<LineFormat::syslog_pri>, open_line<LineFormat::syslog_pri>},
      {"syslog-json", "syslog as JSON lines, as rsyslog and syslog-ng write it for collectors", Trust::kernel_text, sniff_syslog_json, open_syslog_json},
      {"syslog-wall", "what syslogd writes to every terminal: Message from syslogd@host at ...", Trust::kernel_text,
       sniff_line<LineFormat::syslog_wall>, open_line<LineFormat::syslog_wall>},
      {"journal-short-full", "journalctl -o short-full and with-unit", Trust::kernel_text,
       sniff_line<LineFormat::short_full>, open_line<LineFormat::short_full>},
      {"journal-short-unix", "journalctl -o short-unix", Trust::kernel_text,
       sniff_line<LineFormat::short_unix>, open_line<LineFormat::short_unix>},
      {"journal-short-monotonic", "journalctl -o short-monotonic and short-delta", Trust::kernel_text,
       sniff_line<LineFormat::short_monotonic>, open_line<LineFormat::short_monotonic>},
      {"logcat", "Android: logcat -v threadtime", Trust::daemon_text,
       sniff_line<LineFormat::logcat>, open_line<LineFormat::logcat>},
      {"klog", "Kubernetes components: I0102 15:04:05.000000 1 file.go:1] text", Trust::daemon_text,
       sniff_line<LineFormat::klog>, open_line<LineFormat::klog>},
      {"logfmt", "dockerd, containerd, podman: time=\"...\" level=info msg=\"...\"", Trust::daemon_text,
       sniff_line<LineFormat::logfmt>, open_line<LineFormat::logfmt>},
      // The last row takes whatever is text.
      {"container-log", "a program's own output: docker logs, compose, CRI files, any text", Trust::claimed,
       sniff_line<LineFormat::container>, open_line<LineFormat::container>},
  };
  return table;
}

const FormatDef* sniff_format(std::string_view name, std::string_view head) {
  const FormatDef* best = nullptr;
  int best_score = 0;
  for (const FormatDef& format : formats()) {
    const int score = format.sniff(name, head);
    if (score > best_score) best = &format, best_score = score;
  }
  return best;
}

}  // namespace forensics
