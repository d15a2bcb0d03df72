#include "timeline/witness_window.h"

#include <algorithm>

namespace forensics {

namespace {

constexpr std::int64_t second = 1'000'000;
/// Clocks of two daemons that write down one record differ by less.
constexpr std::int64_t reach = 5 * second;
constexpr std::size_t most_entries = 8192;

std::string key_of(const Event& event) {
  return event.identifier + '\0' + event.container_id + '\0' + event.message;
}

}  // namespace

bool WitnessWindow::same_moment(const Entry& a, const Entry& b) {
  const Event &x = a.record.event, &y = b.record.event;
  const std::int64_t precision = std::max({a.precision, b.precision, second / 1000});
  if (x.monotonic && y.monotonic) return std::abs((*x.monotonic - *y.monotonic).count()) <= precision;
  if (x.time && y.time) return std::abs((*x.time - *y.time).count()) <= std::max(precision, second) + second;
  return x.trust >= Trust::kernel_text && y.trust >= Trust::kernel_text;
}

WitnessWindow::Entry* WitnessWindow::known(const Same& same, const Entry& entry, std::uint64_t& number) {
  const auto from = same.next.find(entry.record.event.where.source);
  auto it = same.numbers.begin();
  if (from != same.next.end()) it = std::lower_bound(it, same.numbers.end(), from->second);
  for (; it != same.numbers.end(); ++it) {
    Entry& candidate = entries_[*it - first_];
    if (!same_moment(candidate, entry)) continue;
    number = *it;
    return &candidate;
  }
  return nullptr;
}

/// The one that can be trusted more speaks.
void WitnessWindow::join(Entry& known, Entry entry) {
  TimelineRecord &kept = known.record, &other = entry.record;
  kept.findings.insert(kept.findings.end(), other.findings.begin(), other.findings.end());
  if (other.event.trust > kept.event.trust) {
    std::swap(kept.event, other.event);
    std::swap(kept.source, other.source);
    std::swap(known.precision, entry.precision);
  }
  kept.also.push_back({other.source, other.event.where.line});
}

void WitnessWindow::add(Entry entry) {
  newest_ = std::max(newest_, entry.at);
  const Event& event = entry.record.event;
  if (event.trust == Trust::claimed) return entries_.push_back(std::move(entry));   // anybody may write it twice
  Same& same = same_[key_of(event)];
  std::uint64_t number = first_ + entries_.size();
  const std::uint32_t source = event.where.source;
  if (Entry* const witnessed = known(same, entry, number)) {
    join(*witnessed, std::move(entry));
  } else {
    same.numbers.push_back(number);
    entries_.push_back(std::move(entry));
  }
  same.next[source] = number + 1;
}

bool WitnessWindow::take(bool all, TimelineRecord& record) {
  if (entries_.empty()) return false;
  Entry& oldest = entries_.front();
  if (!all && newest_ - reach <= oldest.at && entries_.size() < most_entries) return false;
  if (oldest.record.event.trust != Trust::claimed) {
    const auto it = same_.find(key_of(oldest.record.event));
    it->second.numbers.pop_front();
    if (it->second.numbers.empty()) same_.erase(it);
  }
  record = std::move(oldest.record);
  entries_.pop_front();
  ++first_;
  return true;
}

}  // namespace forensics
