#include "dumps/oom_shape.h"

#include "dumps/oom_lines.h"
#include "dumps/text.h"
#include "dumps/trace.h"

namespace forensics {

namespace {

bool is_kill_frame(std::string_view message) {
  const auto f = frame(message);
  return f && f->symbol == "oom_kill_process";
}

/// Lines of the report that carry facts, and those between them.
bool is_body(std::string_view message) {
  for (const std::string_view part :
       {"memory: usage ", "memory+swap: usage ", "swap: usage ", "kmem: usage ", "Memory cgroup stats for ",
        "Mem-Info:", "active_anon:", "inactive_anon:", "active_file:", "inactive_file:", "unevictable:", "slab_reclaimable:",
        "mapped:", "free:", "lowmem_reserve[]:", "Node ", "Swap cache stats:", "Free swap  =", "Total swap =",
        "Tasks state (memory values", "Memory limit reached of cgroup", "COMPACTION is disabled", "DMA free:",
        "DMA32 free:", "Normal free:", "HighMem free:", "DMA: ", "DMA32: ", "Normal: ", "HighMem: ", "kernel_misc_reclaimable:",
        "sec_pagetables:"})
    if (message.starts_with(part)) return true;
  for (const std::string_view part : {" mems_allowed=", " pages RAM", " pages reserved", " total pagecache pages",
                                      " pages in swap cache", " pages HighMem/MovableOnly", " pages hwpoisoned",
                                      " pages cma reserved", "Unreclaimable slab info"})
    if (contains(message, part)) return true;
  return false;
}

}  // namespace

bool is_middle_of_oom(std::string_view message) {
  message = trimmed(message);
  return is_kill_frame(message) || message.starts_with("Tasks state (memory values") ||
         (message.starts_with("memory: usage ") && contains(message, "failcnt")) ||
         (is_table_line(message) && (message.ends_with("oom_score_adj name") || message.ends_with("oom_adj name")));
}

std::string_view oom_without_kill(std::string_view message) {
  if (contains(message, "is already exiting. Skip killing the task")) return "already-exiting";
  if (contains(message, "ut of memory and no killable process")) return "no-killable-process";
  if (contains(message, "Would have killed process ")) return "would-have";
  if (is_panic(message) &&
      (contains(message, "ut of memory") || contains(message, "deadlocked on memory")))
    return "panic";
  return {};
}

bool oom_opens(std::string_view message) {
  return contains(message, "invoked oom-killer") || contains(message, "oom-kill:constraint=") ||
         contains(message, oom_by_limit) || contains(message, oom_group_set) || kill_line(message) || announcement(message) ||
         is_middle_of_oom(message);
}

bool oom_belongs(std::string_view message, std::size_t) {
  message = trimmed(message);
  if (contains(message, "invoked oom-killer") || contains(message, oom_group_set)) return false;
  return is_body(message) || is_table_line(message) || contains(message, "oom-kill:constraint=") ||
         continues_oom_kill_line(message) || contains(message, oom_by_limit) || kill_line(message) || announcement(message) ||
         !oom_without_kill(message).empty() || starts_other_report(message) || is_trace_line(message);
}

bool oom_closes(std::string_view message) { return kill_line(message).has_value() || !oom_without_kill(message).empty(); }

}  // namespace forensics
