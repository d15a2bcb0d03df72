// The kernel's register and stack dumps: what an OOM report, an oops, a hung task and a lockup have in common.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forensics {

/// `CPU: 1 PID: 97 Comm: prog Tainted: G  OE  6.1.0 ...`, with `UID:` since 6.12; `Pid: 97, comm: prog Not tainted ...`
/// in 2.6.
struct CpuLine {
  std::optional<std::int64_t> cpu, pid;
  std::string_view comm;
  std::string taint;                  ///< "G OE"; empty: not tainted, or cut
};
std::optional<CpuLine> cpu_line(std::string_view message);

/// ` io_schedule+0x42/0x70`, ` ? kthread+0x20/0x20 [mod]`, ` [<ffffffff8112>] foo+0x..`, and the arm forms
/// ` [<c01>] (foo) from [<c02>] (bar+0x10/0x14)`, ` foo from bar+0x10/0x14`.
struct Frame {
  std::string_view symbol;            ///< without .cold, .isra.0, .constprop.0, .part.0
  bool certain = true;                ///< false: marked `?`, a leftover on the stack
  std::string_view caller;            ///< arm: `from bar`, the next frame; empty elsewhere
};
std::optional<Frame> frame(std::string_view message);

/// The frame or line at the outer end of a stack, after which nothing more of it comes.
bool ends_stack(std::string_view message);

/// Where the CPU was: `RIP: 0010:foo+0x5/0x20`, `pc : foo+0x..`, `PC is at foo+0x..`, `IP: [<..>] foo+0x..`,
/// `epc : foo+0x.. ra : ..` (riscv), `epc   : 80012345 foo+0x..` (mips), `NIP [c000..] foo+0x..` (powerpc). Empty for a
/// user-space address.
std::string_view instruction_symbol(std::string_view message);

/// Registers, stack, code, modules, markers: any line of such a dump.
bool is_trace_line(std::string_view message);

/// How a panic says so; the last ones are how people copy it from a screen.
inline constexpr std::array<std::string_view, 5> panic_marks = {
    "Kernel panic - not syncing", "Kernel panic -not syncing", "Kernel panic-not syncing", "Kernel panic -- not syncing",
    "ernel panic \xE2\x80\x93 not syncing"};
bool is_panic(std::string_view message);
/// The text behind the mark; empty if there is none.
std::string_view behind_panic(std::string_view message);

/// The first line of another report that brings its own registers: "cut here", WARNING, a back trace of another CPU.
bool starts_other_report(std::string_view message);

}  // namespace forensics
