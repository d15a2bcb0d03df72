// Labels may hold secrets and look like other attributes: only known names are kept, and a name that comes with two
// values is not believed.
#include "read/engine_event.h"

#include <algorithm>
#include <array>

#include "read/journal_fields.h"
#include "read/loose_json.h"
#include "read/rfc3339.h"

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

/// Before 1.10: `<id>: (from image:tag) die`
bool parse_old_text(std::string_view line, std::string_view rest, EngineEvent& event) {
  const std::size_t id_end = rest.find(": (from ");
  const std::size_t close = rest.find(") ");
  if (id_end == rest.npos || close == rest.npos || close < id_end + 8 || !hex_id(rest.substr(0, id_end))) return false;
  event.id = rest.substr(0, id_end);
  event.type = "container";
  keep(event, "image", rest.substr(id_end + 8, close - id_end - 8));
  event.action = short_action(rest.substr(close + 2));
  event.quoted = line.size();
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

}  // namespace

bool parse_event_text(std::string_view line, EngineEvent& event) {
  std::size_t at = 0;
  const auto stamp = leading_stamp(line, at);
  if (!stamp || at + 1 >= line.size()) return false;
  event.stamp = *stamp;
  std::string_view rest = line.substr(at + 1);
  const std::size_t type_end = std::min(rest.find(' '), rest.size());
  event.type = rest.substr(0, type_end);
  if (event.type.ends_with(':')) return parse_old_text(line, rest, event);
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

bool parse_event_json(std::string_view line, EngineEvent& event, bool& cut) {
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

std::string event_message(const EngineEvent& event) {
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

}  // namespace forensics
