// The closed list of causes. Words and meanings are a contract: JSON, SQLite and rule files use them.
#include <algorithm>

#include "rules/rule.h"

namespace forensics {

const std::vector<CauseDef>& causes() {
  // word, definition, takes the whole host down, is a death (not only a loss)
  static const std::vector<CauseDef> table = {
      {"abort", "SIGABRT: a failed assertion, or a runtime that gave up (out of heap)", false, true},
      {"access-denied", "a denial (AppArmor, SELinux, permissions) that made it end", false, true},
      {"bus-error", "SIGBUS", false, true},
      {"clean-exit", "ended by itself with status 0", false, true},
      {"cpu-lockup", "a CPU stopped scheduling: soft, hard or RCU stall", false, true},
      {"device-lost", "the device went away", false, false},
      {"disk-full", "no space or inodes where it wrote", false, true},
      {"evicted", "evicted by the kubelet under pressure", false, true},
      {"exec-format", "wrong architecture, or not an executable", false, true},
      {"exit-code", "ended by itself with an error", false, true},
      {"fatal-signal", "any other fatal signal of its own making", false, true},
      {"filesystem-error", "corruption, journal abort or forced read-only, with no device fault behind it", false, false},
      {"gpu-error", "the GPU failed or fell off the bus", false, false},
      {"hardware-error", "an uncorrected hardware error (MCE, EDAC, GHES)", false, true},
      {"healthcheck-kill", "a supervisor acted on failed probes", false, true},
      {"host-shutdown", "the machine went down in order and took it along", true, true},
      {"illegal-instruction", "SIGILL", false, true},
      {"io-error", "a device answered with an error", false, false},
      {"io-timeout", "storage or a network file system did not answer in time", false, false},
      {"kernel-oops", "the kernel faulted", false, true},
      {"kernel-panic", "the kernel panicked, and nothing earlier explains it", true, true},
      {"mmc-error", "a fault of an mmc, SD or eMMC device or its controller", false, false},
      {"none", "nothing died or was lost", false, false},
      {"oom-kill", "a memory killer killed it", false, true},
      {"pids-limit", "fork refused by a limit of processes or threads", false, true},
      {"power-loss", "the machine stopped without a shutdown", true, true},
      {"seccomp-kill", "killed by seccomp (SIGSYS)", false, true},
      {"segfault", "SIGSEGV, or a general protection fault in user space", false, true},
      {"start-failed", "could not be started", false, true},
      {"stopped", "somebody asked for it, and that is recorded", false, true},
      {"task-hung", "blocked for long, and nothing shows that storage is why", false, true},
      {"thermal-shutdown", "a critical temperature shut the machine down", true, true},
      {"thermal-throttle", "heat: throttling before an end that nothing nearer explains", false, true},
      {"under-voltage", "the supply voltage was too low", false, false},
      {"unknown", "something died, and the evidence does not say why", false, true},
      {"unknown-signal", "ended by a signal, and nothing records the sender", false, true},
      {"watchdog-reset", "reset by a watchdog", true, true},
  };
  return table;
}

const CauseDef* find_cause(std::string_view word) {
  const auto& table = causes();
  const auto it = std::lower_bound(table.begin(), table.end(), word, [](const CauseDef& c, std::string_view w) { return c.word < w; });
  return it != table.end() && it->word == word ? &*it : nullptr;
}

}  // namespace forensics
