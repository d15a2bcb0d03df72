#include "dumps/trace.h"

#include <algorithm>
#include <array>

#include "dumps/text.h"

namespace forensics {

namespace {

bool symbol_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}

std::size_t symbol_length(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), symbol_char) - text.begin());
}

/// GCC's clones of a function are that function.
std::string_view without_clone(std::string_view symbol) {
  for (const std::string_view suffix : {".cold", ".isra.", ".constprop.", ".part."})
    if (const std::size_t at = symbol.find(suffix); at != std::string_view::npos && at > 0) symbol = symbol.substr(0, at);
  return symbol;
}

/// `[<ffffffff81234567>] ` and the blanks around it.
void skip_address(std::string_view& text) {
  text = trimmed(text);
  while (text.starts_with("[<")) {
    const std::size_t end = text.find(">]");
    if (end == std::string_view::npos) return;
    text = trimmed(text.substr(end + 2));
  }
}

/// `c00000000012ab34 ` of `epc   : 80012345 foo+0x..`, `[c00000000012ab34] ` of `NIP [c000..] foo+0x..`.
void skip_plain_address(std::string_view& text) {
  text = trimmed(text);
  const bool bracket = text.starts_with('[');
  const std::string_view word = text.substr(0, text.find(' '));
  const std::string_view digits = bracket ? between(word, "[", "]") : word;
  if (digits.size() < 8 || digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return;
  text = trimmed(text.substr(word.size()));
}

/// "G        W  OE  " without the runs of blanks, up to the release that follows.
std::string taint_flags(std::string_view text) {
  std::string flags;
  while (!(text = trimmed(text)).empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (!std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) break;
    if (!flags.empty()) flags += ' ';
    flags += word;
    text.remove_prefix(word.size());
  }
  return flags;
}

template <std::size_t n>
bool starts_with_any(std::string_view text, const std::array<std::string_view, n>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view p) { return text.starts_with(p); });
}

}  // namespace

std::optional<CpuLine> cpu_line(std::string_view message) {
  message = trimmed(message);
  CpuLine line;
  std::size_t comm = std::string_view::npos;
  if (message.starts_with("CPU:")) {
    line.cpu = number_after(message, "CPU: ");
    line.pid = number_after(message, " PID: ");
    if (comm = message.find(" Comm: "); comm != std::string_view::npos) comm += 7;
  } else if (message.starts_with("Pid: ")) {
    line.pid = number_after(message, "Pid: ");
    if (comm = message.find(", comm: "); comm != std::string_view::npos) comm += 8;
  }
  if (comm == std::string_view::npos) return {};
  std::string_view rest = message.substr(comm);
  std::size_t end = std::string_view::npos;
  for (const std::string_view word : {" Not tainted", " Tainted: "})
    end = std::min(end, rest.rfind(word));
  if (end == std::string_view::npos) return line;   // cut: the name may go on
  line.comm = trimmed(rest.substr(0, end));
  if (rest.substr(end).starts_with(" Tainted: ")) line.taint = taint_flags(rest.substr(end + 10));
  return line;
}

std::optional<Frame> frame(std::string_view message) {
  skip_address(message);
  Frame result;
  if (message.starts_with("? ")) {
    result.certain = false;
    message = trimmed(message.substr(2));
  }
  const bool parenthesis = message.starts_with('(');
  if (parenthesis) message.remove_prefix(1);
  const std::size_t length = symbol_length(message);
  const std::string_view rest = message.substr(length);
  if (length == 0 || (message[0] >= '0' && message[0] <= '9')) return {};
  const bool arm = rest.starts_with(parenthesis ? ") from " : " from ") && contains(rest, "+0x");
  if (!rest.starts_with("+0x") && !arm) return {};
  result.symbol = without_clone(message.substr(0, length));
  if (arm) {
    std::string_view caller = rest.substr(rest.find(" from ") + 6);
    skip_address(caller);
    if (caller.starts_with('(')) caller.remove_prefix(1);
    result.caller = without_clone(caller.substr(0, symbol_length(caller)));
  }
  return result;
}

