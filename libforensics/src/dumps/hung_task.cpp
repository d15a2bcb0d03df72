// A hung task.
//
//   INFO: task dd:115 blocked for more than 120 seconds.                   from 7.1 also `blocked in I/O wait for more than`
//         Not tainted 6.1.0-57-amd64 #1 Debian 6.1.192-3
//   "echo 0 > /proc/sys/kernel/hung_task_timeout_secs" disables this message.
//   task:dd   state:D stack:0 pid:115 ppid:1 flags:0x00004002              before 5.4: `dd  D ffff... 0 115 1 0x...`
//   Call Trace:
//    __schedule+0x34d/0xa00 ... io_schedule+0x42/0x70 ...
//    </TASK>
//
// What it waits for is the innermost telling frame: a lock is a lock even when its holder waits for the disk.
#include <algorithm>

#include "dumps/kinds.h"
#include "dumps/text.h"
#include "dumps/trace.h"

namespace forensics {

namespace {

struct WaitName {
  std::string_view prefix, waits_on;
};

// The first row that fits decides. "page": only an outer frame tells whether the page comes from a disk or over NFS.
constexpr WaitName wait_names[] = {
    {"rtnl_", "network"}, {"unregister_netdev", "network"}, {"netdev_", "network"}, {"netdev_wait_all", "network"},
    {"cleanup_net", "network"}, {"copy_net_ns", "network"}, {"setup_net", "network"}, {"cifs_", "network"},
    {"smb2_", "network"}, {"ceph_", "network"}, {"p9_", "network"}, {"fuse_", "other"}, {"request_wait_answer", "other"},
    {"nfs_", "nfs"}, {"nfs3_", "nfs"}, {"nfs4_", "nfs"}, {"_nfs4_", "nfs"}, {"nfs41_", "nfs"}, {"rpc_", "nfs"},
    {"__rpc_", "nfs"}, {"xprt_", "nfs"}, {"nlmclnt_", "nfs"},
    {"mutex_lock", "lock"}, {"__mutex_lock", "lock"}, {"__ww_mutex_lock", "lock"}, {"rwsem_down_", "lock"},
    {"down_read", "lock"}, {"down_write", "lock"}, {"__down", "lock"}, {"down_killable", "lock"}, {"call_rwsem_down", "lock"},
    {"percpu_down_", "lock"}, {"__percpu_down_", "lock"}, {"percpu_rwsem_wait", "lock"}, {"futex_wait", "lock"},
    {"synchronize_srcu", "lock"}, {"__synchronize_srcu", "lock"}, {"synchronize_rcu", "lock"}, {"rcu_barrier", "lock"},
    {"rt_mutex_", "lock"}, {"__rt_mutex_", "lock"}, {"rwbase_", "lock"}, {"__flush_work", "lock"},
    {"io_schedule", "page"}, {"bit_wait_io", "page"}, {"wait_on_page_", "page"}, {"__wait_on_page", "page"},
    {"folio_wait_", "page"}, {"__folio_lock", "page"}, {"__lock_page", "page"}, {"sleep_on_page", "page"}, {"sync_page", "page"},
    {"filemap_fdatawait", "page"}, {"__filemap_fdatawait", "page"},
    {"jbd2_", "storage"}, {"__jbd2_", "storage"}, {"kjournald2", "storage"}, {"wait_transaction_locked", "storage"},
    {"start_this_handle", "storage"}, {"do_get_write_access", "storage"}, {"submit_bio", "storage"}, {"bio_", "storage"},
    {"blk_", "storage"}, {"__blk_", "storage"}, {"blkdev_", "storage"}, {"__blkdev_", "storage"}, {"rq_qos_", "storage"},
    {"wbt_", "storage"}, {"get_request", "storage"}, {"mmc_", "storage"}, {"__mmc_", "storage"}, {"xfs_buf", "storage"},
    {"__xfs_buf", "storage"}, {"xfs_log_force", "storage"}, {"xlog_", "storage"}, {"_xfs_log_force", "storage"},
    {"xfs_ail_push_all", "storage"}, {"wait_on_buffer", "storage"}, {"__wait_on_buffer", "storage"}, {"__bread", "storage"},
    {"sleep_on_buffer", "storage"}, {"__sync_dirty_buffer", "storage"}, {"balance_dirty_pages", "storage"},
    {"wb_wait_for_completion", "storage"}, {"writeback_", "storage"}, {"sync_inodes_sb", "storage"},
    {"btrfs_wait_ordered", "storage"}, {"btrfs_start_ordered_extent", "storage"}, {"btrfs_commit_transaction", "storage"},
    {"btrfs_wait_for_commit", "storage"}, {"wait_current_trans", "storage"}, {"wait_for_commit", "storage"},
    {"ext4_wait_block_bitmap", "storage"}, {"dm_", "storage"}, {"md_", "storage"}, {"raid5_", "storage"},
    {"scsi_", "storage"}, {"nvme_", "storage"}, {"ata_", "storage"}, {"f2fs_wait_on", "storage"}, {"usb_sg_wait", "storage"},
    {"congestion_wait", "memory"}, {"throttle_direct_reclaim", "memory"}, {"mem_cgroup_oom_", "memory"},
    {"mem_cgroup_handle_over_high", "memory"}, {"try_to_free_", "memory"}, {"shrink_", "memory"},
    {"reclaim_throttle", "memory"},
};

std::string_view waits_on(std::string_view symbol) {
  const auto* row = std::find_if(std::begin(wait_names), std::end(wait_names),
                                 [&](const WaitName& name) { return symbol.starts_with(name.prefix); });
  return row == std::end(wait_names) ? std::string_view{} : row->waits_on;
}

bool is_scheduler(std::string_view symbol) {
  for (const std::string_view name : {"__schedule", "schedule", "__switch_to", "wait_for_completion", "__wait_for_common",
                                      "wait_for_common", "__wait_for_completion"})
    if (symbol == name || (name == "schedule" && symbol.starts_with("schedule_"))) return true;
  return false;
}

bool opens(std::string_view message) {
  message = trimmed(message);
  return message.starts_with("INFO: task ") &&
         (contains(message, " blocked for more than ") || contains(message, " blocked in I/O wait for more than "));
}

bool belongs(std::string_view message, std::size_t) {
  message = trimmed(message);
  if (opens(message)) return false;
  return message.starts_with("\"echo 0 > ") || contains(message, " state:D ") || contains(message, "  D ") ||
         is_panic(message) || starts_other_report(message) || is_trace_line(message);
}

bool closes(std::string_view message) { return trimmed(message).starts_with("</TASK>"); }

/// `INFO: task <comm>:<pid> blocked[ in I/O wait] for more than <n> seconds.`; the name may hold colons.
void read_opening(std::string_view message, Dump& dump) {
  const std::size_t blocked = message.rfind(" blocked ");
  const std::size_t task = message.find("task ");
  const std::size_t colon = message.rfind(':', blocked);
  if (blocked != std::string_view::npos && task + 5 <= colon && colon < blocked) {
    dump.facts.emplace("comm", std::string(message.substr(task + 5, colon - task - 5)));
    if (const auto pid = number_after(message.substr(colon, blocked - colon + 1), ":")) dump.facts.emplace("pid", *pid);
  }
  if (const auto seconds = number_after(message, "for more than ")) dump.facts.emplace("seconds", *seconds);
}

/// Follows the stack inwards out and keeps what decides.
class Stack {
 public:
  void take(std::string_view symbol, std::uint32_t line) {
    if (symbol_.empty() && !is_scheduler(symbol)) symbol_ = symbol;
    const std::string_view word = waits_on(symbol);
    ++seen_;
    if (final_ || word.empty()) return;
    const bool first = word_.empty();
    const bool outer = (word_ == "page" && (word == "nfs" || word == "network")) ||
                       (word_ == "lock" && word == "network" && seen_ - at_ <= 4);   // rtnl_lock() is a mutex
    if (!first && !outer) return;
    word_ = word;
    frame_ = symbol;
    line_ = line;
    at_ = seen_;
    final_ = word != "page" && word != "lock";
  }

