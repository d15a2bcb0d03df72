// container-log-json: what Docker's json-file driver writes, /var/lib/docker/containers/<id>/<id>-json.log.
//
//   {"log":"worker: loading\n","stream":"stdout","attrs":{"a":"b"},"time":"2026-11-30T22:45:14.077250693Z"}
//
// A container can print anything, so nothing in it is trusted. After a power cut there are NULs, and half lines.
#include "read/line_blocks.h"
#include "read/loose_json.h"
#include "read/message_text.h"
#include "read/rfc3339.h"
#include "read/state_readers.h"

namespace forensics {
namespace {

constexpr std::string_view opening = "{\"log\":\"";

struct LogLine {
  std::string_view log, stream, time;   ///< raw
};

/// Up to the quote that ends the string; npos if there is none.
std::size_t string_end(std::string_view text) {
  std::size_t at = text.find('"');
  while (at != text.npos) {
    std::size_t backslashes = 0;
    while (backslashes < at && text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at;
    at = text.find('"', at + 1);
  }
  return at;
}

std::string_view string_behind(std::string_view text, std::string_view key) {
  const auto at = text.rfind(key);
  if (at == text.npos) return {};
  text.remove_prefix(at + key.size());
  const auto end = string_end(text);
  return end == text.npos ? std::string_view{} : text.substr(0, end);
}

bool parse_line(std::string_view line, LogLine& out) {
  if (!line.starts_with(opening) || !line.ends_with('}')) return false;
  line.remove_prefix(opening.size());
  const auto end = string_end(line);
  if (end == line.npos) return false;
  out.log = line.substr(0, end);
  const std::string_view rest = line.substr(end);
  out.stream = string_behind(rest, "\"stream\":\"");
  out.time = string_behind(rest, "\"time\":\"");
  return true;
}

/// 64 hex digits in the source's name.
std::string id_in(std::string_view name) {
  std::size_t run = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    run = (name[i] >= '0' && name[i] <= '9') || (name[i] >= 'a' && name[i] <= 'f') ? run + 1 : 0;
    if (run == 64) return std::string(name.substr(i - 63, 64));
  }
  return {};
}

class ContainerLogReader final : public Reader {
 public:
  ContainerLogReader(ByteSource& bytes, SourceContext& context)
      : blocks_(bytes, context, 1024 * 1024), context_(context), id_(id_in(context.account.name)) {}

  bool next(Batch& batch) override {
    text_.clear();
    while (batch.records.empty() && blocks_.next_block()) {
      last_time_ = {};
      LineBlocks::Line line;
      while (blocks_.next_line(line)) add(batch, line);
    }
    batch.text = text_;
    return !batch.records.empty();
  }

  Stamp parse(const Batch& batch, const Record& record, Event& event) const override {
    quote_message(context_, batch, record, event);
    event.trust = Trust::claimed;
    event.container_id = id_;
    if (record.aux > 0) event.fields["stream"] = record.aux == 1 ? "stdout" : "stderr";
    return batch.stamps[record.stamp];
  }

 private:
  void add(Batch& batch, const LineBlocks::Line& line);
  void add_message(Batch& batch, const LineBlocks::Line& line, const LogLine& log, std::string_view raw);
  void skip(const LineBlocks::Line& line);

  LineBlocks blocks_;
  SourceContext& context_;
  std::string id_, text_;
  std::string_view last_time_;
};

void ContainerLogReader::add(Batch& batch, const LineBlocks::Line& line) {
  LogLine log;
  if (!parse_line(line.text, log)) {
    skip(line);
    return;
  }
  if (log.time != last_time_ || batch.stamps.size() == 1) {
    batch.stamps.push_back(parse_rfc3339(log.time).value_or(Stamp{}));
    last_time_ = log.time;
  }
  for (const std::string_view raw : escaped_lines(log.log)) add_message(batch, line, log, raw);
}

void ContainerLogReader::add_message(Batch& batch, const LineBlocks::Line& line, const LogLine& log, std::string_view raw) {
  ++context_.account.records;
  if (raw.empty()) {
    context_.skip("empty-message");
    return;
  }
  if (raw.size() > max_record) context_.diagnose(line.number, "long-line", "the rest of a long message was skipped");
  raw = raw.substr(0, max_record);
  Record record;
  record.begin = static_cast<std::uint32_t>(text_.size());
  record.length = append_message(text_, raw.find('\\') == raw.npos ? raw : std::string_view(unescape_json(raw)));
  record.stamp = static_cast<std::uint32_t>(batch.stamps.size() - 1);
  record.aux = log.stream == "stdout" ? 1 : log.stream == "stderr" ? 2 : 0;
  record.line = line.number;
  record.offset = line.offset + static_cast<std::uint64_t>(raw.data() - line.text.data());
  record.raw_length = raw.size();
  batch.records.push_back(record);
}

void ContainerLogReader::skip(const LineBlocks::Line& line) {
  ++context_.account.records;
  if (line.text.find_first_not_of(std::string_view(" \t\0", 3)) == line.text.npos) {
    context_.skip("blank");
  } else if (!line.whole) {
    context_.diagnose(line.number, "truncated-record", "the last line is cut off");
    context_.skip("truncated-record");
  } else {
    context_.diagnose(line.number, "bad-record", "a line is no record of a container's log");
    context_.skip("bad-record");
  }
}

}  // namespace

int sniff_container_log_json(std::string_view, std::string_view head) {
  const auto start = head.find(opening);
  if (start == head.npos) return 0;
  const auto line = head.substr(start, head.find('\n', start) - start);
  const bool certain = line.find("\"stream\":\"") != line.npos && line.find("\"time\":\"") != line.npos;
  if (start == 0 || head[start - 1] == '\0') return certain ? 96 : 60;
  return certain && head[start - 1] == '\n' ? 85 : 0;
}

std::unique_ptr<Reader> open_container_log_json(ByteSource& bytes, SourceContext& context) {
  return std::make_unique<ContainerLogReader>(bytes, context);
}

}  // namespace forensics
