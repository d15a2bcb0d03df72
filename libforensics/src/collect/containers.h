// Which container does the user mean? Over the list that an engine gives. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forensics/event.h"

namespace forensics {

struct ListedContainer {
  std::string id, image, service;          ///< service: of compose; empty: none
  std::vector<std::string> names;          ///< without the leading slash
  std::string name() const { return names.empty() ? id.substr(0, 12) : names.front(); }
};

/// The answer of /containers/json. Empty: not such an answer.
std::optional<std::vector<ListedContainer>> listed_containers(std::string_view json);

/// Those that `asked` names: by exact name, else by compose service, else by the first digits (4 or more) of an id.
std::vector<ListedContainer> containers_called(std::string_view asked, const std::vector<ListedContainer>& all);

/// Up to `most` names that are nearest to `asked` by edit distance, nearest first. All of them may be far.
std::vector<std::string> nearest_names(std::string_view asked, const std::vector<ListedContainer>& all, std::size_t most);

/// What the answer of /containers/ID/json tells about the last run: enough to know where to look.
struct LastRun {
  std::string id, name;
  std::optional<RealTime> since;           ///< its start; its creation if it never started
  bool terminal = false;
};
std::optional<LastRun> last_run(std::string_view inspect_json);

/// The id in the newest of these events (JSON lines); of a container that was removed nothing else is left.
std::string id_in_events(std::string_view json_lines);

}  // namespace forensics
