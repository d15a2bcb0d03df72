// The single lines of an OOM report, in every wording from 2.6.24 to 7.x.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forensics {

/// "cgroup" or "host"; empty: the line does not tell.
using OomScope = std::string_view;

/// `[<message>: ]Killed process <pid>[, UID <u>,] (<comm>)[, UID <u>,] total-vm:<n>kB, anon-rss:<n>kB, ...[, UID:<u>]`
struct KillLine {
  std::optional<std::int64_t> pid, uid, total_vm, anon_rss, file_rss, shmem_rss;   ///< sizes in bytes
  std::optional<std::string_view> comm;    ///< empty: cut inside
  OomScope scope;
};
std::optional<KillLine> kill_line(std::string_view message);

/// `[<message>: ][Kk]ill process <pid> (<comm>) score <n> or (sacrifice|a) child`: who was selected, not who dies.
struct Announcement {
  std::optional<std::int64_t> pid;
  std::string_view comm;
  OomScope scope;
};
std::optional<Announcement> announcement(std::string_view message);

/// `oom-kill:constraint=...,oom_memcg=<path>,task_memcg=<path>,task=<comm>,pid=<n>,uid=<u>`, joined if it was printed in
/// pieces.
struct OomKillLine {
  OomScope scope;
  std::optional<std::string_view> limiter, cgroup, comm;
  std::optional<std::int64_t> pid, uid;
};
OomKillLine oom_kill_line(std::string_view joined);
/// A piece of such a line that lost its beginning: `,oom_memcg=/a,task_memcg=/a,task=x,pid=1,uid=0`
bool continues_oom_kill_line(std::string_view message);

/// The table of tasks. Its columns are named by its own header: there were six layouts.
class TaskTable {
 public:
  struct Row {
    std::int64_t pid = 0, uid = 0, total_vm = 0, rss = 0;   ///< sizes in pages
    std::string comm;
  };
  /// False: this line is neither header nor row.
  bool take(std::string_view message);
  const std::vector<Row>& rows() const noexcept { return rows_; }
  const Row* biggest() const noexcept;
  const Row* find(std::int64_t pid) const noexcept;
  bool has_comm(std::string_view comm) const noexcept;

 private:
  std::vector<std::string> columns_;       ///< between `pid` and `name`
  std::vector<Row> rows_;
};
bool is_table_line(std::string_view message);

}  // namespace forensics
