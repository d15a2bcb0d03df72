#include "rules/words.h"

#include <algorithm>
#include <numeric>

namespace forensics {

namespace {

constexpr FactType text = FactType::text, integer = FactType::integer, boolean = FactType::boolean;

/// How many insertions, deletions, replacements and swaps of neighbours turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  std::iota(cost[0].begin(), cost[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

const std::vector<DumpFacts>& dump_facts() {
  static const std::vector<DumpFacts> table = {
      {"oom",
       {{"comm", text},
        {"pid", integer},
        {"uid", integer},
        {"asker", text},
        {"asker_pid", integer},
        {"scope", text},
        {"cgroup", text},
        {"limiter", text},
        {"asker_cpuset", text},
        {"usage_bytes", integer},
        {"limit_bytes", integer},
        {"swap_usage_bytes", integer},
        {"swap_limit_bytes", integer},
        {"anon_rss_bytes", integer},
        {"total_vm_bytes", integer},
        {"order", integer},
        {"gfp_mask", text},
        {"manual", boolean},
        {"killed", boolean},
        {"culprit", text},
        {"culprit_pid", integer},
        {"culprit_rss_bytes", integer},
        {"tasks", integer},
        {"free_swap_bytes", integer},
        {"total_swap_bytes", integer},
        {"cgroup_version", integer},
        {"group_kill", boolean},
        {"file_rss_bytes", integer},
        {"shmem_rss_bytes", integer},
        {"page_size_assumed", boolean},
        {"selected", text},
        {"selected_pid", integer},
        {"no_kill", text}}},
      {"oops",
       {{"title", text},
        {"kind", text},
        {"comm", text},
        {"pid", integer},
        {"symbol", text},
        {"address", text},
        {"taint", text},
        {"fatal", boolean}}},
      {"panic", {{"title", text}, {"comm", text}, {"pid", integer}, {"symbol", text}}},
      {"hung-task",
       {{"comm", text}, {"pid", integer}, {"seconds", integer}, {"waits_on", text}, {"frame", text}, {"symbol", text}, {"io_wait", boolean}}},
      {"ata",
       {{"port", text}, {"errors", text}, {"command", text}, {"device", text}, {"status", text}, {"lost", boolean}}},
      {"lockup",
       {{"comm", text},
        {"pid", integer},
        {"cpu", integer},
        {"seconds", integer},
        {"jiffies", integer},
        {"kind", text},
        {"symbol", text}}},
  };
  return table;
}

const DumpFacts* find_dump_facts(std::string_view dump) {
  const auto& table = dump_facts();
  const auto it = std::find_if(table.begin(), table.end(), [&](const DumpFacts& row) { return row.dump == dump; });
  return it == table.end() ? nullptr : &*it;
}

const std::vector<FactDef>& constant_facts() {
  static const std::vector<FactDef> table = {
      {"signal", text},   {"exit_code", integer},     {"scope", text},    {"killer", text},     {"device", text},
      {"errno", integer}, {"operation", text},        {"kind", text},     {"filesystem", text}, {"function", text},
      {"zone", text},     {"temperature_c", integer}, {"resource", text}, {"unit", text},       {"mount", text},
      {"comm", text},     {"asked_by", text},
  };
  return table;
}

const std::vector<std::string_view>& shared_words() {
  static const std::vector<std::string_view> words = {"boot", "cgroup", "container", "device", "engine", "host", "mount"};
  return words;
}

std::string nearest_word(std::string_view word, const std::vector<std::string_view>& known) {
  if (word.size() > 64) return {};
  std::string_view best;
  std::size_t best_distance = 1 + std::max<std::size_t>(1, word.size() / 3);
  for (std::string_view candidate : known)
    if (const std::size_t distance = edit_distance(word, candidate); distance < best_distance)
      best = candidate, best_distance = distance;
  return std::string(best);
}

std::string list_words(const std::vector<std::string_view>& words) {
  std::string out;
  for (std::string_view word : words) out.append(out.empty() ? "" : ", ").append(word);
  return out;
}

}  // namespace forensics
