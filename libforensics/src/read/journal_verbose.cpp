// journal-verbose: `journalctl -o verbose`.
//
//   Mon 2026-11-30 23:24:00.941123 UTC [s=d2f1...;i=1;b=f2c7...;m=86004b;t=66186b46ee043;x=73c7...]
//       _TRANSPORT=kernel
//       MESSAGE=Unstable clock detected, switching default tracing clock to "global"
//               If you want to keep using the local clock, then add:
//       COREDUMP=[18B blob data]
//
// A field has four blanks in front, the further lines of its value have more, so no value can pass for a field. The
// times stand in the cursor, in hexadecimal µs: t is real time, m monotonic.
#include <charconv>

#include "read/journal_fields.h"
#include "read/journal_message.h"
#include "read/journal_readers.h"
#include "read/line_blocks.h"
#include "read/message_text.h"

namespace forensics {
namespace {

constexpr std::size_t indent = 4;
constexpr std::size_t largest_entry = 1024 * 1024;
constexpr std::size_t most_lines = 10'000;

/// `name=` in a cursor, hexadecimal.
std::optional<std::int64_t> cursor_number(std::string_view cursor, std::string_view name) {
  const auto at = cursor.find(name);
  if (at == cursor.npos) return std::nullopt;
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(cursor.data() + at + name.size(), cursor.data() + cursor.size(), value, 16);
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

/// The brackets at the end of an entry's first line; empty if it is none.
std::string_view cursor_of(std::string_view line) {
  const auto at = line.rfind(" [s=");
  const bool entry = at != line.npos && line.ends_with(']') && !line.starts_with(' ') && line.find(";t=", at) != line.npos;
  return entry ? line.substr(at + 1) : std::string_view{};
}

std::size_t leading_blanks(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

class VerboseReader final : public Reader {
 public:
  VerboseReader(ByteSource& bytes, SourceContext& context) : blocks_(bytes, context), context_(context) {}

  bool next(Batch& batch) override {
    entries_.clear();
    text_.clear();
    LineBlocks::Line line;
    while (text_.size() < batch_text) {
      if (blocks_.next_line(line)) {
        take(batch, line);
      } else if (!blocks_.next_block()) {
        end_entry(batch);
        break;
      }
    }
    batch.text = text_;
    return !batch.records.empty();
  }

  Stamp parse(const Batch& batch, const Record& record, Event& event) const override;

 private:
  struct MessageLine {
    std::string text;
    std::uint64_t line = 0, offset = 0;
  };

  void take(Batch& batch, const LineBlocks::Line& line);
  void take_field(const LineBlocks::Line& line);
  void end_entry(Batch& batch);

  LineBlocks blocks_;
  SourceContext& context_;
  std::string text_;
  std::string entry_;                    // the fields of the entry in work, a line each
  std::vector<std::string> entries_;     // of the batch
  std::vector<MessageLine> message_;
  JournalTimes times_;
  std::size_t message_indent_ = 0;       // of further lines; 0: the field before is another one
  bool begun_ = false, blob_ = false;
};

void VerboseReader::take(Batch& batch, const LineBlocks::Line& line) {
  if (const std::string_view cursor = cursor_of(line.text); !cursor.empty()) {
    end_entry(batch);
    begun_ = true;
    times_ = {cursor_number(cursor, ";t="), cursor_number(cursor, ";m="), {}, {}};
  } else if (begun_ && leading_blanks(line.text) == indent) {
    take_field(line);
  } else if (begun_ && message_indent_ > 0 && leading_blanks(line.text) >= message_indent_) {
    if (message_.size() == most_lines) {
      ++context_.account.records;
      context_.skip("long-record");
      context_.diagnose(line.number, "long-record", "the rest of a message of more than 10,000 lines was skipped");
      return;
    }
    message_.push_back({std::string(line.text.substr(message_indent_, max_record)), line.number, line.offset + message_indent_});
  } else if (!begun_ || leading_blanks(line.text) < indent) {
    if (line.text.empty() || line.text.starts_with("-- ")) return;   // "-- Boot 24fe... --"
    ++context_.account.records;
    context_.skip("bad-record");
    context_.diagnose(line.number, "bad-record", "a line belongs to no entry");
  }
}

void VerboseReader::take_field(const LineBlocks::Line& line) {
  constexpr std::string_view message = "MESSAGE=";
  const std::string_view field = line.text.substr(indent);
  message_indent_ = 0;
  if (field.starts_with(message)) {
    const std::string_view value = field.substr(message.size());
    blob_ = value.starts_with('[') && value.ends_with("B blob data]");
    if (blob_) return;
    message_indent_ = indent + message.size();
    message_.push_back({std::string(value), line.number, line.offset + message_indent_});
  } else if (field.starts_with("_SOURCE_")) {
    const std::size_t equals = std::min(field.find('='), field.size() - 1);
    times_.set(field.substr(0, equals), [&] { return whole_number(field.substr(equals + 1)); });
  } else if (entry_.size() < largest_entry) {
    entry_.append(field) += '\n';
  }
}

void VerboseReader::end_entry(Batch& batch) {
  if (begun_ && message_.empty()) {
    ++context_.account.records;
    context_.skip(blob_ ? "blob-message" : "no-message");
  }
  if (!message_.empty()) {
    batch.stamps.push_back(journal_stamp(times_));
    entries_.push_back(entry_);
  }
  for (const MessageLine& message : message_) {
    ++context_.account.records;
    if (message.text.empty()) {
      context_.skip("empty-message");
      continue;
    }
    Record record;
    record.begin = static_cast<std::uint32_t>(text_.size());
    record.length = append_journal_message(text_, message.text);
    record.stamp = static_cast<std::uint32_t>(batch.stamps.size() - 1);
    record.aux = static_cast<std::uint32_t>(entries_.size() - 1);
    record.line = message.line;
    record.offset = message.offset;
    record.raw_length = message.text.size();
    batch.records.push_back(record);
  }
  entry_.clear();
  message_.clear();
  message_indent_ = 0;
  begun_ = blob_ = false;
}

Stamp VerboseReader::parse(const Batch& batch, const Record& record, Event& event) const {
  JournalFields fields;
  std::string_view rest = entries_[record.aux];
  while (!rest.empty()) {
    const std::string_view field = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(field.size() + 1);
    if (const auto equals = field.find('='); equals != field.npos) fields.set(field.substr(0, equals), field.substr(equals + 1));
  }
  journal_event(fields, event);
  event.where = {context_.index, record.line, record.offset, record.raw_length};
  read_journal_message(batch.text.substr(record.begin, record.length), event);
  return batch.stamps[record.stamp];
}

}  // namespace

int sniff_journal_verbose(std::string_view, std::string_view head) {
  for (int lines = 0; !head.empty() && lines < 3; ++lines) {
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    if (!cursor_of(line).empty()) return head.starts_with("    ") ? 97 : 30;
  }
  return 0;
}

std::unique_ptr<Reader> open_journal_verbose(ByteSource& bytes, SourceContext& context) {
  return std::make_unique<VerboseReader>(bytes, context);
}

}  // namespace forensics
