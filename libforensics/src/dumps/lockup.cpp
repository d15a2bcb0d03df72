// CPUs that do not come back: soft lockup, hard LOCKUP, RCU stall.
//
//   watchdog: BUG: soft lockup - CPU#1 stuck for 33s! [lab_soft:97]         `NMI watchdog: ` before 4.14, bare before 3.10
//   NMI watchdog: Watchdog detected hard LOCKUP on cpu 3
//   watchdog: CPU 3 Hard LOCKUP                                            powerpc; `CPU 0 detected hard LOCKUP on other CPUs 3`
//   rcu: INFO: rcu_preempt self-detected stall on CPU                       `INFO: ` alone before 4.19
//   rcu:    1-....: (3706 ticks this GP) idle=5524/1/0x4000000000000000 softirq=255/255 fqs=1858
//           (t=3750 jiffies g=-699 q=13 ncpus=2)
//   INFO: rcu_sched detected stalls on CPUs/tasks: { 1} (detected by 0, t=60002 jiffies, g=28, q=120)
//   INFO: RCU detected CPU 0 stall (t=1000 jiffies)                         2.6.32
//   INFO: rcu_sched_state detected stall on CPU 0 (t=15000 jiffies)         2.6.38 to 3.2
//
// each followed by the registers and the stack of the CPU.
#include <algorithm>

#include "dumps/kinds.h"
#include "dumps/text.h"
#include "dumps/trace.h"

