// docker-events: what `docker events` and `podman events` print, as text or as JSON lines.
//
//   2021-02-17T09:36:00.042318605-05:00 container die 28c2... (exitCode=137, image=web:1, name=web, some.label=a, b=c)
//   2023-01-02 03:04:05.123456789 +0100 CET container died a7b7... (image=web:1, name=web)
//   {"status":"die","id":"a7b7...","from":"web:1","Type":"container","Action":"die","Actor":{"ID":"a7b7...",
//    "Attributes":{"exitCode":"137",...}},"time":1796078711,"timeNano":1796078711132695314}
//   {"ContainerExitCode":137,"ID":"a7b7...","Image":"web:1","Name":"web","Status":"died","Type":"container","time":..}
//
// All become `container die <id> (exitCode=137, image=web:1, name=web)`.
#include <algorithm>

#include "read/engine_event.h"
#include "read/line_blocks.h"
#include "read/message_text.h"
#include "read/state_readers.h"

namespace forensics {
namespace {

class EventsReader final : public Reader {
 public:
  EventsReader(ByteSource& bytes, SourceContext& context) : blocks_(bytes, context), context_(context) {}

  bool next(Batch& batch) override {
    events_.clear();
    text_.clear();
    while (batch.records.empty() && blocks_.next_block()) {
      LineBlocks::Line line;
      while (blocks_.next_line(line)) add(batch, line);
    }
    batch.text = text_;
    return !batch.records.empty();
  }

  Stamp parse(const Batch& batch, const Record& record, Event& event) const override;

 private:
  struct Kept {
    EngineEvent event;
    std::string quotation;
  };
  void add(Batch& batch, const LineBlocks::Line& line);
  void skip(const LineBlocks::Line& line, bool cut);

  LineBlocks blocks_;
  SourceContext& context_;
  std::vector<Kept> events_;
  std::string text_;
};

void EventsReader::add(Batch& batch, const LineBlocks::Line& line) {
  ++context_.account.records;
  const std::size_t start = line.text.find_first_not_of(" \t>");
  if (start == line.text.npos) {
    context_.skip("blank");
    return;
  }
  const std::string_view text = line.text.substr(start);
  EngineEvent event;
  bool cut = !line.whole;
  const bool json = text.starts_with('{');
  if (!(json ? parse_event_json(text, event, cut) : parse_event_text(text, event)) || (json && cut)) {
    skip(line, cut);
    return;
  }
  Record record;
  record.begin = static_cast<std::uint32_t>(text_.size());
  record.length = append_message(text_, event_message(event));
  record.stamp = static_cast<std::uint32_t>(batch.stamps.size());
  record.aux = static_cast<std::uint32_t>(events_.size());
  record.line = line.number;
  record.offset = line.offset + start;
  record.raw_length = json ? text.size() : std::min(event.quoted, text.size());
  batch.stamps.push_back(event.stamp);
  batch.records.push_back(record);
  events_.push_back({std::move(event), json ? std::string{} : std::string(text.substr(0, record.raw_length))});
}

void EventsReader::skip(const LineBlocks::Line& line, bool cut) {
  const bool brace = line.text.find('{') != line.text.npos;
  if (cut && brace) {
    context_.diagnose(line.number, "truncated-record", "an event is cut off");
    context_.skip("truncated-record");
  } else {
    context_.diagnose(line.number, "bad-record", "a line is no event");
    context_.skip("bad-record");
  }
}

Stamp EventsReader::parse(const Batch& batch, const Record& record, Event& event) const {
  const auto& [engine, quotation] = events_[record.aux];
  event.where = {context_.index, record.line, record.offset, record.raw_length};
  event.trust = Trust::daemon;
  event.identifier = "docker-events";
  event.message = batch.text.substr(record.begin, record.length);
  event.text = quotation.empty() ? show(event.message) : show(quotation);
  const auto attribute = [&](std::string_view key) {
    const auto at = engine.attributes.find(key);
    return at == engine.attributes.end() ? std::string{} : at->second;
  };
  if (engine.type == "container") {
    event.container_id = engine.id;
    event.container_name = attribute("name");
  }
  for (const auto& [key, value] : engine.attributes) {
    if (value.empty()) continue;
    std::string lower = key;
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    event.fields[lower] = value;
  }
  return batch.stamps[record.stamp];
}

bool looks_like_json_event(std::string_view line) {
  const auto holds = [&](std::string_view key) { return line.find(key) != line.npos; };
  if (!line.starts_with('{') || !(holds("\"time") || holds("\"Time"))) return false;
  return holds("\"Action\"") || (holds("\"status\"") && holds("\"id\"")) || (holds("\"Status\"") && holds("\"Type\""));
}

}  // namespace

int sniff_docker_events(std::string_view, std::string_view head) {
  int looked_at = 0;
  while (!head.empty() && looked_at < 8) {
    std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t>"), line.size()));
    if (line.empty()) continue;
    ++looked_at;
    EngineEvent event;
    if (looks_like_json_event(line)) return 94;
    if (parse_event_text(line, event)) return 93;
  }
  return 0;
}

std::unique_ptr<Reader> open_docker_events(ByteSource& bytes, SourceContext& context) {
  return std::make_unique<EventsReader>(bytes, context);
}

}  // namespace forensics
