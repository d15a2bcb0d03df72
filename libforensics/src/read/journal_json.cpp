// journal-json: `journalctl -o json`, `json-pretty`, `json-seq` and `json-sse`.
//
//   {"MESSAGE":"Out of memory: ...","_TRANSPORT":"kernel","__REALTIME_TIMESTAMP":"1796081085098512", ...}
//   {                                     json-pretty: keys one a line, "}" alone
//           "MESSAGE" : [ 27, 91, 51 ],   bytes that are no text
//           "TAG" : [ "a", "b" ],         a repeated field
//           "COREDUMP" : null             too long to be shown
//   }
//   <RS>{...}                             json-seq: 0x1e in front
//   data: {...}                           json-sse
//
// Documents are found by lines, which a JSON string cannot hold, so one that is broken costs only itself. An entry is a
// flat object of strings: hopping from quote to quote is faster than building an index of it first.
#include <algorithm>
#include <iterator>

#include "read/flat_json.h"
#include "read/journal_fields.h"
#include "read/journal_message.h"
#include "read/journal_readers.h"
#include "read/line_blocks.h"
#include "read/loose_json.h"
#include "read/message_text.h"

namespace forensics {
namespace {

constexpr std::size_t longest_document = 4 * 1024 * 1024;

class JsonReader final : public Reader {
 public:
  JsonReader(ByteSource& bytes, SourceContext& context) : blocks_(bytes, context, longest_document), context_(context) {}

  bool next(Batch& batch) override;
  Stamp parse(const Batch& batch, const Record& record, Event& event) const override;

 private:
  struct Document {
    std::string_view text;
    std::uint64_t line = 0, offset = 0;
  };

