#include "timeline/dump_collector.h"

#include <algorithm>

namespace forensics {

namespace {

constexpr std::size_t most_lines = 10'000, most_text = 4 << 20, most_strangers = 64, most_open = 8;
constexpr std::size_t most_quotes = 8;

/// A dump belongs to one origin: a record of another is not even a stranger.
bool same_origin(const Anchor& a, const Anchor& b) {
  return a.event.trust == b.event.trust && a.event.identifier == b.event.identifier && a.event.host == b.event.host &&
         a.event.container_id == b.event.container_id;
}

std::int64_t time_of(const Anchor& anchor) {
  return anchor.stamp.monotonic ? *anchor.stamp.monotonic : anchor.stamp.wall.value_or(-1);
}

}  // namespace

void DumpCollector::feed(const Anchor& record, const std::vector<std::uint32_t>& openers) {
  const auto& kinds = dump_kinds();
  const std::string_view message = record.event.message;
  const std::int64_t at = time_of(record);
  std::vector<std::uint32_t> taken;
  for (Open& dump : open_) {
    if (!same_origin(dump.lines.front(), record)) continue;
    const DumpKind& kind = kinds[dump.kind];
    const bool late = at >= 0 && dump.last_at >= 0 && at - dump.last_at > kind.most_gap;
    if (!late && kind.belongs(message, dump.lines.size())) {
      dump.lines.push_back(record);
      dump.strangers = 0;
      dump.last_at = at;
      dump.text += message.size();
      taken.push_back(dump.kind);
      if (kind.closes(message) || dump.lines.size() >= most_lines || dump.text > most_text) dump.strangers = most_strangers;
    } else if (late || ++dump.strangers >= most_strangers) {
      dump.strangers = most_strangers;
    }
  }
  for (std::uint32_t k : openers) {
    if (std::find(taken.begin(), taken.end(), k) != taken.end() || !kinds[k].opens(message)) continue;
    for (Open& dump : open_)   // a new one of the same kind ends the one before
      if (dump.kind == k && same_origin(dump.lines.front(), record)) dump.strangers = most_strangers;
    Open dump{k, {record}, 0, at, message.size()};
    if (kinds[k].closes(message)) dump.strangers = most_strangers;
    open_.push_back(std::move(dump));
    if (open_.size() > most_open) open_.front().strangers = most_strangers;
  }
  for (Open& dump : open_)
    if (dump.strangers >= most_strangers) close(dump);
  std::erase_if(open_, [](const Open& dump) { return dump.strangers >= most_strangers; });
}

void DumpCollector::finish() {
  for (Open& dump : open_) close(dump);
  open_.clear();
}

void DumpCollector::close(Open& open) {
  const DumpKind& kind = dump_kinds()[open.kind];
  std::vector<DumpLine> lines;
  for (const Anchor& line : open.lines) lines.push_back({line.event.message, time_of(line)});
  const Dump dump = kind.extract(lines);
  std::map<std::uint32_t, std::uint32_t> kept;   // line -> anchor
  for (std::uint32_t r : matcher_.dump_rules(kind.name)) {
    Values values;
    std::vector<std::uint32_t> quoted;
    if (!matcher_.match_dump(r, dump, lines, values, quoted)) continue;
    for (std::uint32_t line : dump.quotes)
      if (std::find(quoted.begin(), quoted.end(), line) == quoted.end()) quoted.push_back(line);
    if (quoted.empty()) quoted.push_back(0);
    if (quoted.size() > most_quotes) quoted.resize(most_quotes);
    std::vector<std::uint32_t> anchors;
    for (std::uint32_t line : quoted) {
      const auto [it, added] = kept.try_emplace(line, 0);
      if (added) it->second = anchors_.add(open.lines[line]);
      anchors.push_back(it->second);
    }
    anchors_.add_dump(r, std::move(anchors), std::move(values), dump.complete);
  }
}

}  // namespace forensics
