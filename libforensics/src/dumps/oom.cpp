// The kernel's OOM report, 2.6.24 to 7.x.
//
//   prog invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0      who asked for memory
//   CPU: 0 PID: 100 Comm: prog Not tainted 6.1.0 ... Call Trace: ...
//   [Task in /a/b killed as a result of limit of /a]                                   up to 4.19, memory cgroup
//   memory: usage 32768kB, limit 32768kB, failcnt 78                                   memory cgroup
//   [Mem-Info: ... Node 0 Normal: 25*4kB (UM) ...  Free swap  = 0kB ...]               whole host
//   Tasks state ... [  pid  ]   uid  tgid total_vm      rss ... name                    the table
//   [oom-kill:constraint=...,oom_memcg=...,task_memcg=...,task=prog,pid=103,uid=0]     from 5.0
//   [Memory cgroup out of memory: Kill process 103 (prog) score 5 or sacrifice child]  up to 5.0
//   Memory cgroup out of memory: Killed process 103 (prog) total-vm:33832kB, ...       who died
//
// All but the last line is rate limited, so a kill line alone is a report, too. The lines above it belong to it only if
// they agree with it: two kills in one second must not exchange their facts.
#include <algorithm>

#include "dumps/kinds.h"
#include "dumps/oom_lines.h"
#include "dumps/oom_shape.h"
#include "dumps/text.h"
#include "dumps/trace.h"

