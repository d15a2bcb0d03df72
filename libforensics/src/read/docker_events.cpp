// docker-events: what `docker events` and `podman events` print, as text or as JSON lines.
//
//   2021-02-17T09:36:00.042318605-05:00 container die 28c2... (exitCode=137, image=web:1, name=web, some.label=a, b=c)
//   2023-01-02 03:04:05.123456789 +0100 CET container died a7b7... (image=web:1, name=web)
//   {"status":"die","id":"a7b7...","from":"web:1","Type":"container","Action":"die","Actor":{"ID":"a7b7...",
//    "Attributes":{"exitCode":"137",...}},"time":1796078711,"timeNano":1796078711132695314}
//   {"ContainerExitCode":137,"ID":"a7b7...","Image":"web:1","Name":"web","Status":"died","Type":"container","time":..}
//
// All become `container die <id> (exitCode=137, image=web:1, name=web)`. Labels may hold secrets and look like other
// attributes: only known names are kept, and a name that comes with two values is not believed.
#include <algorithm>
#include <array>

#include "read/journal_fields.h"
#include "read/line_blocks.h"
#include "read/loose_json.h"
#include "read/message_text.h"
#include "read/rfc3339.h"
#include "read/state_readers.h"

namespace forensics {
namespace {

/// Attributes that are kept, sorted.
constexpr std::array<std::string_view, 12> kept = {"com.docker.compose.service", "com.docker.swarm.service.name",
                                                   "container", "execDuration", "exitCode", "image",
                                                   "io.kubernetes.container.name", "io.kubernetes.pod.name",
                                                   "io.kubernetes.pod.namespace", "name", "signal", "type"};
constexpr std::array<std::string_view, 12> types = {"container", "image",  "network", "volume", "daemon", "plugin",
                                                    "service",   "secret", "node",    "config", "builder", "pod"};

bool is_kept(std::string_view key) { return std::binary_search(kept.begin(), kept.end(), key); }

/// Labels that engines and orchestrators write themselves, so they may be quoted.
bool harmless(std::string_view key) {
  return is_kept(key) || key.starts_with("annotation.io.") || key.starts_with("io.kubernetes.") ||
         key.starts_with("com.docker.compose.") || key.starts_with("com.docker.swarm.");
}

/// One event, whatever it was printed as.
struct EngineEvent {
  Stamp stamp;
  std::string type, action, id;
  std::map<std::string, std::string, std::less<>> attributes;
  std::size_t quoted = 0;   ///< bytes of the line that may be shown
};

bool hex_id(std::string_view id) {
  return id.size() >= 12 && id.size() <= 64 &&
         std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

void keep(EngineEvent& event, std::string_view key, std::string_view value) {
  if (!is_kept(key) || value.empty() || value.size() > 512) return;
  const auto [at, fresh] = event.attributes.emplace(key, value);
  if (!fresh && at->second != value) at->second.clear();   // one of them is a label's
}

bool key_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-' || c == '/'; }

/// The length of `key=` at the front, without the '='; 0 if there is none.
std::size_t key_length(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), key_char);
  const auto size = static_cast<std::size_t>(end - text.begin());
  return end != text.end() && *end == '=' ? size : 0;
}

/// `k=v, k=v, ...` where values hold commas and equals signs: a new one starts at ", " with a name and '=' behind it.
void parse_attributes(std::string_view text, std::size_t at, EngineEvent& event) {
  constexpr std::size_t most_shown = 400;
  bool show_more = true;
  while (!text.empty()) {
    const std::size_t name = key_length(text);
    std::size_t end = text.find(", ");
    while (end != text.npos && key_length(text.substr(end + 2)) == 0) end = text.find(", ", end + 2);
    const std::string_view pair = text.substr(0, end);
    const std::string_view key = pair.substr(0, name);
    if (name > 0) keep(event, key, pair.substr(name + 1));
    show_more = show_more && harmless(key);
    if (show_more && is_kept(key) && at + pair.size() <= most_shown) event.quoted = at + pair.size();
    if (end == text.npos) break;
    at += end + 2;
    text.remove_prefix(end + 2);
  }
}

/// The stamp at the front and where it ends: one word, or podman's four.
std::optional<Stamp> leading_stamp(std::string_view line, std::size_t& length) {
  length = line.find(' ');
  if (length == line.npos) return std::nullopt;
  if (auto stamp = parse_rfc3339(line.substr(0, length))) return stamp;
  for (int word = 2; word <= 4 && length != line.npos; ++word) {
    length = line.find(' ', length + 1);
    if (word < 3) continue;
    if (length == line.npos) break;
    const auto stamp = parse_rfc3339(line.substr(0, length));
    if (!stamp) continue;
    const std::size_t zone = line.find(' ', length + 1);   // "+0100 CET"
    const bool named = zone != line.npos && std::isupper(static_cast<unsigned char>(line[length + 1]));
    if (named) length = zone;
    return stamp;
  }
  return std::nullopt;
}

std::string_view short_action(std::string_view action) {
  if (action == "died") return "die";
  if (action.starts_with("exec_")) return action.substr(0, action.find(':'));   // a command line follows
  return action;
}

bool parse_text(std::string_view line, EngineEvent& event) {
  std::size_t at = 0;
  const auto stamp = leading_stamp(line, at);
  if (!stamp || at + 1 >= line.size()) return false;
  event.stamp = *stamp;
  std::string_view rest = line.substr(at + 1);
  const std::size_t type_end = std::min(rest.find(' '), rest.size());
  event.type = rest.substr(0, type_end);
  if (event.type.ends_with(':') && hex_id(std::string_view(event.type).substr(0, event.type.size() - 1))) {
    // Before 1.10: <id>: (from image:tag) die
    const std::size_t close = rest.find(") ");
    if (close == rest.npos || rest.substr(type_end, 7) != " (from ") return false;
    event.id = event.type.substr(0, event.type.size() - 1);
    event.type = "container";
    keep(event, "image", rest.substr(type_end + 7, close - type_end - 7));
    event.action = short_action(rest.substr(close + 2));
    event.quoted = line.size();
    return true;
  }
  if (std::find(types.begin(), types.end(), event.type) == types.end() || type_end + 1 >= rest.size()) return false;
  rest.remove_prefix(type_end + 1);
  const std::size_t attributes = std::min(rest.find(" ("), rest.size());
  const std::string_view head = rest.substr(0, attributes);
  const std::size_t id_at = head.rfind(' ');
  if (id_at == head.npos) return false;
  event.action = short_action(head.substr(0, id_at));
  event.id = head.substr(id_at + 1);
  const auto begin = static_cast<std::size_t>(rest.data() - line.data());
  event.quoted = begin + attributes;
  if (event.action.size() < id_at && event.action.starts_with("exec_"))
    event.quoted = begin + event.action.size();   // without the command
  if (attributes == rest.size()) return true;
  std::string_view list = rest.substr(attributes + 2);
  if (list.ends_with(')')) list.remove_suffix(1);
  EngineEvent shown = event;
  parse_attributes(list, begin + attributes + 2, event);
  if (event.action.starts_with("exec_")) event.quoted = shown.quoted;
  return true;
}

bool json_key(std::string_view key) {
  constexpr std::array<std::string_view, 17> own = {"Action", "Actor", "Attributes", "ContainerExitCode", "ID", "Image",
                                                    "Name", "Status", "Time", "Type", "from", "health_status", "id",
                                                    "status", "time", "timeNano", "scope"};
  return is_kept(key) || std::find(own.begin(), own.end(), key) != own.end();
}

std::optional<Stamp> json_stamp(const LooseJson& json, std::uint32_t top) {
  Stamp stamp;
  stamp.kind = Stamp::Wall::utc;
  if (const auto nano = whole_number(json.text(top, "timeNano")); nano && *nano > 0) {
    stamp.wall = *nano / 1000;
  } else if (const auto seconds = whole_number(json.text(top, "time")); seconds && *seconds > 0 && *seconds < 1ll << 40) {
    stamp.wall = *seconds * 1'000'000;
    stamp.precision = 1'000'000;
  } else {
    return parse_rfc3339(json.text(top, "Time"));
  }
  return stamp;
}

bool parse_json(std::string_view line, EngineEvent& event, bool& cut) {
  const LooseJson json(line, json_key);
  cut = json.cut();
  const auto top = json[0].first;
  if (top == LooseJson::none || json[top].kind != LooseJson::Kind::object) return false;
  const auto first = [&](std::uint32_t node, std::initializer_list<std::string_view> names) {
    for (const auto name : names)
      if (std::string value = json.text(node, name); !value.empty()) return value;
    return std::string{};
  };
  const auto actor = json.child(top, "Actor");
  event.type = json.text(top, "Type");
  event.action = short_action(first(top, {"Action", "status", "Status"}));
  event.id = actor == LooseJson::none ? std::string{} : json.text(actor, "ID");
  if (event.id.empty()) event.id = first(top, {"id", "ID"});
  if (event.type.empty() && hex_id(event.id)) event.type = "container";   // before 1.10
  if (event.type.empty() || event.action.empty()) return false;
  const auto attributes = json.child(actor == LooseJson::none ? top : actor, "Attributes");
  if (attributes != LooseJson::none)
    for (auto i = json[attributes].first; i != LooseJson::none; i = json[i].next)
      keep(event, json[i].key, json.text(i));
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty() && !event.attributes.contains(key)) keep(event, key, value);
  };
  add("image", first(top, {"from", "Image"}));
  add("name", json.text(top, "Name"));
  if (event.action == "die") add("exitCode", json.text(top, "ContainerExitCode"));
  const auto stamp = json_stamp(json, top);
  if (stamp) event.stamp = *stamp;
  return stamp.has_value();
}

std::string message_of(const EngineEvent& event) {
  std::string out = event.type + ' ' + event.action + ' ' + event.id;
  std::string_view between = " (";
  for (const auto& [key, value] : event.attributes) {
    if (value.empty()) continue;
    out.append(between).append(key) += '=';
    out += value;
    between = ", ";
  }
  if (between == ", ") out += ')';
  for (char& c : out)
    if (c == '\n' || c == '\r') c = ' ';
  return out;
}

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
  if (!(json ? parse_json(text, event, cut) : parse_text(text, event)) || (json && cut)) {
    skip(line, cut);
    return;
  }
  Record record;
  record.begin = static_cast<std::uint32_t>(text_.size());
  record.length = append_message(text_, message_of(event));
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
    if (parse_text(line, event)) return 93;
  }
  return 0;
}

std::unique_ptr<Reader> open_docker_events(ByteSource& bytes, SourceContext& context) {
  return std::make_unique<EventsReader>(bytes, context);
}

}  // namespace forensics
