// Oops and panic.
//
//   BUG: kernel NULL pointer dereference, address: 0000000000000018        the title; older: `BUG: unable to handle ...`
//   #PF: supervisor write access in kernel mode
//   Oops: 0002 [#1] PREEMPT SMP NOPTI                                      the die line; `Internal error: ...` on arm
//   CPU: 0 PID: 97 Comm: lab_oops Tainted: G        W  OE      6.1.0 ...
//   RIP: 0010:lab_null_deref+0x5/0x20 [labmod]                             `pc : ...`, `PC is at ...`, `IP: [<..>] ...`
//   Call Trace: ...
//   ---[ end trace 0000000000000000 ]---
//   Kernel panic - not syncing: Fatal exception                            only if it is fatal
//
// The panic comes behind the end of the trace, so an oops stays open until it, the note of the exit, or the gap.
#include <algorithm>
#include <array>

#include "dumps/kinds.h"
#include "dumps/text.h"
#include "dumps/trace.h"

namespace forensics {

namespace {

/// `Oops: 0002 [#1] SMP`, `general protection fault, ...: 0000 [#1]`, `Internal error: Oops: 96000004 [#1]`, `Oops[#1]:`
bool is_die_line(std::string_view message) {
  if (message.starts_with("Internal error: ")) return true;
  for (std::size_t at = message.find("[#"); at != std::string_view::npos; at = message.find("[#", at + 2)) {
    std::string_view digits = message.substr(at + 2);
    if (!take_integer(digits) || !digits.starts_with(']')) continue;
    const std::string_view before = trimmed(message.substr(0, at));
    // mips: `Unhandled kernel unaligned access[#1]:`
    if (digits.starts_with("]:") && at > 0 && message[at - 1] != ' ' && before.find_first_of(":[") == std::string_view::npos)
      return true;
    const std::size_t code = before.rfind(": ");
    if (code == std::string_view::npos) return before.ends_with("Oops") || before.ends_with("bug detected");
    const std::string_view value = before.substr(code + 2);
    return value == "Oops" || contains(before, "Oops") ||
           (value.size() >= 4 && value.find_first_not_of("0123456789abcdef") == std::string_view::npos);
  }
  return false;
}

constexpr std::array<std::string_view, 9> titles = {
    "BUG: unable to handle ", "BUG: kernel NULL pointer dereference", "BUG: Kernel NULL pointer dereference", "kernel BUG at ",
    "BUG: stack guard page was hit at ", "BUG: IRQ stack guard page was hit at ", "PANIC: double fault", "traps: PANIC: double fault",
    "kernel tried to execute "};

bool is_title(std::string_view message) {
  for (const std::string_view start : titles)
    if (message.starts_with(start)) return true;
  return contains(message, "Unable to handle kernel ");
}

bool oops_opens(std::string_view message) {
  message = trimmed(message);
  return is_title(message) || is_die_line(message);
}

bool oops_belongs(std::string_view message, std::size_t) {
  message = trimmed(message);
  if (is_title(message)) return false;
  for (const std::string_view start :
       {"#PF:", "PGD", "P4D", "pgd =", "[0", "*pgd", "Mem abort info:", "ESR = ", "Exception class", "EC = ", "SET = ",
        "EA = ", "FSC = ", "Data abort info:", "ISV = ", "CM = ", "GCS = ", "user pgtable:", "swapper pgtable:", "---[ end trace",
        "note: ", "Fixing recursive fault", "Oops", "invalid opcode", "8<--- cut here", "swapper/"})
    if (message.starts_with(start)) return true;
  return is_panic(message) || is_die_line(message) || starts_other_report(message) || is_trace_line(message);
}

bool oops_closes(std::string_view message) {
  return is_panic(message) || contains(message, "] exited with ");
}

std::string_view kind_of(std::string_view title) {
  if (contains(title, "NULL pointer dereference")) return "null-dereference";
  if (title.starts_with("kernel BUG at ") || contains(title, "Oops - BUG") || contains(title, "ernel bug detected")) return "bug";
  if (contains(title, "general protection fault")) return "general-protection";
  if (contains(title, "invalid opcode") || contains(title, "undefined instruction")) return "invalid-opcode";
  if (contains(title, "page fault") || contains(title, "paging request") || title.starts_with("Oops: 0")) return "page-fault";
  if (title.starts_with("Internal error: ")) return "internal-error";
  return "other";
}

std::string_view address_in(std::string_view title) {
  for (const std::string_view key : {"virtual address ", "address: ", "canonical address ", "dereference at ", "request at "})
    if (contains(title, key)) return hex_after(title, key);
  return {};
}

void put(Dump& dump, std::string_view name, std::string_view value) {
  if (!value.empty()) dump.facts.emplace(name, std::string(value));
}

/// comm, pid and taint, from `CPU: ...` or from `Process <comm> (pid: <n>, ...)`.
bool put_process(Dump& dump, std::string_view message) {
  if (const auto cpu = cpu_line(message)) {
    put(dump, "comm", cpu->comm);
    put(dump, "taint", cpu->taint);
    if (cpu->pid) dump.facts.emplace("pid", *cpu->pid);
    return true;
  }
  if (!message.starts_with("Process ")) return false;
  const std::size_t pid = message.rfind(" (pid: ");
  if (pid == std::string_view::npos || pid < 8) return false;
  put(dump, "comm", message.substr(8, pid - 8));
  if (const auto value = number_after(message.substr(pid), "(pid: ")) dump.facts.emplace("pid", *value);
  return true;
}

Dump oops_extract(const std::vector<DumpLine>& lines) {
  Dump dump{"oops", {}, {}, false};
  if (lines.empty()) return dump;
  const std::string_view title = trimmed(lines.front().message);
  put(dump, "title", title);
  put(dump, "kind", kind_of(title));
  put(dump, "address", address_in(title));
  dump.quotes.push_back(0);
  bool died = is_die_line(title), ended = false;
  for (std::uint32_t i = 1; i < lines.size(); ++i) {
    const std::string_view message = trimmed(lines[i].message);
    if (is_panic(message)) {
      dump.facts.emplace("fatal", true);
      dump.complete = true;
      dump.quotes.push_back(i);
      break;
    }
    if (ended) continue;   // the registers once more, of the first oops since boot
    if (starts_other_report(message) || (died && is_die_line(message))) break;
    if (message.starts_with("---[ end trace")) {
      ended = dump.complete = true;
    } else if (is_die_line(message)) {
      died = true;
      dump.quotes.push_back(i);
    } else if (!dump.facts.contains("comm") && put_process(dump, message)) {
      dump.quotes.push_back(i);
    } else if (const std::string_view symbol = instruction_symbol(message); !symbol.empty() && !dump.facts.contains("symbol")) {
      put(dump, "symbol", symbol);
      dump.quotes.push_back(i);
    }
  }
  return dump;
}

/// The marker of its end tells as much, if it is all that is left.
bool is_end_of_panic(std::string_view message) { return trimmed(message).starts_with("---[ end Kernel panic"); }

bool panic_opens(std::string_view message) { return is_panic(message); }

bool panic_belongs(std::string_view message, std::size_t) {
  message = trimmed(message);
  for (const std::string_view start : {"Rebooting in ", "SMP: stopping", "SMP: failed", "Dumping ftrace", "Kernel Offset:",
                                       "Memory Limit:", "PHYS_OFFSET", "CPU features:", "---[ end "})
    if (message.starts_with(start)) return true;
  return !is_panic(message) && (starts_other_report(message) || is_trace_line(message));
}

bool panic_closes(std::string_view message) {
  return is_end_of_panic(message) || trimmed(message).starts_with("Rebooting in ");
}

Dump panic_extract(const std::vector<DumpLine>& lines) {
  Dump dump{"panic", {}, {}, false};
  if (lines.empty()) return dump;
  std::string_view title = trimmed(behind_panic(lines.front().message));
  if (title.starts_with(':')) title = trimmed(title.substr(1));
  if (is_end_of_panic(lines.front().message) && title.ends_with("]---")) title = trimmed(title.substr(0, title.size() - 4));
  put(dump, "title", title);
  dump.complete = dump.facts.contains("title");
  dump.quotes.push_back(0);
  bool in_panic = false;
  for (std::uint32_t i = 1; i < lines.size(); ++i) {
    const std::string_view message = trimmed(lines[i].message);
    if (starts_other_report(message)) break;
    if (!dump.facts.contains("comm") && put_process(dump, message)) dump.quotes.push_back(i);
    const auto f = frame(message);
    if (!f || !f->certain || dump.facts.contains("symbol")) continue;
    if (in_panic) put(dump, "symbol", f->symbol);   // who called panic()
    in_panic = f->symbol == "panic" || f->symbol == "vpanic" || f->symbol == "nmi_panic";
  }
  return dump;
}

}  // namespace

DumpKind oops_dump() {
  return {"oops",
          {"BUG: unable to handle ", "BUG: kernel NULL pointer dereference", "kernel BUG at ", "Unable to handle kernel ",
           "Internal error: ", " [#", "Oops[#", "detected[#", "access[#", "code[#", "error[#", "exception[#",
           "BUG: Kernel NULL pointer dereference", "stack guard page was hit at ", "PANIC: double fault", "kernel tried to execute "},
          oops_opens, oops_belongs, oops_closes, oops_extract};
}

DumpKind panic_dump() { return {"panic", {panic_marks.begin(), panic_marks.end()}, panic_opens, panic_belongs, panic_closes, panic_extract}; }

}  // namespace forensics
