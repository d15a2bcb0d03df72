// journal-export: the journal's own exchange format (`journalctl -o export`, systemd-journal-remote).
//
//   entry := field* "\n"
//   field := NAME "=" text "\n"  |  NAME "\n" size(8 bytes, little endian) data(size bytes) "\n"
//
//   __REALTIME_TIMESTAMP=1709520776193967
//   _TRANSPORT=kernel
//   MESSAGE=Out of memory: Killed process 483 (python3)
//
// Read strictly forward: what stands inside a binary field is data, whatever it looks like. A message of several lines
// is several records. Only messages are copied; the other fields are found again when a record is asked for.
#include <cstring>

#include "read/export_field.h"
#include "read/journal_fields.h"
#include "read/journal_message.h"
#include "read/journal_readers.h"
#include "read/message_text.h"

namespace forensics {
namespace {

constexpr std::size_t block_size = 256 * 1024;
constexpr std::size_t largest_entry = 4 * 1024 * 1024;

class ExportReader final : public Reader {
 public:
  ExportReader(ByteSource& bytes, SourceContext& context) : bytes_(bytes), context_(context) {
    buffer_.resize(block_size);
  }

  bool next(Batch& batch) override;
  Stamp parse(const Batch& batch, const Record& record, Event& event) const override;

 private:
  struct Entry {
    std::size_t begin = 0, end = 0;   ///< in the buffer
    bool whole = true;                ///< false: cut off, so a field that is absent proves nothing
  };
  struct Message {
    std::size_t at = 0, size = 0;     ///< from the entry's begin
    std::uint64_t offset = 0, line = 0;
  };
  /// What the framing of one entry has collected.
  struct Draft {
    std::vector<Message> messages;
    JournalTimes times;
    std::uint64_t fields = 0;
    bool headed = false;              ///< starts with an address field
    void clear() { messages.clear(), times = {}, fields = 0; }
  };

  std::string_view held() const { return {buffer_.data(), filled_}; }
  bool frame(Batch& batch);
  void take(const ExportField& field);
  void pass(const ExportField& field);
  void end_entry(Batch& batch, bool whole);
  void emit(Batch& batch, const Message& message);
  void end_source(Batch& batch);
  void long_message(std::uint64_t line) {
    context_.diagnose(line, "long-line", "the rest of a long message was skipped");
  }
  void damage(std::string_view code, std::string_view what);
  bool skip_damaged();
  void compact();
  void fill();
  std::size_t pull(char* out, std::size_t size);
  bool shorten(const ExportField& field);
  void shorten_binary(const ExportField& field);
  void shorten_text();