bool ends_stack(std::string_view message) {
  static constexpr std::array<std::string_view, 14> outermost = {
      "ret_from_fork", "entry_SYSCALL", "system_call_fastpath", "tracesys", "ret_fast_syscall", "el0t_64_sync", "el0_svc",
      "el0_sync", "el0_irq", "ret_to_user", "kernel_thread_helper", "start_secondary", "secondary_startup",
      "asm_exc_page_fault"};
  message = trimmed(message);
  if (message.starts_with("</TASK>") || message.starts_with("RIP: 0033:")) return true;
  const auto f = frame(message);
  return f && f->certain && starts_with_any(f->symbol, outermost);
}

std::string_view instruction_symbol(std::string_view message) {
  static constexpr std::array<std::string_view, 10> marks = {
      "RIP: 0010:", "RIP: e030:", "EIP: 0060:", "pc : ", "PC is at ", "EIP is at ", "EIP: ", "IP: ", "epc : ", "NIP "};
  message = trimmed(message);
  if (message.starts_with("RIP [<")) {
    message.remove_prefix(4);   // the short form at the end of 2.6 to 4.x
  } else if (message.starts_with("epc ") && trimmed(message.substr(4)).starts_with(": ")) {
    message = trimmed(message.substr(message.find(':') + 1));   // mips pads the name
  } else {
    const auto mark = std::find_if(marks.begin(), marks.end(), [&](std::string_view m) { return message.starts_with(m); });
    if (mark == marks.end()) return {};
    message.remove_prefix(mark->size());
  }
  skip_address(message);
  skip_plain_address(message);
  const auto f = frame(message);
  return f ? f->symbol : std::string_view{};
}

bool is_trace_line(std::string_view message) {
  static constexpr std::array<std::string_view, 83> starts = {
      "CPU:", "Pid: ", "Hardware name:", "Call Trace", "Call trace", "Backtrace:", "<TASK>", "</TASK>", "<IRQ>", "</IRQ>",
      "<NMI>", "</NMI>", "<<", "RIP", "EIP", "RSP", "ESP", "RAX:", "RDX:", "RBP:", "R10:", "R13:", "EAX:", "ESI:", "DS:",
      "FS:", "CS:", "CR0:", "CR2:", "DR0:", "DR3:", "PKRU:", "Code:", "Stack:", "Modules linked in:", "Workqueue:",
      "pstate:", "pstate ", "pc :", "lr :", "sp :", "PC is at", "LR is at", "pc :", "Process ", "Call Trace:", "Control:",
      "Flags:", "task:", "task.stack:", "Exception stack", "IP:", "Hardware :", "Register ", "unwind", "Insufficient stack",
      "dump_backtrace", "Not tainted", "Tainted:", "last sysfs file:", "Kernel Offset:", "r10:", "r7 :", "r3 :",
      "Sending NMI", "[<",
      // mips, riscv, powerpc
      "$ 0", "$ 4", "$ 8", "$1", "$2", "Hi    :", "Lo    :", "epc ", "ra    :", "Status:", "Cause :", "BadVA :", "PrId  :",
      "status: ", "NIP", "GPR", "REGS: "};
  message = trimmed(message);
  if (message.empty()) return true;
  if (starts_with_any(message, starts)) return true;
  if (message[0] == 'x' && message.size() > 3 && message[1] >= '0' && message[1] <= '9' && contains(message, ": "))
    return true;   // arm64 registers: `x29: ffff80000a5bbb90 x28: ...`
  return frame(message).has_value();
}

std::string_view behind_panic(std::string_view message) {
  for (const std::string_view mark : panic_marks)
    if (const std::size_t at = message.find(mark); at != std::string_view::npos) return message.substr(at + mark.size());
  return {};
}

bool is_panic(std::string_view message) {
  return std::any_of(panic_marks.begin(), panic_marks.end(), [&](std::string_view mark) { return contains(message, mark); });
}

bool starts_other_report(std::string_view message) {
  message = trimmed(message);
  return contains(message, "[ cut here ]") || message.starts_with("WARNING:") || message.starts_with("NMI backtrace for") ||
         message.starts_with("Sending NMI");
}

}  // namespace forensics
