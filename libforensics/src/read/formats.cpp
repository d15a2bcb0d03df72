// The format table: the only list of formats. Order does not matter, the highest sniff wins.
#include "read/reader.h"

#include "read/journal_readers.h"
#include "read/state_readers.h"

namespace forensics {

const std::vector<FormatDef>& formats() {
  static const std::vector<FormatDef> table = {
      {"journal-export", "the journal's exchange format: journalctl -o export", Trust::kernel, sniff_journal_export, open_journal_export},
      {"journal-json", "the journal as JSON: journalctl -o json, json-pretty, json-seq, json-sse", Trust::kernel, sniff_journal_json, open_journal_json},
      {"docker-inspect", "a container's state: docker, podman or crictl inspect, whole or a piece of it", Trust::daemon, sniff_docker_inspect, open_docker_inspect},
      {"docker-events", "docker events or podman events, as text or JSON lines", Trust::daemon, sniff_docker_events, open_docker_events},
      {"container-log-json", "a container's log as Docker's json-file driver writes it", Trust::claimed, sniff_container_log_json, open_container_log_json},
      {"dmesg-json", "the kernel ring buffer as JSON: dmesg --json", Trust::kernel, sniff_dmesg_json, open_dmesg_json},
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
