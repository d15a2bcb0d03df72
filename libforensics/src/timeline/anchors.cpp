#include "timeline/anchors.h"

#include <utility>

namespace forensics {

namespace {

constexpr std::size_t keep_first = 16, keep_last = 16;
/// So many different victims per rule and source are told apart; further ones share one account.
constexpr std::uint32_t most_keys = 128;

template <class T>
std::uint32_t place(std::deque<T>& all, std::vector<std::uint32_t>& free, T value) {
  if (free.empty()) {
    all.push_back(std::move(value));
    return static_cast<std::uint32_t>(all.size() - 1);
  }
  const std::uint32_t index = free.back();
  free.pop_back();
  all[index] = std::move(value);
  return index;
}

}  // namespace

std::uint32_t Anchors::add(Anchor anchor) { return place(anchors_, free_anchors_, std::move(anchor)); }

void Anchors::release(std::uint32_t index) {
  Anchor& anchor = anchors_[index];
  if (--anchor.references > 0) return;
  anchor = Anchor{};
  free_anchors_.push_back(index);
}

void Anchors::drop_if_unused(std::uint32_t index) {
  if (anchors_[index].references > 0) return;
  anchors_[index].references = 1;
  release(index);
}

void Anchors::drop(ClauseHit& hit) {
  release(hit.anchor);
  hit = ClauseHit{};
  hit.alive = false;
}

void Anchors::drop(DumpHit& hit) {
  for (std::uint32_t anchor : hit.anchors) release(anchor);
  hit = DumpHit{};
  hit.alive = false;
}

Anchors::Repeat& Anchors::repeat_of(const std::string& rule, const Values& values) {
  std::string key = rule + '\0' + identity(values);
  if (const auto it = repeats_.find(key); it != repeats_.end()) return it->second;
  std::uint32_t& keys = keys_[rule];
  if (keys == most_keys) return repeats_[rule];
  ++keys;
  return repeats_[std::move(key)];
}

template <class Hit>
void Anchors::keep(std::deque<Hit>& all, std::vector<std::uint32_t>& free, Repeat& repeat, Hit hit) {
  const std::uint32_t index = place(all, free, std::move(hit));
  if (repeat.first.size() < keep_first) {
    repeat.first.push_back(index);
    return;
  }
  repeat.last.push_back(index);
  if (repeat.last.size() <= keep_last) return;
  const std::uint32_t oldest = repeat.last.front();
  repeat.last.pop_front();
  drop(all[oldest]);
  free.push_back(oldest);
  ++all[repeat.first.back()].repeated;
}

void Anchors::add_hit(const Target& target, std::uint32_t anchor, Values captures) {
  ++anchors_[anchor].references;
  const std::string rule = std::to_string(target.rule) + '/' + std::to_string(static_cast<int>(target.kind)) + '/' +
                           std::to_string(target.clause);
  Repeat& repeat = repeat_of(rule, captures);
  keep(hits_, free_hits_, repeat, ClauseHit{target, anchor, std::move(captures), 0, true});
}

void Anchors::add_dump(std::uint32_t rule, std::vector<std::uint32_t> anchors, Values values, bool complete) {
  for (std::uint32_t anchor : anchors) ++anchors_[anchor].references;
  Repeat& repeat = repeat_of('d' + std::to_string(rule), values);
  keep(dumps_, free_dumps_, repeat, DumpHit{rule, std::move(anchors), std::move(values), complete, 0, true});
}

}  // namespace forensics
