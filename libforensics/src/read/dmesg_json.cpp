// dmesg-json: `dmesg --json`, with -x or without.
//
//   {"dmesg": [ {"pri": 6, "time": 793.619208, "msg": "prog invoked oom-killer: ..."}, ... ]}
//   {"dmesg": [ {"fac": "kern", "pri": "warn", "time": 793.619208, "caller": "T1", "msg": "..."}, ... ]}
//
// Without -x, util-linux prints facility and level or-ed together as "pri": the facility is lost, and who wrote a line
// to /dev/kmsg is known by its tag only.
#include <algorithm>
#include <array>
#include <utility>

#include "read/export_field.h"
#include "read/journal_fields.h"
#include "read/kernel_record.h"
#include "read/loose_json.h"
#include "read/message_text.h"
#include "read/rfc3339.h"
#include "read/state_readers.h"

namespace forensics {
namespace {

constexpr std::size_t block_size = 128 * 1024, longest_entry = 4 * 1024 * 1024;

constexpr std::array<std::string_view, 12> facilities = {"kern", "user", "mail", "daemon", "auth",     "syslog",
                                                         "lpr",  "news", "uucp", "cron",   "authpriv", "ftp"};
constexpr std::array<std::string_view, 8> levels = {"emerg", "alert", "crit", "err", "warn", "notice", "info", "debug"};

bool wanted(std::string_view key) {
  return key == "dmesg" || key == "pri" || key == "fac" || key == "time" || key == "msg" || key == "caller";
}

template <std::size_t N>
std::optional<int> index_of(const std::array<std::string_view, N>& words, std::string_view word) {
  const auto at = std::find(words.begin(), words.end(), word);
  return at == words.end() ? std::nullopt : std::optional<int>(static_cast<int>(at - words.begin()));
}

/// Seconds with a fraction since boot, or an ISO date where `--time-format iso` was asked for.
Stamp stamp_of(const std::string& text) {
  Stamp stamp;
  const auto dot = text.find('.');
  if (const auto seconds = whole_number(std::string_view(text).substr(0, dot)); seconds && *seconds >= 0 && *seconds < 1ll << 40) {
    std::string digits = dot == text.npos ? std::string{} : text.substr(dot + 1, 6);
    digits.resize(6, '0');
    stamp.monotonic = *seconds * 1'000'000 + whole_number(digits).value_or(0);
    return stamp;
  }
  return parse_rfc3339(text).value_or(stamp);
}

/// What one record of the source says, by lines.
struct Entry {
  Event speaker;                 ///< of the first line
  Stamp stamp;
  std::size_t tag = 0;           ///< so many bytes of the first line say who wrote it
};

Entry entry_of(const LooseJson& json, std::uint32_t node) {
  Entry entry;
  const auto facility = index_of(facilities, json.text(node, "fac"));
  entry.speaker.facility = facility.value_or(0);
  if (const auto level = index_of(levels, json.text(node, "pri"))) entry.speaker.severity = static_cast<Severity>(*level);
  if (const auto pri = whole_number(json.text(node, "pri")); pri && *pri >= 0)
    entry.speaker.severity = static_cast<Severity>(*pri & 7);
  const std::string whole = json.text(node, "msg");
  const std::string first = whole.substr(0, whole.find('\n'));
  describe_kernel_record(first, facility, Trust::kernel, entry.speaker);
  entry.tag = first.size() - entry.speaker.message.size();
  entry.speaker.message.clear();
  if (std::string caller = json.text(node, "caller"); !caller.empty()) entry.speaker.fields["caller"] = std::move(caller);
  entry.stamp = stamp_of(json.text(node, "time"));
  return entry;
}

/// Reads in pieces that end behind a '}', so that memory does not grow with the source.
class DmesgReader final : public Reader {
 public:
  DmesgReader(ByteSource& bytes, SourceContext& context) : bytes_(bytes), context_(context) {}

  bool next(Batch& batch) override;
  Stamp parse(const Batch& batch, const Record& record, Event& event) const override;

 private:
  bool load();
  std::size_t piece_end();
  void take_piece(Batch& batch);
  void add_lines(Batch& batch, const LooseJson& json, std::uint32_t message, std::uint64_t before);
  void drop_piece();
  void end_source();

