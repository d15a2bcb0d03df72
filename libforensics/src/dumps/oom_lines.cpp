#include "dumps/oom_lines.h"

#include <algorithm>

#include "dumps/text.h"

namespace forensics {

namespace {

constexpr std::size_t longest_comm = 15;

OomScope scope_of(std::string_view prefix) {
  if (contains(prefix, "Memory cgroup out of memory")) return "cgroup";
  for (const std::string_view host : {"Out of memory", "Out of Memory", "No available memory"})
    if (contains(prefix, host)) return "host";
  return {};
}

/// `(<comm>)` where the name may hold blanks, commas and parentheses itself: its end is the last `)` before `tail`, or
/// the last of the line.
std::optional<std::string_view> parenthesised(std::string_view text, std::initializer_list<std::string_view> tails,
                                              bool may_end_line) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) return {};
  text.remove_prefix(open + 1);
  std::size_t end = std::string_view::npos;
  for (const std::string_view tail : tails)
    if (end = text.rfind(tail); end != std::string_view::npos) break;
  if (end == std::string_view::npos && may_end_line && !text.empty() && text.back() == ')') end = text.size() - 1;
  if (end == std::string_view::npos || end > longest_comm) return {};
  return text.substr(0, end);
}

}  // namespace

std::optional<KillLine> kill_line(std::string_view message) {
  constexpr std::string_view key = "Killed process ";
  message = trimmed(message);
  const std::size_t at = message.find(key);
  if (at == std::string_view::npos) return {};
  KillLine line;
  line.scope = scope_of(message.substr(0, at));
  std::string_view rest = message.substr(at + key.size());
  line.pid = take_integer(rest);
  if (!line.pid || *line.pid <= 0) return {};
  if (!rest.starts_with(' ') && !rest.starts_with(',')) {
    line.pid.reset();   // cut inside the number
    return line;
  }
  if (rest.starts_with(", UID ")) line.uid = number_after(rest, ", UID ");
  line.comm = parenthesised(rest, {") total-vm:", "), UID "}, true);
  const std::size_t sizes = rest.rfind("total-vm:");
  if (sizes == std::string_view::npos) return line;
  if (const std::size_t uid = rest.rfind("), UID ", sizes); uid != std::string_view::npos)
    line.uid = number_after(rest.substr(uid), "), UID ");
  rest.remove_prefix(sizes);
  line.total_vm = kilobytes_after(rest, "total-vm:");
  line.anon_rss = kilobytes_after(rest, "anon-rss:");
  line.file_rss = kilobytes_after(rest, "file-rss:");
  line.shmem_rss = kilobytes_after(rest, "shmem-rss:");
  if (const std::size_t uid = rest.find(", UID:"); uid != std::string_view::npos) {
    std::string_view digits = rest.substr(uid + 6);
    line.uid = take_integer(digits);
  }
  return line;
}

std::optional<Announcement> announcement(std::string_view message) {
  message = trimmed(message);
  std::size_t at = message.find("Kill process ");
  if (at == std::string_view::npos) at = message.find("kill process ");
  if (at == std::string_view::npos) return {};
  std::string_view rest = message.substr(at + 13);
  Announcement line;
  line.pid = take_integer(rest);
  if (!line.pid || contains(rest, "sharing same memory")) return {};   // that one only shares the victim's memory
  if (!rest.starts_with(' ')) line.pid.reset();
  line.scope = scope_of(message.substr(0, at));
  line.comm = parenthesised(rest, {") score "}, false).value_or(std::string_view{});
  return line;
}

bool continues_oom_kill_line(std::string_view message) {
  message = trimmed(message);
  for (const std::string_view key : {",cpuset=", ",mems_allowed=", ",oom_memcg=", ",global_oom", ",task_memcg=", ",task="})
    if (message.starts_with(key)) return true;
  return false;
}

OomKillLine oom_kill_line(std::string_view text) {
  OomKillLine line;
  if (contains(text, "constraint=CONSTRAINT_MEMCG,")) line.scope = "cgroup";
  else if (contains(text, ",nodemask=") && contains(text, "constraint=CONSTRAINT_")) line.scope = "host";
  // From the right: the name of the task is the only part that may hold commas and equal signs.
  const std::size_t uid = text.rfind(",uid=");
  const std::size_t pid = text.rfind(",pid=", uid == std::string_view::npos ? uid : uid - 1);
  if (uid != std::string_view::npos && pid != std::string_view::npos) {
    std::string_view digits = text.substr(uid + 5);
    line.uid = take_integer(digits);
    line.pid = number_after(text.substr(pid, uid - pid + 1), ",pid=");
  }
  std::size_t task = std::string_view::npos;
  if (line.pid) {
    const std::size_t from = pid > longest_comm + 6 ? pid - longest_comm - 6 : 0;
    task = text.find(",task=", from);
    if (task != std::string_view::npos && task < pid) line.comm = text.substr(task + 6, pid - task - 6);
  }
  const std::size_t memcg = text.find(",task_memcg=");
  if (memcg == std::string_view::npos) return line;
  if (task == std::string_view::npos) task = text.rfind(",task=");
  if (task != std::string_view::npos && task > memcg) line.cgroup = text.substr(memcg + 12, task - memcg - 12);
  const std::size_t limiter = text.find(",oom_memcg=");
  if (limiter < memcg) line.limiter = text.substr(limiter + 11, memcg - limiter - 11);
  return line;
}

bool is_table_line(std::string_view message) {
  message = trimmed(message);
  if (!message.starts_with('[')) return false;
  const std::size_t close = message.find(']');
  if (close == std::string_view::npos) return false;
  std::string_view pid = trimmed(message.substr(1, close - 1));
  return pid == "pid" || (take_integer(pid) && pid.empty());
}

bool TaskTable::take(std::string_view message) {
  if (!is_table_line(message)) return false;
  message = trimmed(message);
  const std::size_t close = message.find(']');
  std::string_view pid = trimmed(message.substr(1, close - 1));
  std::string_view cells = message.substr(close + 1);
  if (pid == "pid") {
    columns_.clear();
    while (!(cells = trimmed(cells)).empty()) {
      const std::string_view word = cells.substr(0, cells.find(' '));
      columns_.emplace_back(word);
      cells.remove_prefix(word.size());
    }
    if (columns_.empty() || columns_.back() != "name") columns_.clear();   // cut
    else columns_.pop_back();
    return true;
  }
  if (columns_.empty()) return true;
  Row row;
  row.pid = take_integer(pid).value_or(0);
  for (const std::string& column : columns_) {
    cells = trimmed(cells);
    const auto value = take_integer(cells);
    if (!value || !cells.starts_with(' ')) return true;   // not a row of this table
    if (column == "uid") row.uid = *value;
    else if (column == "total_vm") row.total_vm = *value;
    else if (column == "rss") row.rss = *value;
  }
  row.comm = trimmed(cells);
  if (row.comm.size() <= longest_comm) rows_.push_back(std::move(row));
  return true;
}

const TaskTable::Row* TaskTable::biggest() const noexcept {
  const auto it = std::max_element(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.rss < b.rss; });
  return it == rows_.end() ? nullptr : &*it;
}

const TaskTable::Row* TaskTable::find(std::int64_t pid) const noexcept {
  const auto it = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.pid == pid; });
  return it == rows_.end() ? nullptr : &*it;
}

bool TaskTable::has_comm(std::string_view comm) const noexcept {
  return std::any_of(rows_.begin(), rows_.end(), [&](const Row& r) { return r.comm == comm; });
}

}  // namespace forensics