  void add_line(Batch& batch, const LineBlocks::Line& line);
  void add_document(Batch& batch, const Document& document);
  void add_value(Batch& batch, const Document& document, const FlatValue& value);
  void add_message(Batch& batch, const Document& document, std::string_view message, std::string_view raw);
  void bad(const Document& document, bool cut);
  LineBlocks blocks_;
  SourceContext& context_;
  std::vector<Document> documents_;
  std::vector<FlatValue> values_, messages_;
  Document open_;               // json-pretty: begun
  std::string text_;
  bool started_ = false, pretty_ = false;
};

bool JsonReader::next(Batch& batch) {
  documents_.clear();
  text_.clear();
  if (!started_) {
    started_ = true;
    const std::string_view head = blocks_.peek();
    const auto first = head.find_first_not_of(" \t\r\n");
    const auto line = first == head.npos ? head : head.substr(first, head.find('\n', first) - first);
    pretty_ = line == "{" || line == "{\r" || line.starts_with('"');
    if (pretty_) blocks_.keep_together(line.ends_with('\r') ? "\n}\r\n" : "\n}\n");
  }
  while (batch.records.empty() && blocks_.next_block()) {
    LineBlocks::Line line;
    while (blocks_.next_line(line)) add_line(batch, line);
    if (!open_.text.empty()) bad(open_, true);   // blocks end with documents: the source ended inside this one
    open_ = {};
  }
  batch.text = text_;
  return !batch.records.empty();
}

void JsonReader::add_line(Batch& batch, const LineBlocks::Line& line) {
  std::string_view text = line.text;
  if (pretty_) {
    if (text == "{") {
      if (!open_.text.empty()) bad(open_, true);
      open_ = {text, line.number, line.offset};
    } else if (!open_.text.empty()) {
      const auto size = static_cast<std::size_t>(text.data() + text.size() - open_.text.data());
      open_.text = {open_.text.data(), size};
      if (text != "}") return;
      add_document(batch, open_);
      open_ = {};
    } else if (text == "}") {
      bad({text, line.number, line.offset}, true);   // its front is cut off
    }
    return;
  }
  const auto start = text.find_first_not_of("\x1e \t");
  if (start == text.npos) return;
  text.remove_prefix(start);
  if (text.starts_with("data:")) {
    text.remove_prefix(5);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  const Document document{text, line.number, line.offset + static_cast<std::uint64_t>(text.data() - line.text.data())};
  if (!text.starts_with('{') || !text.ends_with('}')) {
    bad(document, !line.whole || line.number == 1);
    return;
  }
  add_document(batch, document);
}

void JsonReader::bad(const Document& document, bool cut) {
  ++context_.account.records;
  const std::string_view code = cut ? "truncated-record" : "bad-record";
  context_.diagnose(document.line, code, cut ? "an entry is cut off" : "a line is no entry of a journal");
  context_.skip(code);
}

std::optional<std::int64_t> number_in(std::string_view value) {
  const bool quoted = value.size() >= 2 && value.starts_with('"');
  return whole_number(quoted ? value.substr(1, value.size() - 2) : value);
}

void JsonReader::add_document(Batch& batch, const Document& document) {
  JournalTimes times;
  bool named = false;
  messages_.clear();
  const bool good = each_flat_field(document.text, [&](std::string_view name, std::string_view rest) {
    if (name == "MESSAGE") {
      read_flat_values(rest, values_);
      std::move(values_.begin(), values_.end(), std::back_inserter(messages_));
      named = true;
    } else if (name.starts_with('_')) {
      times.set(name, [&] { return number_in(rest); });
    }
  });
  const bool torn = std::any_of(messages_.begin(), messages_.end(), [](const FlatValue& value) {
    return value.is_string && value.raw.find('\n') != value.raw.npos;   // a JSON string has no line's end in it
  });
  if (!good || torn) {
    bad(document, false);
    return;
  }
  if (messages_.empty()) {
    ++context_.account.records;
    context_.skip(named ? "null-message" : "no-message");
    return;
  }
  batch.stamps.push_back(journal_stamp(times));
  documents_.push_back(document);
  for (const FlatValue& value : messages_) add_value(batch, document, value);
}

/// A record for each line of a message.
void JsonReader::add_value(Batch& batch, const Document& document, const FlatValue& value) {
  if (value.is_string) {
    for (const std::string_view raw : escaped_lines(value.raw)) {
      if (raw.find('\\') == raw.npos) {
        add_message(batch, document, raw, raw);
      } else {
        add_message(batch, document, unescape_json(raw), raw);
      }
    }
    return;
  }
  std::string_view rest = value.bytes;
  do {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    add_message(batch, document, rest.substr(0, end), value.raw);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  } while (!rest.empty());
}

void JsonReader::add_message(Batch& batch, const Document& document, std::string_view message, std::string_view raw) {
  ++context_.account.records;
  if (message.empty()) {
    context_.skip("empty-message");
    return;
  }
  const std::uint64_t before = pretty_ ? static_cast<std::uint64_t>(std::count(document.text.data(), raw.data(), '\n')) : 0;
  if (message.size() > max_record)
    context_.diagnose(document.line + before, "long-line", "the rest of a long message was skipped");
  Record record;
  record.begin = static_cast<std::uint32_t>(text_.size());
  record.length = append_journal_message(text_, message.substr(0, max_record));
  record.stamp = static_cast<std::uint32_t>(batch.stamps.size() - 1);
  record.aux = static_cast<std::uint32_t>(documents_.size() - 1);
  record.line = document.line + before;
  record.offset = document.offset + static_cast<std::uint64_t>(raw.data() - document.text.data());
  record.raw_length = raw.size();
  batch.records.push_back(record);
}

Stamp JsonReader::parse(const Batch& batch, const Record& record, Event& event) const {
  JournalFields fields;
  std::vector<FlatValue> values;
  each_flat_field(documents_[record.aux].text, [&](std::string_view name, std::string_view rest) {
    if (!JournalFields::wants(name)) return;
    read_flat_values(rest, values);
    if (!values.empty()) fields.set(name, decoded(values.front()));
  });
  journal_event(fields, event);
  event.where = {context_.index, record.line, record.offset, record.raw_length};
  read_journal_message(batch.text.substr(record.begin, record.length), event);
  return batch.stamps[record.stamp];
}

}  // namespace

/// An object whose keys are the journal's own.
int sniff_journal_json(std::string_view, std::string_view head) {
  const auto start = head.find_first_not_of(" \t\r\n\x1e");
  if (start == head.npos) return 0;
  head.remove_prefix(start);
  const bool object = head.starts_with('{') || head.starts_with("data:") || head.starts_with('"');
  const bool address = head.find("\"__REALTIME_TIMESTAMP\"") != head.npos || head.find("\"__CURSOR\"") != head.npos;
  const bool ours = head.find("\"MESSAGE\"") != head.npos && head.find("\"_TRANSPORT\"") != head.npos;
  if (!object || !(address || ours)) return 0;
  return address ? 96 : 70;
}

std::unique_ptr<Reader> open_journal_json(ByteSource& bytes, SourceContext& context) {
  return std::make_unique<JsonReader>(bytes, context);
}

}  // namespace forensics
