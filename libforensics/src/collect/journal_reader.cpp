// Framing asks for three fields of an entry; the others are looked up only for the records that somebody wants.
#include "collect/journal_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "read/journal_fields.h"
#include "read/journal_message.h"
#include "read/message_text.h"

namespace forensics {

namespace {

constexpr std::size_t longest_field = 64 * 1024;   // sd-journal need not unpack more of a field
constexpr std::uint64_t most_backwards = 4'000'000;

std::string_view field(sd_journal* journal, const char* name, std::size_t prefix) {
  const void* data = nullptr;
  std::size_t size = 0;
  if (::sd_journal_get_data(journal, name, &data, &size) < 0 || size < prefix) return {};
  return std::string_view(static_cast<const char*>(data), size).substr(prefix);
}

std::string cursor_of(sd_journal* journal) {
  char* text = nullptr;
  if (::sd_journal_get_cursor(journal, &text) < 0 || text == nullptr) return {};
  std::string cursor(text);
  std::free(text);
  return cursor;
}

/// `s=<file>;i=<hex>;...`: the number of the entry in its file.
std::uint64_t sequence_of(std::string_view cursor) {
  const std::size_t at = cursor.find(";i=");
  std::uint64_t number = 0;
  if (at != cursor.npos) std::from_chars(cursor.data() + at + 3, cursor.data() + cursor.size(), number, 16);
  return number;
}

Stamp stamp_of(sd_journal* journal) {
  std::uint64_t realtime = 0, monotonic = 0;
  sd_id128_t boot{};
  JournalTimes times;
  if (::sd_journal_get_realtime_usec(journal, &realtime) >= 0) times.realtime = static_cast<std::int64_t>(realtime);
  if (::sd_journal_get_monotonic_usec(journal, &monotonic, &boot) >= 0) times.monotonic = static_cast<std::int64_t>(monotonic);
  const auto source = [&](const char* name) { return whole_number(field(journal, name, std::string_view(name).size() + 1)); };
  times.source_realtime = source("_SOURCE_REALTIME_TIMESTAMP");
  times.source_monotonic = source("_SOURCE_MONOTONIC_TIMESTAMP");
  return journal_stamp(times);
}

}  // namespace

JournalReader::JournalReader(Journal walk, Journal find, SourceContext& context, Options options)
    : walk_(std::move(walk)), find_(std::move(find)), context_(context), options_(options) {
  ::sd_journal_set_data_threshold(walk_.get(), longest_field);
  ::sd_journal_set_data_threshold(find_.get(), longest_field);
}

JournalReader::~JournalReader() = default;

bool JournalReader::step() {
  if (ended_) return false;
  if (::sd_journal_next(walk_.get()) > 0) return true;
  if (jump_the_gap()) return true;
  ended_ = true;
  if (options_.expected > seen_) {
    const std::uint64_t lost = options_.expected - seen_;
    context_.diagnostics.push_back({context_.account.name, 0, "journal-damaged",
                                    std::to_string(lost) + " of " + std::to_string(options_.expected) + " entries could not be read", lost});
  }
  return false;
}

/// The way forward broke off before the number of entries in the header: walks back from the end as far as it goes, to
/// read the rest from there.
bool JournalReader::jump_the_gap() {
  if (!options_.damaged_tail || jumped_ || seen_ >= options_.expected) return false;
  jumped_ = true;
  if (::sd_journal_seek_tail(walk_.get()) < 0) return false;
  std::string first;   // the earliest entry reached that was not read before
  for (std::uint64_t steps = 0; steps < most_backwards && steps < options_.expected - seen_; ++steps) {
    if (::sd_journal_previous(walk_.get()) <= 0) break;
    std::string cursor = cursor_of(walk_.get());
    if (cursor.empty() || sequence_of(cursor) <= sequence_of(last_cursor_)) break;
    first = std::move(cursor);
  }
  return !first.empty() && ::sd_journal_seek_cursor(walk_.get(), first.c_str()) >= 0 && ::sd_journal_next(walk_.get()) > 0;
}

bool JournalReader::next(Batch& batch) {
  entries_.clear();
  text_.clear();
  while (text_.size() < batch_text && step()) take(batch);
  batch.text = text_;
  return !batch.records.empty() || !ended_;
}

void JournalReader::take(Batch& batch) {
  ++seen_;
  last_cursor_ = cursor_of(walk_.get());
  const std::string_view message = field(walk_.get(), "MESSAGE", 8);
  context_.account.bytes += message.size();
  if (message.empty()) {
    ++context_.account.records;
    context_.skip("no-message");
    return;
  }
  entries_.push_back({last_cursor_, stamp_of(walk_.get())});
  batch.stamps.push_back(entries_.back().stamp);
  add_lines(batch, message, static_cast<std::uint32_t>(entries_.size() - 1));
}

/// A message of several lines is several records.
void JournalReader::add_lines(Batch& batch, std::string_view message, std::uint32_t entry) {
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    ++context_.account.records;
    if (end == 0) {
      context_.skip("empty-message");
      message.remove_prefix(1);
      continue;
    }
    Record record;
    record.begin = static_cast<std::uint32_t>(text_.size());
    record.length = append_journal_message(text_, message.substr(0, end));
    record.stamp = static_cast<std::uint32_t>(batch.stamps.size() - 1);
    record.aux = entry;
    batch.records.push_back(record);
    message.remove_prefix(std::min(end + 1, message.size()));
  }
}

Stamp JournalReader::parse(const Batch& batch, const Record& record, Event& event) const {
  const Entry& entry = entries_[record.aux];
  event.cursor = entry.cursor;
  JournalFields fields;
  sd_journal* const journal = find_.get();
  if (::sd_journal_seek_cursor(journal, entry.cursor.c_str()) >= 0 && ::sd_journal_next(journal) > 0 &&
      ::sd_journal_test_cursor(journal, entry.cursor.c_str()) > 0) {
    const void* data = nullptr;
    std::size_t size = 0;
    SD_JOURNAL_FOREACH_DATA(journal, data, size) {
      const std::string_view pair(static_cast<const char*>(data), size);
      const std::size_t equals = pair.find('=');
      if (equals != pair.npos) fields.set(pair.substr(0, equals), pair.substr(equals + 1));
    }
  }
  journal_event(fields, event);
  read_journal_message(batch.text.substr(record.begin, record.length), event);
  return entry.stamp;
}

}  // namespace forensics