namespace forensics {

namespace {

/// Everything the lines say, before it is known what of it belongs to the kill.
struct Report {
  std::optional<KillLine> kill;
  std::optional<std::uint32_t> kill_at, oom_kill_at, invoked_at, task_in_at, usage_at, announced_at, group_at;
  std::string oom_kill_text;
  std::optional<Announcement> announced;
  bool two_announced = false, excerpt = false, table_closed = false;
  std::string_view asker, asker_cpuset, gfp_mask, task_in, limit_of, stats_of, group, why_not;
  std::optional<std::int64_t> asker_pid, order, usage, limit, swap_usage, swap_limit, free_swap, total_swap, page_size;
  std::int64_t cgroup_version = 0;
  bool manual = false;
  OomScope scope;                     ///< what the lines above the kill say
  TaskTable table;
};

void read_opening(std::string_view message, Report& report) {
  const std::size_t at = message.find(" invoked oom-killer");
  if (at != std::string_view::npos && at <= 15) report.asker = message.substr(0, at);
  report.gfp_mask = between(message, "gfp_mask=", ", ");
  report.order = number_after(message, "order=");
  report.manual = report.order == -1;
}

void read_memory(std::string_view message, std::uint32_t at, Report& report) {
  if (message.starts_with("memory: usage ")) {
    report.usage_at = at;
    report.usage = kilobytes_after(message, "usage ");
    report.limit = kilobytes_after(message, "limit ");
    report.scope = "cgroup";
  } else if (message.starts_with("memory+swap: usage ")) {
    report.cgroup_version = 1;
  } else if (message.starts_with("swap: usage ")) {
    report.cgroup_version = 2;
    report.swap_usage = kilobytes_after(message, "usage ");
    report.swap_limit = kilobytes_after(message, "limit ");
  } else if (message.starts_with("Memory cgroup stats for ")) {
    if (report.stats_of.empty()) report.stats_of = between(message, "stats for ", ":");
  } else if (message.starts_with("Mem-Info:")) {
    report.scope = "host";
  } else if (message.starts_with("Free swap  = ")) {
    report.free_swap = kilobytes_after(message, "= ");
  } else if (message.starts_with("Total swap = ")) {
    report.total_swap = kilobytes_after(message, "= ");
  } else if (const std::size_t star = message.find("*"); star != std::string_view::npos && contains(message, " = ")) {
    // The smallest block of the buddy list is one page: `Node 0 DMA: 1*4kB (M) 1*8kB ...`
    if (!report.page_size) report.page_size = kilobytes_after(message.substr(star), "*");
  }
}

/// True: this line was one of those that say who is to die.
bool read_decision(std::string_view message, std::uint32_t at, Report& report) {
  if (auto kill = kill_line(message)) {
    report.kill = std::move(kill);
    report.kill_at = at;
  } else if (auto announced = announcement(message)) {
    if (report.announced && report.announced->pid != announced->pid) report.two_announced = true;
    report.announced = announced;
    report.announced_at = at;
  } else if (contains(message, "oom-kill:constraint=")) {
    report.oom_kill_text = message;
    report.oom_kill_at = at;
  } else if (continues_oom_kill_line(message) && report.oom_kill_at) {
    report.oom_kill_text += message;
  } else if (const std::size_t in = message.find(oom_by_limit); in != std::string_view::npos) {
    report.task_in = trimmed(between(message, "Task in ", oom_by_limit));
    report.limit_of = trimmed(message.substr(in + oom_by_limit.size()));
    report.task_in_at = at;
    report.scope = "cgroup";
  } else if (contains(message, oom_group_set)) {
    report.group = trimmed(between(message, "Tasks in ", oom_group_set));
    report.group_at = at;
    report.scope = "cgroup";
  } else if (const std::string_view word = oom_without_kill(message); !word.empty()) {
    report.why_not = word;
  } else {
    return false;
  }
  if (!report.table.rows().empty()) report.table_closed = true;
  return true;
}

Report read(const std::vector<DumpLine>& lines) {
  Report report;
  report.excerpt = is_middle_of_oom(lines.front().message);
  for (std::uint32_t i = 0; i < lines.size() && !report.kill; ++i) {
    const std::string_view message = trimmed(lines[i].message);
    if (contains(message, "invoked oom-killer")) {
      report.invoked_at = i;
      read_opening(message, report);
    } else if (read_decision(message, i, report) || report.table.take(message)) {
      continue;
    } else if (contains(message, " mems_allowed=") && report.asker_cpuset.empty() && contains(message, "cpuset=")) {
      report.asker_cpuset = between(message, "cpuset=", " ");
    } else if (const auto cpu = cpu_line(message); cpu && !report.asker_pid) {
      report.asker_pid = cpu->pid;
      if (report.asker.empty()) report.asker = cpu->comm;
    } else if (const auto f = frame(message)) {
      // Old kernels mark good frames with `?` as well; this one is reached only on behalf of a cgroup.
      const bool by_limit_frame = (f->certain && f->symbol == "mem_cgroup_out_of_memory") || f->symbol == "mem_cgroup_oom_synchronize";
      if (by_limit_frame && report.scope.empty()) report.scope = "cgroup";
      if (f->certain && f->symbol == "moom_callback") report.manual = true;
    } else {
      read_memory(message, i, report);
    }
  }
  return report;
}

/// Do the lines above the kill line speak of this kill?
bool header_is_of(const Report& report, const OomKillLine& chosen, const KillLine& kill) {
  const OomScope above = !chosen.scope.empty() ? chosen.scope : report.scope;
  if (!above.empty() && !kill.scope.empty() && above != kill.scope) return false;
  if (report.two_announced) return false;
  if (report.announced) return true;   // a child may die instead of the one announced
  if (chosen.pid) return chosen.pid == kill.pid || (kill.comm && chosen.comm == kill.comm);   // or another of its threads
  if (report.table_closed || !report.table.rows().empty())
    return (kill.pid && report.table.find(*kill.pid)) || (kill.comm && report.table.has_comm(*kill.comm));
  return true;
}

using Facts = std::map<std::string, Fact, std::less<>>;

template <class T>
void put(Facts& facts, std::string_view name, const std::optional<T>& value) {
  if (!value) return;
  if constexpr (std::is_convertible_v<T, std::string_view>) facts.emplace(name, std::string(*value));
  else facts.emplace(name, static_cast<std::int64_t>(*value));
}

void put(Facts& facts, std::string_view name, std::string_view value) {
  if (!value.empty()) facts.emplace(name, std::string(value));
}

void put_kill(Facts& facts, const KillLine& kill) {
  put(facts, "comm", kill.comm);
  put(facts, "pid", kill.pid);
  put(facts, "uid", kill.uid);
  put(facts, "scope", kill.scope);
  put(facts, "total_vm_bytes", kill.total_vm);
  put(facts, "anon_rss_bytes", kill.anon_rss);
  put(facts, "file_rss_bytes", kill.file_rss);
  put(facts, "shmem_rss_bytes", kill.shmem_rss);
}

/// The page size, if the victim's row and its kill line tell it: both give total_vm, in pages and in kB.
std::optional<std::int64_t> page_size_of(const Report& report) {
  if (report.page_size) return report.page_size;
  if (!report.kill || !report.kill->pid || !report.kill->total_vm) return {};
  const TaskTable::Row* row = report.table.find(*report.kill->pid);
  if (!row || row->total_vm <= 0) return {};
  for (const std::int64_t size : {4096, 16384, 65536})
    if (*report.kill->total_vm / size == row->total_vm) return size;
  return {};
}

void put_table(Facts& facts, const Report& report) {
  const TaskTable::Row* biggest = report.table.biggest();
  if (!report.table_closed || !biggest) return;   // a bigger one may be cut off
  facts.emplace("tasks", static_cast<std::int64_t>(report.table.rows().size()));
  put(facts, "culprit", std::string_view(biggest->comm));
  facts.emplace("culprit_pid", biggest->pid);
  std::optional<std::int64_t> page = page_size_of(report);
  if (!page && report.kill) {
    page = 4096;
    facts.emplace("page_size_assumed", true);
  }
  if (page && biggest->rss >= 0 && biggest->rss < (std::int64_t{1} << 40)) facts.emplace("culprit_rss_bytes", biggest->rss * *page);
}

/// The victim's cgroup, if the one who was selected and the one who died are surely in the same.
std::optional<std::string_view> victim_cgroup(const Report& report, const OomKillLine& chosen) {
  if (chosen.cgroup) {
    const bool same = !report.kill || !chosen.pid || chosen.pid == report.kill->pid || chosen.comm == report.kill->comm;
    return same || chosen.cgroup == chosen.limiter ? chosen.cgroup : std::nullopt;
  }
  if (!report.group.empty()) return report.group;
  if (report.task_in.empty()) return {};
  const bool same = !report.kill || !report.announced || report.announced->pid == report.kill->pid ||
                    report.announced->comm == report.kill->comm;
  return same || report.task_in == report.limit_of ? std::optional(report.task_in) : std::nullopt;
}

void put_header(Facts& facts, const Report& report, const OomKillLine& chosen) {
  put(facts, "asker", report.asker);
  put(facts, "asker_pid", report.asker_pid);
  if (report.asker_cpuset != "/") put(facts, "asker_cpuset", report.asker_cpuset);
  put(facts, "gfp_mask", report.gfp_mask);
  put(facts, "order", report.order);
  if (report.manual) facts.emplace("manual", true);
  put(facts, "scope", chosen.scope.empty() ? report.scope : chosen.scope);
  if (report.announced) put(facts, "scope", report.announced->scope);
  put(facts, "cgroup", victim_cgroup(report, chosen));
  if (chosen.limiter) put(facts, "limiter", chosen.limiter);
  else put(facts, "limiter", report.limit_of.empty() ? report.stats_of : report.limit_of);
  put(facts, "usage_bytes", report.usage);
  put(facts, "limit_bytes", report.limit);
  put(facts, "swap_usage_bytes", report.swap_usage);
  put(facts, "swap_limit_bytes", report.swap_limit);
  put(facts, "free_swap_bytes", report.free_swap);
  put(facts, "total_swap_bytes", report.total_swap);
  if (report.cgroup_version) facts.emplace("cgroup_version", report.cgroup_version);
  if (!report.group.empty()) facts.emplace("group_kill", true);
  if (report.kill && chosen.pid == report.kill->pid) put(facts, "uid", chosen.uid);
  put_table(facts, report);
}

/// Without a kill line nobody is known to be dead: these are only the ones selected.
void put_selected(Facts& facts, const Report& report, const OomKillLine& chosen) {
  const std::optional<std::int64_t> pid = chosen.pid ? chosen.pid : report.announced ? report.announced->pid : std::nullopt;
  put(facts, "selected_pid", pid);
  if (chosen.comm) put(facts, "selected", chosen.comm);
  else if (report.announced) put(facts, "selected", report.announced->comm);
}

Dump extract(const std::vector<DumpLine>& lines) {
  Dump dump{"oom", {}, {}, false};
  if (lines.empty()) return dump;
  const Report report = read(lines);
  const OomKillLine chosen = oom_kill_line(report.oom_kill_text);
  const bool own_header = !report.kill || header_is_of(report, chosen, *report.kill);
  if (report.kill) put_kill(dump.facts, *report.kill);
  if (own_header) put_header(dump.facts, report, chosen);
  if (report.kill) dump.facts.emplace("killed", true);
  else if (!report.excerpt || report.oom_kill_at) dump.facts.emplace("killed", false);
  if (!report.kill) put_selected(dump.facts, report, chosen);
  put(dump.facts, "no_kill", report.why_not);
  dump.complete = report.kill ? report.kill->pid && report.kill->comm && own_header : !report.why_not.empty();
  for (const auto& at : {report.kill_at, report.oom_kill_at, report.task_in_at, report.group_at, report.usage_at,
                         report.announced_at, report.invoked_at})
    if (at && (own_header || at == report.kill_at)) dump.quotes.push_back(*at);
  if (dump.quotes.empty()) dump.quotes.push_back(0);
  return dump;
}

}  // namespace

DumpKind oom_dump() {
  return {"oom",
          {"invoked oom-killer", "oom-kill:constraint=", "Killed process ", "Kill process ", "kill process ", oom_by_limit,
           oom_group_set, "oom_kill_process", "Tasks state (memory values", "memory: usage ", "oom_score_adj name", "oom_adj name"},
          oom_opens, oom_belongs, oom_closes, extract};
}

}  // namespace forensics
