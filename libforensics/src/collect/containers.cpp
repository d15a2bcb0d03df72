#include "collect/containers.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "read/rfc3339.h"

namespace forensics {

namespace {

using Json = nlohmann::json;

std::string text_of(const Json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

Json parsed(std::string_view json) { return Json::parse(json, nullptr, false); }

bool hex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == text.npos; }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t longest = 128;
  a = a.substr(0, longest);
  b = b.substr(0, longest);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

ListedContainer listed(const Json& item) {
  ListedContainer container;
  container.id = text_of(item, "Id");
  container.image = text_of(item, "Image");
  if (const auto labels = item.find("Labels"); labels != item.end())
    for (const char* key : {"com.docker.compose.service", "io.podman.compose.service"})
      if (container.service.empty()) container.service = text_of(*labels, key);
  const auto names = item.find("Names");
  if (names == item.end() || !names->is_array()) return container;
  for (const Json& name : *names) {
    if (!name.is_string()) continue;
    std::string text = name.get<std::string>();
    if (text.starts_with('/')) text.erase(0, 1);
    if (text.find('/') == text.npos) container.names.push_back(std::move(text));   // else a link's name
  }
  return container;
}

std::optional<RealTime> time_of(const Json& object, const char* key) {
  return moment(parse_rfc3339(text_of(object, key)));   // engines print the year 1 for "never"
}

}  // namespace

std::optional<std::vector<ListedContainer>> listed_containers(std::string_view json) {
  const Json list = parsed(json);
  if (!list.is_array()) return {};
  std::vector<ListedContainer> all;
  for (const Json& item : list)
    if (item.is_object()) all.push_back(listed(item));
  return all;
}

std::vector<ListedContainer> containers_called(std::string_view asked, const std::vector<ListedContainer>& all) {
  std::vector<ListedContainer> found;
  const auto take = [&](auto matches) {
    if (found.empty()) std::copy_if(all.begin(), all.end(), std::back_inserter(found), matches);
  };
  take([&](const ListedContainer& c) { return std::find(c.names.begin(), c.names.end(), asked) != c.names.end(); });
  take([&](const ListedContainer& c) { return !asked.empty() && c.service == asked; });
  if (asked.size() >= 4 && hex(asked)) take([&](const ListedContainer& c) { return c.id.starts_with(asked); });
  return found;
}

std::vector<std::string> nearest_names(std::string_view asked, const std::vector<ListedContainer>& all, std::size_t most) {
  std::vector<std::pair<std::size_t, std::string>> names;
  for (const ListedContainer& c : all) {
    names.emplace_back(edit_distance(asked, c.name()), c.name());
    if (!c.service.empty() && c.service != c.name()) names.emplace_back(edit_distance(asked, c.service), c.service);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::string> nearest;
  for (const auto& [distance, name] : names)
    if (nearest.size() < most) nearest.push_back(name);
  return nearest;
}

std::optional<LastRun> last_run(std::string_view inspect_json) {
  const Json root = parsed(inspect_json);
  if (!root.is_object() || text_of(root, "Id").empty()) return {};
  LastRun run;
  run.id = text_of(root, "Id");
  run.name = text_of(root, "Name");
  if (run.name.starts_with('/')) run.name.erase(0, 1);
  if (const auto state = root.find("State"); state != root.end()) run.since = time_of(*state, "StartedAt");
  if (!run.since) run.since = time_of(root, "Created");
  if (const auto config = root.find("Config"); config != root.end() && config->is_object())
    if (const auto tty = config->find("Tty"); tty != config->end() && tty->is_boolean()) run.terminal = tty->get<bool>();
  return run;
}

std::string id_in_events(std::string_view json_lines) {
  std::string id;
  while (!json_lines.empty()) {
    const std::size_t end = std::min(json_lines.find('\n'), json_lines.size());
    const Json event = parsed(json_lines.substr(0, end));
    json_lines.remove_prefix(std::min(end + 1, json_lines.size()));
    if (!event.is_object()) continue;
    std::string found = text_of(event, "id");
    if (const auto actor = event.find("Actor"); actor != event.end() && found.empty()) found = text_of(*actor, "ID");
    if (found.size() >= 12 && hex(found)) id = std::move(found);
  }
  return id;
}

}  // namespace forensics
