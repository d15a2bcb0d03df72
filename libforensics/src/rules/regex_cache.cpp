#include "rules/regex_cache.h"

#include <atomic>
#include <boost/regex.hpp>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "rules/cache.h"
#include "rules/pattern.h"

namespace forensics {

namespace {

struct CompiledPattern {
  boost::regex regex;
  std::vector<std::string> names;
};

const std::vector<Clause>& clauses_of(const RuleDef& rule, int kind) {
  return kind == 0 ? rule.all : kind == 1 ? rule.any : rule.none;
}

}  // namespace

/// One slot per clause of the set. A slot is written once, under the mutex, and read without it.
struct RuleSet::Impl::Cache {
  explicit Cache(const std::vector<RuleDef>& rules) {
    std::size_t count = 0;
    for (const RuleDef& rule : rules) {
      first.push_back(count);
      count += rule.all.size() + rule.any.size() + rule.none.size();
    }
    slots = std::vector<std::atomic<const CompiledPattern*>>(count);
  }

  const CompiledPattern& get(const RuleDef& rule, std::size_t rule_index, int kind, std::size_t clause) {
    const std::size_t before = kind == 0 ? 0 : kind == 1 ? rule.all.size() : rule.all.size() + rule.any.size();
    auto& slot = slots[first[rule_index] + before + clause];
    if (const auto* compiled = slot.load(std::memory_order_acquire)) return *compiled;
    const std::lock_guard lock(mutex);
    if (const auto* compiled = slot.load(std::memory_order_relaxed)) return *compiled;
    const std::string& pattern = clauses_of(rule, kind)[clause].pattern;
    owned.push_back(std::make_unique<CompiledPattern>(
        CompiledPattern{boost::regex(pattern, boost::regex::perl), capture_names(pattern)}));
    slot.store(owned.back().get(), std::memory_order_release);
    return *owned.back();
  }

  std::vector<std::size_t> first;  ///< per rule: its first slot
  std::vector<std::atomic<const CompiledPattern*>> slots;
  std::mutex mutex;
  std::vector<std::unique_ptr<const CompiledPattern>> owned;
};

std::shared_ptr<RuleSet::Impl::Cache> make_cache(const std::vector<RuleDef>& rules) {
  return std::make_shared<RuleSet::Impl::Cache>(rules);
}

PatternResult match_pattern(const RuleSet::Impl& set, std::size_t rule, int clause_kind, std::size_t clause,
                            std::string_view message, std::map<std::string, Fact, std::less<>>& captures) {
  const CompiledPattern& compiled = set.cache->get(set.rules[rule], rule, clause_kind, clause);
  boost::cmatch found;
  try {
    if (!boost::regex_search(message.data(), message.data() + message.size(), found, compiled.regex,
                             boost::match_default | boost::match_single_line))
      return {};
  } catch (const std::runtime_error&) {  // how the engine says that it gave up on backtracking
    return {.matched = false, .ran_away = true};
  }
  for (const std::string& name : compiled.names)
    if (const auto& group = found[name]; group.matched) captures.insert_or_assign(name, group.str());
  return {.matched = true, .ran_away = false};
}

}  // namespace forensics
