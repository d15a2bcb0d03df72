// Inside the grouping of deaths: claims that belong together, and what is known of them together.
#pragma once

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>
#include <vector>

#include "judge/case.h"

namespace forensics {

/// Union and find over indices of Case::claims.
class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[std::max(root(a), root(b))] = std::min(root(a), root(b)); }

 private:
  std::vector<std::size_t> parent_;
};

/// A claim and how far from it others of the same name may be.
using Member = std::pair<std::size_t, std::chrono::microseconds>;

/// A stop or kill that somebody asked for: it takes a grace period until it works.
bool is_request(const Claim& claim);

/// All claims about one container: one group for each of its runs (runs.cpp).
void join_runs(const Case& c, Groups& groups, const std::vector<Member>& members);
/// The groups as deaths, with what is known from all their claims (death_facts.cpp).
std::vector<DeathCase> collect_deaths(const Case& c, Groups& groups);
/// Ends that an engine knows of and no rule speaks about.
void add_silent_ends(Case& c);
/// Where a moment stands in the timeline.
std::uint32_t position(const Timeline& timeline, RealTime time);
/// Joins what names nobody with what it must be about (strays.cpp).
void join_strays(const Case& c, Groups& groups);

}  // namespace forensics