  ByteSource& bytes_;
  SourceContext& context_;
  std::string buffer_, text_;
  std::size_t piece_ = 0;                    // bytes of the buffer that are taken apart now
  std::size_t seen_ = 0, last_end_ = 0;      // how far the buffer was looked at; behind its last '}' outside of strings
  std::size_t depth_ = 0;
  std::size_t begin_ = 0;                    // in front of it stands the rest of a string that was skipped
  bool quoted_ = false, escaped_ = false, ended_ = false, told_ = false;
  bool torn_ = false;                        // the string that is open began in what was skipped
  std::uint64_t base_ = 0, line_ = 1;        // of the buffer's begin
  std::vector<Entry> entries_;
};

/// Moves on over what was read and not looked at yet.
std::size_t DmesgReader::piece_end() {
  for (; seen_ < buffer_.size(); ++seen_) {
    const char c = buffer_[seen_];
    if (quoted_) {
      if (escaped_) escaped_ = false;
      else if (c == '\\') escaped_ = true;
      else if (c == '"' || c == '\n') quoted_ = false;   // no string holds a line's end
      if (!quoted_ && std::exchange(torn_, false)) begin_ = seen_ + 1;
    } else if (c == '"') {
      quoted_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      if (depth_ > 0) --depth_;
      if (c == '}') last_end_ = seen_ + 1;
    }
  }
  return last_end_;
}

/// False at the end.
bool DmesgReader::load() {
  while (true) {
    const std::size_t held = buffer_.size();
    buffer_.resize(held + block_size);
    const std::size_t n = ended_ ? 0 : bytes_.read(buffer_.data() + held, block_size);
    buffer_.resize(held + n);
    context_.account.bytes += n;
    ended_ = n == 0;
    piece_ = piece_end();
    if (ended_) piece_ = buffer_.size();
    if (piece_ > 0 || ended_) return piece_ > 0;
    if (buffer_.size() < longest_entry) continue;
    context_.diagnose(line_, "long-record", "an entry of more than 4 MiB was skipped");
    ++context_.account.records;
    context_.skip("long-record");
    piece_ = buffer_.size();
    drop_piece();
    torn_ = quoted_;
  }
}

void DmesgReader::drop_piece() {
  line_ += count_lines(std::string_view(buffer_).substr(0, piece_));
  if (piece_ > 0) context_.account.lines = line_ - (buffer_[piece_ - 1] == '\n' ? 1 : 0);
  base_ += piece_;
  buffer_.erase(0, piece_);
  seen_ -= std::min(seen_, piece_);
  last_end_ = piece_ = begin_ = 0;
}

bool DmesgReader::next(Batch& batch) {
  entries_.clear();
  text_.clear();
  while (batch.records.empty() && load()) {
    take_piece(batch);
    drop_piece();
  }
  if (batch.records.empty()) end_source();
  batch.text = text_;
  return !batch.records.empty();
}

void DmesgReader::end_source() {
  if (!std::exchange(told_, true) && (depth_ > 0 || quoted_)) {
    context_.diagnose(context_.account.lines, "truncated-record", "the document is cut off");
    ++context_.account.records;
    context_.skip("truncated-record");
  }
}

void DmesgReader::take_piece(Batch& batch) {
  const LooseJson json(std::string_view(buffer_).substr(begin_, piece_ - begin_), wanted);
  const std::uint64_t before = line_ + count_lines(std::string_view(buffer_).substr(0, begin_)) - 1;
  for (std::uint32_t i = 0; i < json.nodes().size(); ++i) {
    const auto message = json.child(i, "msg");
    if (message == LooseJson::none || json[i].kind == LooseJson::Kind::array) continue;
    if (json[message].kind != LooseJson::Kind::string) continue;
    entries_.push_back(entry_of(json, i));
    batch.stamps.push_back(entries_.back().stamp);
    add_lines(batch, json, message, before);
  }
}

void DmesgReader::add_lines(Batch& batch, const LooseJson& json, std::uint32_t message, std::uint64_t before) {
  const std::string_view value = json[message].value;
  const std::size_t at = base_ + static_cast<std::size_t>(value.data() - buffer_.data());
  bool first = true;
  for (const std::string_view raw : escaped_lines(value)) {
    ++context_.account.records;
    if (raw.empty()) {
      context_.skip("empty-message");
      first = false;
      continue;
    }
    Record record;
    record.begin = static_cast<std::uint32_t>(text_.size());
    record.length = append_message(text_, unescape_json(raw.substr(0, max_record)));
    record.stamp = static_cast<std::uint32_t>(batch.stamps.size() - 1);
    record.aux = static_cast<std::uint32_t>(entries_.size() - 1) << 1 | (first ? 1 : 0);
    record.line = before + json[message].line;
    record.offset = at + static_cast<std::size_t>(raw.data() - value.data());
    record.raw_length = raw.size();
    batch.records.push_back(record);
    first = false;
  }
}

Stamp DmesgReader::parse(const Batch& batch, const Record& record, Event& event) const {
  const Entry& entry = entries_[record.aux >> 1];
  event = entry.speaker;
  quote_message(context_, batch, record, event);
  if ((record.aux & 1) != 0) event.message.erase(0, std::min(entry.tag, event.message.size()));
  return entry.stamp;
}

}  // namespace

int sniff_dmesg_json(std::string_view, std::string_view head) {
  const auto start = head.find_first_not_of(" \t\r\n");
  if (start == head.npos || head[start] != '{') return 0;
  const auto begin = head.substr(start, 64);
  const bool titled = begin.find("\"dmesg\"") != begin.npos;
  const bool entry = head.find("\"msg\"") != head.npos && head.find("\"pri\"") != head.npos;
  return titled ? 97 : entry && head.find("\"time\"") != head.npos && head.find("hostname") == head.npos ? 40 : 0;
}

std::unique_ptr<Reader> open_dmesg_json(ByteSource& bytes, SourceContext& context) {
  return std::make_unique<DmesgReader>(bytes, context);
}

}  // namespace forensics
