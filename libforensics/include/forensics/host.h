// The live host as a bundle: Docker or Podman, the kernel ring buffer, the journal, /var/log.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "forensics/report.h"

namespace forensics {

struct HostOptions {
  std::string docker_host;           ///< unix:///path or tcp://host:port; empty: DOCKER_HOST, else the usual sockets
  std::string kmsg = "/dev/kmsg";    ///< empty: do not read the ring buffer
  std::string journal;               ///< folder; empty: the host's own
  std::string log_dir = "/var/log";  ///< where syslog, kern.log and messages stand
};

/// Collects what this machine has about `subject` and judges. A source that is closed to us is a Diagnostic
/// "closed-source" and an entry in Report::missing that says how to open it; the rest is still used.
/// Throws: Error (usage) if no container, unit or process of that name exists (the reason lists the nearest names) or
/// if several match.
Report analyze_host(const Subject& subject, const RuleSet& rules, const AnalyzeOptions& options = {},
                    const HostOptions& host = {});

/// From now on a page of a mapped file that was cut meanwhile reads as zeros, instead of ending the process with SIGBUS:
/// sd-journal maps the live journal, which journald may vacuum while it is read. Installs a signal handler, so it is for
/// programs to call, once, before analyze_host(); the library does not do so by itself.
void survive_cut_mappings();

}  // namespace forensics
