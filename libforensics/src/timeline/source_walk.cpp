#include "timeline/source_walk.h"

#include <algorithm>
#include <charconv>

namespace forensics {

namespace {

constexpr std::string_view boot_marker = "Linux version ";

/// A record may be stamped late by whoever read it, so its wall stamp bounds its time from above only.
std::int64_t us(const RealTime& time) { return time.time_since_epoch().count(); }

/// 0, -1, -2: boots counted back; empty for anything else.
std::optional<std::int64_t> boots_back(const std::string& boot) {
  std::int64_t back = 0;
  const auto [end, error] = std::from_chars(boot.data(), boot.data() + boot.size(), back);
  if (error != std::errc() || end != boot.data() + boot.size() || back > 0 || (back == 0 && boot != "0")) return {};
  return -back;
}

}  // namespace

SourceWalk::SourceWalk(std::uint32_t index, const Source& account, const Replay& replay, const WalkFilter& filter)
    : account_(account), replay_(replay), filter_(filter) {
  context_.index = index;
  context_.account.name = account.name;
  context_.account.format = account.format;
  context_.account.trust = account.trust;
  if (account.from) at = us(*account.from);
}

bool SourceWalk::fill() {
  if (!opened_) {
    opened_ = true;
    if (replay_.open) reader_ = replay_.open(context_);
  }
  while (reader_) {
    batch_.clear();
    record_ = 0;
    placed_.clear();
    if (!reader_->next(batch_)) reader_.reset();
    else if (!batch_.records.empty()) return true;
    else walk_stamps(static_cast<std::uint32_t>(batch_.stamps.size()));
  }
  return false;
}

/// In file order, up to the stamp of the record at hand: what the tracker says depends on all before.
void SourceWalk::walk_stamps(std::uint32_t until) {
  for (auto i = static_cast<std::uint32_t>(placed_.size()); i <= until && i < batch_.stamps.size(); ++i)
    placed_.push_back(i == 0 ? Placed{{}, 0, stamps_.boot} : stamps_.look(batch_.stamps[i]));
}

bool SourceWalk::next() {
  for (;;) {
    if (!reader_ || record_ == batch_.records.size()) {
      if (reader_) walk_stamps(static_cast<std::uint32_t>(batch_.stamps.size()));
      if (!fill()) return false;
    }
    const Record& record = batch_.records[record_++];
    if (batch_.text.substr(record.begin, record.length).find(boot_marker) != std::string_view::npos) stamps_.new_boot();
    walk_stamps(record.stamp);
    if (too_late(record)) continue;
    take(record);
    if (passes()) return true;
  }
}

/// Told by the stamp alone, without a look at the record.
bool SourceWalk::too_late(const Record& record) const {
  if (!filter_.since) return false;
  const auto wall = replay_.clock.utc(placed_[record.stamp]);
  return wall && *wall < us(*filter_.since);
}

void SourceWalk::take(const Record& record) {
  event = Event{};
  Placed placed = placed_[record.stamp];
  if (record.stamp == 0) placed.boot = stamps_.boot;
  const Stamp outer = placed.stamp;
  placed.stamp = reader_->parse(batch_, record, event);
  if (placed.stamp.monotonic && !outer.monotonic) {   // a stamp behind the tag, which the batch does not tell
    Stamp inner;
    inner.monotonic = placed.stamp.monotonic;
    placed.boot = stamps_.look(inner).boot;
  }
  event.where.source = context_.index;
  event.boot = placed.boot;
  precision = placed.stamp.precision;
  replay_.clock.date(placed, event);
  if (event.time) at = std::max(at, us(*event.time));
  else if (event.monotonic && !replay_.has_wall) at = std::max(at, static_cast<std::int64_t>(event.monotonic->count()));
}

bool SourceWalk::passes() const {
  const std::int64_t time = event.time ? us(*event.time) : at;
  if (filter_.since && time < us(*filter_.since)) return false;
  if (filter_.until && time > us(*filter_.until)) return false;
  if (filter_.severity && (!event.severity || *event.severity > *filter_.severity)) return false;
  if (filter_.boot.empty()) return true;
  if (const auto back = boots_back(filter_.boot)) return static_cast<std::int64_t>(event.boot) + *back == replay_.last_boot;
  return event.boot_id.starts_with(filter_.boot);
}

}  // namespace forensics