  ByteSource& bytes_;
  SourceContext& context_;
  std::string buffer_, text_;
  std::size_t filled_ = 0;               // bytes held
  std::size_t at_ = 0, scan_ = 0;        // begin of the entry in work; how far it was looked at
  std::uint64_t base_ = 0, line_ = 1;    // source offset of buffer_[0] and line number, both as seen from scan_
  std::uint64_t cut_ = 0, cut_lines_ = 0;   // left out of the field at scan_
  std::vector<Entry> entries_;
  Draft draft_;
  bool ended_ = false;
  bool damaged_ = false;                 // what follows damage was found by searching: it is trusted less
  bool searching_ = false, line_start_ = false;
  bool first_entry_ = true;
};

std::size_t ExportReader::pull(char* out, std::size_t size) {
  const std::size_t n = ended_ ? 0 : bytes_.read(out, size);
  if (n == 0) ended_ = true;
  context_.account.bytes += n;
  return n;
}

void ExportReader::compact() {
  if (at_ == 0) return;
  std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
  filled_ -= at_;
  scan_ -= at_;
  base_ += at_;
  at_ = 0;
}

void ExportReader::fill() {
  if (filled_ == buffer_.size() && !ended_) buffer_.resize(buffer_.size() * 2);
  while (!ended_ && filled_ < buffer_.size()) filled_ += pull(buffer_.data() + filled_, buffer_.size() - filled_);
}

bool ExportReader::next(Batch& batch) {
  entries_.clear();
  text_.clear();
  while (batch.records.empty()) {
    if (!frame(batch)) continue;        // there is more to frame
    if (!batch.records.empty()) break;
    if (ended_) {
      end_source(batch);
      break;
    }
    compact();
    fill();
  }
  batch.text = text_;
  return !batch.records.empty();
}

/// Frames entries until the batch is full (false) or the buffer has no whole field left (true).
bool ExportReader::frame(Batch& batch) {
  while (text_.size() < batch_text) {
    if (searching_ && !skip_damaged()) return true;
    ExportField field;
    switch (read_export_field(held(), scan_, field)) {
      case ExportStep::field:
        take(field);
        pass(field);
        break;
      case ExportStep::entry_end:
        pass(field);
        end_entry(batch, true);
        break;
      case ExportStep::bad: damage("bad-record", "an entry that is not in export format was skipped"); break;
      case ExportStep::more:
        if (!shorten(field)) return true;
        break;
    }
    if (scan_ - at_ > largest_entry) damage("long-record", "an entry of more than 4 MiB was skipped");
  }
  return false;
}

/// Moves on behind a field, or behind an entry's last line.
void ExportReader::pass(const ExportField& field) {
  line_ += 1 + cut_lines_;
  if (field.binary) line_ += count_lines(held().substr(scan_, field.next - 1 - scan_));
  scan_ = field.next;
  base_ += cut_;
  cut_ = cut_lines_ = 0;
}

void ExportReader::take(const ExportField& field) {
  const std::string_view name = field.name;
  if (draft_.fields++ == 0) draft_.headed = name.starts_with("__");
  if (name == "MESSAGE") {
    const auto at = static_cast<std::size_t>(field.value.data() - buffer_.data());
    const std::uint64_t before = field.binary ? 1 + count_lines(held().substr(at - 8, 8)) : 0;
    draft_.messages.push_back({at - at_, field.value.size(), base_ + at, line_ + before});
  } else if (name.starts_with('_')) {
    draft_.times.set(name, [&] { return whole_number(field.value); });
  }
}

void ExportReader::end_entry(Batch& batch, bool whole) {
  if (draft_.fields > 0 && draft_.messages.empty()) {
    ++context_.account.records;
    context_.skip("no-message");
  } else if (!draft_.messages.empty()) {
    batch.stamps.push_back(journal_stamp(draft_.times));
    entries_.push_back({at_, scan_, whole && !damaged_ && (draft_.headed || !first_entry_)});
    for (const Message& message : draft_.messages) emit(batch, message);
  }
  if (draft_.fields > 0) first_entry_ = false;
  draft_.clear();
  at_ = scan_;
}

/// One record for each line of the message.
void ExportReader::emit(Batch& batch, const Message& message) {
  std::string_view rest = held().substr(at_ + message.at, message.size);
  std::uint64_t offset = message.offset, line = message.line;
  do {
    const std::string_view whole = rest.substr(0, rest.find('\n'));
    const std::string_view part = whole.substr(0, max_record);
    if (part.size() < whole.size()) long_message(line);
    ++context_.account.records;
    Record record;
    record.begin = static_cast<std::uint32_t>(text_.size());
    record.stamp = static_cast<std::uint32_t>(batch.stamps.size() - 1);
    record.aux = static_cast<std::uint32_t>(entries_.size() - 1);
    record.line = line++;
    record.offset = offset;
    record.raw_length = part.size();
    if (part.empty()) {
      context_.skip("empty-message");
    } else {
      record.length = append_journal_message(text_, part);
      batch.records.push_back(record);
    }
    const std::size_t used = std::min(whole.size() + 1, rest.size());
    offset += used;
    rest.remove_prefix(used);
  } while (!rest.empty());
}

/// The end of the file: an entry may lack its empty line, or be cut anywhere.
void ExportReader::end_source(Batch& batch) {
  const bool cut = scan_ < filled_;
  if (searching_) {
    scan_ = filled_;
  } else if (cut) {
    context_.diagnose(line_, "truncated-record", "the last entry is cut off");
    line_ += count_lines(held().substr(scan_)) + 1;
    scan_ = filled_;
    if (draft_.messages.empty()) {
      ++context_.account.records;
      context_.skip("truncated-record");
      draft_.clear();
    }
  }
  end_entry(batch, !cut);
  context_.account.lines = line_ - 1;
}

void ExportReader::damage(std::string_view code, std::string_view what) {
  context_.diagnose(line_, code, what);
  ++context_.account.records;
  context_.skip(code);
  draft_.clear();
  damaged_ = searching_ = true;
  line_start_ = false;
  at_ = scan_;
}

/// After damage: on to the next line that starts an entry. Bytes passed belong to the record that was skipped.
/// False if the buffer is used up.
bool ExportReader::skip_damaged() {
  while (true) {
    const std::string_view rest = held().substr(scan_);
    constexpr std::string_view starts[] = {"__CURSOR=", "__REALTIME_TIMESTAMP="};
    const bool enough = rest.size() >= starts[1].size() || ended_;
    if (!enough) return false;
    if (line_start_ && (rest.starts_with(starts[0]) || rest.starts_with(starts[1]))) {
      searching_ = false;
      return true;
    }
    const std::size_t end = rest.find('\n');
    line_start_ = end != rest.npos;
    const std::size_t step = end == rest.npos ? rest.size() : end + 1;
    if (step == 0) return false;
    scan_ += step;
    at_ = scan_;
    if (end == rest.npos) return false;
    ++line_;
  }
}

/// The field at scan_ is not wholly held. If it is longer than a record may be, the rest of it is passed by and the
/// buffer is made to look as if it ended there. False if more bytes are needed first, or if there are none.
bool ExportReader::shorten(const ExportField& field) {
  const std::size_t longest = max_record + longest_export_name + 16;
  if (filled_ - scan_ < longest) return false;
  if (field.binary) {
    shorten_binary(field);
    return !ended_;
  }
  if (std::memchr(buffer_.data() + scan_, '\n', filled_ - scan_) != nullptr) return false;
  shorten_text();
  return !ended_;
}

void ExportReader::shorten_binary(const ExportField& field) {
  const std::size_t size_at = scan_ + field.name.size() + 1, value_at = size_at + 8;
  const std::uint64_t size = little_endian(buffer_.data() + size_at);
  const std::size_t kept_end = value_at + max_record;
  std::uint64_t left = size - max_record;   // to be passed by
  cut_ = left;
  if (field.name == "MESSAGE") long_message(line_);
  const auto held_part = static_cast<std::size_t>(std::min<std::uint64_t>(left, filled_ - kept_end));
  cut_lines_ = count_lines(held().substr(kept_end, held_part));
  std::memmove(buffer_.data() + kept_end, buffer_.data() + kept_end + held_part, filled_ - kept_end - held_part);
  filled_ -= held_part;
  left -= held_part;
  std::string waste(left > 0 ? block_size : 0, '\0');
  while (left > 0) {
    const std::size_t n = pull(waste.data(), static_cast<std::size_t>(std::min<std::uint64_t>(left, waste.size())));
    if (n == 0) return;
    cut_lines_ += count_lines({waste.data(), n});
    left -= n;
  }
  put_little_endian(buffer_.data() + size_at, max_record);
}

void ExportReader::shorten_text() {
  const std::size_t kept_end = scan_ + longest_export_name + max_record;
  cut_ += filled_ - kept_end;
  filled_ = kept_end;
  std::string waste(block_size / 4, '\0');
  while (const std::size_t n = pull(waste.data(), waste.size())) {
    const std::size_t end = std::min(std::string_view(waste.data(), n).find('\n'), n);
    cut_ += end;
    if (end == n) continue;
    if (buffer_.size() < filled_ + n - end) buffer_.resize(filled_ + n - end);
    std::memcpy(buffer_.data() + filled_, waste.data() + end, n - end);
    filled_ += n - end;
    return;
  }
}

Stamp ExportReader::parse(const Batch& batch, const Record& record, Event& event) const {
  const Entry& entry = entries_[record.aux];
  JournalFields fields;
  ExportField field;
  const std::string_view raw = held().substr(0, entry.end);
  for (std::size_t at = entry.begin; at < entry.end; at = field.next) {
    if (read_export_field(raw, at, field) != ExportStep::field) break;
    fields.set(field.name, field.value);
  }
  journal_event(fields, event);
  if (!entry.whole) event.trust = doubted(event.trust);
  event.where = {context_.index, record.line, record.offset, record.raw_length};
  read_journal_message(batch.text.substr(record.begin, record.length), event);
  return batch.stamps[record.stamp];
}

}  // namespace

/// Certain if the first line is an entry's address field; likely if a head that was cut has one further down.
int sniff_journal_export(std::string_view, std::string_view head) {
  if (head.starts_with("__CURSOR=") || head.starts_with("__REALTIME_TIMESTAMP=") || head.starts_with("__SEQNUM="))
    return 98;
  const std::size_t cursor = head.find("\n__CURSOR=s=");
  if (cursor == head.npos) {
    const bool message = head.starts_with("MESSAGE=") || head.find("\nMESSAGE=") != head.npos;
    const bool trusted = head.find("\n_TRANSPORT=") != head.npos || head.find("\n_BOOT_ID=") != head.npos;
    return message && trusted ? 80 : 0;
  }
  return head.find("\nMESSAGE=", cursor) != head.npos || head.find("\nMESSAGE\n", cursor) != head.npos ? 90 : 0;
}

std::unique_ptr<Reader> open_journal_export(ByteSource& bytes, SourceContext& context) {
  return std::make_unique<ExportReader>(bytes, context);
}

}  // namespace forensics
