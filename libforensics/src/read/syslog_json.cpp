// syslog-json: one flat object a line, as rsyslog's %jsonmesg% and the templates for collectors write it.
//
//   { "msg": " Out of memory: ...", "timereported": "2026-11-30T23:03:45.635162+00:00", "hostname": "pi",
//     "syslogtag": "kernel:", "pri": "3", "syslogfacility": "0", "syslogseverity": "3", "app-name": "kernel", ... }
//   {"@timestamp":"2026-11-30T23:03:45.635162+00:00","host":"pi","severity":"err","facility":"kern","tag":"kernel:",
//    "message":" Out of memory: ..."}
//
// The keys are those of rsyslog's properties and of the templates in circulation; all others are ignored.
#include "read/syslog_json.h"

#include <array>

#include "read/flat_json.h"
#include "read/journal_fields.h"
#include "read/journal_message.h"
#include "read/line_blocks.h"
#include "read/line_message.h"
#include "read/loose_json.h"
#include "read/message_text.h"
#include "read/rfc3339.h"
#include "read/tagged_event.h"
#include "read/time_parse.h"

namespace forensics {
namespace {

enum class Key : std::uint8_t { none, message, time, received, host, tag, program, pid, severity, facility, priority };

Key key_of(std::string_view name) {
  struct Name {
    std::string_view name;
    Key key;
  };
  constexpr std::array names = {Name{"msg", Key::message},
                                Name{"message", Key::message},
                                Name{"MESSAGE", Key::message},
                                Name{"timereported", Key::time},
                                Name{"@timestamp", Key::time},
                                Name{"timestamp", Key::time},
                                Name{"time", Key::time},
                                Name{"ISODATE", Key::time},
                                Name{"DATE", Key::time},
                                Name{"timegenerated", Key::received},
                                Name{"hostname", Key::host},
                                Name{"host", Key::host},
                                Name{"HOST", Key::host},
                                Name{"syslogtag", Key::tag},
                                Name{"tag", Key::tag},
                                Name{"app-name", Key::program},
                                Name{"programname", Key::program},
                                Name{"program", Key::program},
                                Name{"PROGRAM", Key::program},
                                Name{"ident", Key::program},
                                Name{"procid", Key::pid},
                                Name{"pid", Key::pid},
                                Name{"PID", Key::pid},
                                Name{"syslogseverity", Key::severity},
                                Name{"severity", Key::severity},
                                Name{"PRIORITY", Key::severity},
                                Name{"syslogseverity-text", Key::severity},
                                Name{"level", Key::severity},
                                Name{"syslogfacility", Key::facility},
                                Name{"facility", Key::facility},
                                Name{"FACILITY", Key::facility},
                                Name{"syslogfacility-text", Key::facility},
                                Name{"pri", Key::priority}};
  for (const Name& n : names)
    if (n.name == name) return n.key;
  return Key::none;
}

std::string text_of(std::string_view value) {
  if (value == "null") return {};
  const bool quoted = value.size() >= 2 && value.front() == '"';
  return quoted ? unescape_json(value.substr(1, value.size() - 2)) : std::string(value);
}

/// "0" or "kern"; "3" or "err".
template <typename Words>
std::optional<int> number_or_word(const std::string& text, int most, Words word_of) {
  const auto number = whole_number(text);
  if (!number) return word_of(text);
  return *number >= 0 && *number <= most ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

/// The fields of one record; the prefix refers to them.
struct Fields {
  std::string host, tag, program, pid;
  LinePrefix prefix;

  void set(Key key, std::string text) {
    switch (key) {
      case Key::host:
        host = std::move(text);
        break;
      case Key::tag:
        tag = std::move(text);
        break;
      case Key::program:
        program = std::move(text);
        break;
      case Key::pid:
        pid = std::move(text);
        break;
      case Key::severity:
        prefix.severity = number_or_word(text, 7, severity_of);
        break;
      case Key::facility:
        prefix.facility = number_or_word(text, 23, facility_of);
        break;
      case Key::priority:
        if (const auto number = whole_number(text); number && *number >= 0 && *number <= 191)
          prefix.severity = static_cast<int>(*number & 7), prefix.facility = static_cast<int>(*number >> 3);
        break;
      default:
        break;
    }
  }

  void finish() {
    prefix.host = host;
    prefix.wire_priority = prefix.facility.has_value();
    std::string_view rest = tag;
    if (!take_tag(rest, prefix.identifier, prefix.pid)) prefix.identifier = tag;
    if (!program.empty() && program != "-") prefix.identifier = program;
    if (const auto number = whole_number(pid); number && *number >= 0) prefix.pid = number;
  }
};

class SyslogJsonReader final : public Reader {
 public:
  SyslogJsonReader(ByteSource& bytes, SourceContext& context)
      : blocks_(bytes, context, 1024 * 1024), context_(context) {}

  bool next(Batch& batch) override {
    text_.clear();
    lines_.clear();
    while (batch.records.empty() && blocks_.next_block()) {
      LineBlocks::Line line;
      while (blocks_.next_line(line)) add(batch, line);
    }
    batch.text = text_;
    return !batch.records.empty();
  }

  Stamp parse(const Batch& batch, const Record& record, Event& event) const override {
    Fields fields;
    each_flat_field(lines_[record.aux], [&](std::string_view name, std::string_view value) {
      if (const Key key = key_of(name); key > Key::received) fields.set(key, text_of(value));
    });
    fields.finish();
    const std::string_view whole = batch.text.substr(record.begin, record.length);
    const std::string_view message = whole.substr(0, whole.find('\n'));
    fields.prefix.rest = message;
    const auto inner = describe_tagged(fields.prefix, event);
    event.where = {context_.index, record.line, record.offset, record.raw_length};
    event.text = show(message);
    Stamp stamp = batch.stamps[record.stamp];
    if (inner) stamp.monotonic = inner;
    return stamp;
  }

 private:
  void add(Batch& batch, const LineBlocks::Line& line);
  void add_message(Batch& batch, const LineBlocks::Line& line, std::string_view raw);
  void skip(const LineBlocks::Line& line);

  LineBlocks blocks_;
  SourceContext& context_;
  std::string text_;
  std::vector<std::string_view> lines_;  // of the batch that have a record
};

void SyslogJsonReader::add(Batch& batch, const LineBlocks::Line& line) {
  std::string_view object = line.text, message, time, received;
  object = object.substr(std::min(object.find_first_not_of(" \t,["), object.size()));
  object = object.substr(0, object.find_last_not_of(" \t,]") + 1);
  const bool whole = each_flat_field(object, [&](std::string_view name, std::string_view value) {
    const Key key = key_of(name);
    if (key == Key::message && message.empty()) message = value;
    if (key == Key::time && time.empty()) time = value;
    if (key == Key::received) received = value;
  });
  if (!whole) return skip(line);
  if (message.size() < 2 || message.front() != '"') {
    ++context_.account.records;
    return context_.skip("no-message");
  }
  batch.stamps.push_back(parse_rfc3339(text_of(time.empty() ? received : time)).value_or(Stamp{}));
  lines_.push_back(object);
  for (const std::string_view raw : escaped_lines(message.substr(1, message.size() - 2))) add_message(batch, line, raw);
}

void SyslogJsonReader::add_message(Batch& batch, const LineBlocks::Line& line, std::string_view raw) {
  ++context_.account.records;
  if (raw.empty()) return context_.skip("empty-message");
  if (raw.size() > max_record) context_.diagnose(line.number, "long-line", "the rest of a long message was skipped");
  raw = raw.substr(0, max_record);
  std::string message = without_octal_escapes(unescape_json(raw));
  std::string_view text = message;
  take_char(text, ' ');  // of RFC 3164, behind the tag
  Record record;
  record.begin = static_cast<std::uint32_t>(text_.size());
  record.length = append_journal_message(text_, text);
  record.stamp = static_cast<std::uint32_t>(batch.stamps.size() - 1);
  record.aux = static_cast<std::uint32_t>(lines_.size() - 1);
  record.line = line.number;
  record.offset = line.offset + static_cast<std::uint64_t>(raw.data() - line.text.data());
  record.raw_length = raw.size();
  batch.records.push_back(record);
}

void SyslogJsonReader::skip(const LineBlocks::Line& line) {
  ++context_.account.records;
  if (line.text.find_first_not_of(std::string_view(" \t[],\0", 6)) == line.text.npos) return context_.skip("blank");
  const std::string_view code = line.whole ? "bad-record" : "truncated-record";
  context_.diagnose(line.number, code, line.whole ? "a line is no record of a log" : "the last line is cut off");
  context_.skip(code);
}

}  // namespace

/// An object with a message, a time, and who said it, on one of the first lines.
int sniff_syslog_json(std::string_view, std::string_view head) {
  const auto start = head.find_first_not_of(" \t\r\n");
  if (start == head.npos || head[start] != '{') return 0;
  std::string_view line = head.substr(start, head.find('\n', start) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  line = line.substr(0, line.find_last_not_of(' ') + 1);
  bool message = false, time = false, program = false;
  const bool whole = each_flat_field(line, [&](std::string_view name, std::string_view) {
    const Key key = key_of(name);
    message |= key == Key::message;
    time |= key == Key::time || key == Key::received;
    program |= key == Key::tag || key == Key::program;
  });
  return whole && message && time && program ? 80 : 0;
}

std::unique_ptr<Reader> open_syslog_json(ByteSource& bytes, SourceContext& context) {
  return std::make_unique<SyslogJsonReader>(bytes, context);
}

}  // namespace forensics