  /// `whole`: the outermost frame was seen, so nothing can change the answer.
  void put(Dump& dump, bool whole) const {
    if (!symbol_.empty()) dump.facts.emplace("symbol", std::string(symbol_));
    // A page comes from a disk or over the network; which of them a cut stack may not show.
    if (word_ == "page" || word_ == "storage" || word_ == "nfs") dump.facts.emplace("io_wait", true);
    if (word_.empty() && whole && seen_ > 0) dump.facts.emplace("waits_on", std::string("other"));
    if (word_.empty() || !(final_ || whole || (word_ == "lock" && seen_ - at_ > 4))) return;
    dump.facts.emplace("waits_on", std::string(word_ == "page" ? "storage" : word_));
    dump.facts.emplace("frame", std::string(frame_));
    dump.quotes.push_back(line_);
  }

 private:
  std::string_view symbol_, word_, frame_;
  std::uint32_t line_ = 0;
  std::size_t seen_ = 0, at_ = 0;
  bool final_ = false;
};

Dump extract(const std::vector<DumpLine>& lines) {
  Dump dump{"hung-task", {}, {}, false};
  if (lines.empty()) return dump;
  dump.quotes.push_back(0);
  read_opening(trimmed(lines.front().message), dump);
  Stack stack;
  bool whole = false;
  std::string_view caller;
  std::uint32_t caller_line = 0;
  for (std::uint32_t i = 1; i < lines.size() && !whole; ++i) {
    const std::string_view message = trimmed(lines[i].message);
    // The report has no line of registers' owner: such a line starts another one.
    if (starts_other_report(message) || cpu_line(message) || is_panic(message)) break;
    if (const auto f = frame(message); f && f->certain) {
      stack.take(f->symbol, i);
      caller = f->caller;
      caller_line = i;
    }
    whole = ends_stack(message);
  }
  if (!whole && !caller.empty()) stack.take(caller, caller_line);   // arm names one frame more than it has lines
  stack.put(dump, whole);
  dump.complete = whole && dump.facts.contains("comm");
  return dump;
}

}  // namespace

DumpKind hung_task_dump() {
  return {"hung-task", {" blocked for more than ", " blocked in I/O wait for more than "}, opens, belongs, closes, extract};
}

}  // namespace forensics