namespace forensics {

namespace {

constexpr std::string_view soft = "soft lockup", hard = "ard LOCKUP", old_rcu = " detected stall on CPU ";

bool is_rcu(std::string_view message) {
  return (contains(message, "self-detected stall on CPU") || contains(message, "detected stalls on CPUs/tasks") ||
          contains(message, "detected expedited stalls on CPUs/tasks") || contains(message, "detected stalls on tasks") || contains(message, "RCU detected CPU ") ||
          contains(message, old_rcu)) &&
         contains(message, "INFO: ");
}

/// People copy it by hand from a screen; the words in between may suffer.
bool is_soft(std::string_view message) {
  const std::size_t at = message.find(soft);
  const std::size_t cpu = message.find("CPU#", at == std::string_view::npos ? message.size() : at);
  return cpu != std::string_view::npos && cpu - at < 24 && contains(message.substr(cpu), " stuck for ");
}

bool is_hard(std::string_view message) {
  if (is_panic(message)) return false;
  return contains(message, "hard LOCKUP on cpu") || contains(message, "hard LOCKUP on other CPUs") ||
         contains(message, "self-detected hard LOCKUP") || message.ends_with(" Hard LOCKUP");
}

bool opens(std::string_view message) {
  return is_soft(message) || is_hard(message) || is_rcu(message);
}

/// `rcu:  1-....: (3706 ticks this GP) idle=...`, older `\t1-...: (1 GPs behind) idle=...`: the CPU that stalls.
std::optional<std::int64_t> stalled_cpu(std::string_view message) {
  message = trimmed(message);
  if (message.starts_with("rcu:")) message = trimmed(message.substr(4));
  const auto cpu = take_integer(message);
  if (!cpu || *cpu < 0 || !message.starts_with('-') || !contains(message, "idle=")) return {};
  return cpu;
}

bool belongs(std::string_view message, std::size_t) {
  message = trimmed(message);
  if (opens(message)) return false;
  return message.starts_with("(t=") || message.starts_with("(detected by") || message.starts_with("rcu:") ||
         contains(message, " kthread starved for ") || stalled_cpu(message) || starts_other_report(message) ||
         is_panic(message) || is_trace_line(message);
}

bool closes(std::string_view message) { return trimmed(message).starts_with("</TASK>"); }

std::string_view kind_of(std::string_view message) {
  return is_soft(message) ? "soft" : is_hard(message) ? "hard" : "rcu";
}

/// A number that may be the last thing of its line.
void put_number(Dump& dump, std::string_view name, std::string_view message, std::string_view key) {
  const std::size_t at = message.find(key);
  if (at == std::string_view::npos) return;
  std::string_view rest = trimmed(message.substr(at + key.size()));
  if (const auto value = take_integer(rest)) dump.facts.emplace(name, *value);
}

void read_opening(std::string_view message, Dump& dump) {
  if (is_soft(message)) put_number(dump, "cpu", message, "CPU#");
  for (const std::string_view key : {"hard LOCKUP on cpu", "hard LOCKUP on other CPUs", "RCU detected CPU "})
    put_number(dump, "cpu", message, key);
  if (is_hard(message))
    for (const std::string_view key : {"watchdog: CPU ", "Watchdog CPU:"}) put_number(dump, "cpu", message, key);
  put_number(dump, "cpu", message, old_rcu);
  put_number(dump, "jiffies", message, "t=");
  if (!is_soft(message)) {
    put_number(dump, "cpu", message, " { ");   // `... { 1}`: the first of them
    return;
  }
  if (const auto seconds = number_after(message, " stuck for ")) dump.facts.emplace("seconds", *seconds);
  const std::size_t stuck = message.find(" stuck for ");
  const std::size_t open = message.find('[', stuck);
  const std::size_t colon = message.rfind(':');
  if (open == std::string_view::npos || open > stuck + 24 || colon <= open || !message.ends_with(']')) return;
  dump.facts.emplace("comm", std::string(message.substr(open + 1, colon - open - 1)));
  if (const auto pid = number_after(message.substr(colon), ":")) dump.facts.emplace("pid", *pid);
}

std::optional<std::int64_t> known_cpu(const Dump& dump) {
  const auto it = dump.facts.find("cpu");
  return it == dump.facts.end() ? std::nullopt : std::optional(std::get<std::int64_t>(it->second));
}

void read_owner(const CpuLine& owner, std::uint32_t line, Dump& dump) {
  if (owner.cpu) dump.facts.emplace("cpu", *owner.cpu);
  if (!dump.facts.contains("comm") && !owner.comm.empty()) dump.facts.emplace("comm", std::string(owner.comm));
  if (!dump.facts.contains("pid") && owner.pid) dump.facts.emplace("pid", *owner.pid);
  dump.quotes.push_back(line);
}

Dump extract(const std::vector<DumpLine>& lines) {
  Dump dump{"lockup", {}, {}, false};
  if (lines.empty()) return dump;
  const std::string_view first = trimmed(lines.front().message);
  dump.facts.emplace("kind", std::string(kind_of(first)));
  dump.quotes.push_back(0);
  read_opening(first, dump);
  const bool remote = contains(first, "detected stalls") || contains(first, "expedited stalls");
  bool ours = false, whole = false;   // ours: what follows is the stalled CPU's
  for (std::uint32_t i = 1; i < lines.size() && !whole; ++i) {
    const std::string_view message = trimmed(lines[i].message);
    if (contains(message, "[ cut here ]") || message.starts_with("WARNING:") || is_panic(message)) break;
    if (message.starts_with("(")) put_number(dump, "jiffies", message, "t=");
    if (const auto cpu = stalled_cpu(message)) dump.facts.emplace("cpu", *cpu);
    if (const auto owner = cpu_line(message); owner && !ours) {
      // The detector of a stall elsewhere may show its own registers first.
      ours = remote ? owner->cpu && owner->cpu == known_cpu(dump) : !known_cpu(dump) || !owner->cpu || owner->cpu == known_cpu(dump);
      if (ours) read_owner(*owner, i, dump);
    }
    if (const std::string_view symbol = instruction_symbol(message);
        ours && !symbol.empty() && dump.facts.emplace("symbol", std::string(symbol)).second)
      dump.quotes.push_back(i);
    whole = ours && ends_stack(message);
  }
  dump.complete = whole || (dump.facts.contains("cpu") && kind_of(first) != "rcu");
  return dump;
}

}  // namespace

DumpKind lockup_dump() {
  return {"lockup",
          {soft, hard, "self-detected stall on CPU", "detected stalls on CPUs/tasks",
           "detected expedited stalls on CPUs/tasks", "detected stalls on tasks", "RCU detected CPU ", old_rcu},
          opens, belongs, closes, extract};
}

}  // namespace forensics
