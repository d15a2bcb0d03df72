// Container engines of this host: which answer, which has the container, and what they know about it as sources.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collect/docker_api.h"
#include "timeline/pipeline.h"

namespace forensics {

struct ClosedEngine {
  std::string source, why, hint;
};

struct EngineSearch {
  std::vector<EngineClient> open;      ///< that answered /info as an engine does
  std::vector<ClosedEngine> closed;    ///< that are there but do not talk to us; the first usual one if none is there
};
/// Throws: Error (usage) for an endpoint that is no address.
EngineSearch find_engines(const std::string& asked, const EngineLimits& limits = {});

/// A container that an engine has, or had: of a removed one only the events are left.
struct FoundContainer {
  EngineClient engine;
  std::string name, id;
  std::optional<RealTime> since;       ///< start of the last run
  std::string inspect;                 ///< JSON; empty if it was removed
  bool terminal = false;

  /// State, events and the end of its own log.
  void add_to(Pipeline& pipeline, RealTime since, RealTime until) const;
};

/// Empty: no engine gave its list. Throws: Error (usage) if no engine knows it (with the nearest names) or several
/// containers fit.
std::optional<FoundContainer> find_container(const std::vector<EngineClient>& engines, const std::string& asked, RealTime until);

/// The state of all containers, and the events since then.
void add_all_containers(const std::vector<EngineClient>& engines, RealTime since, Pipeline& pipeline);

}  // namespace forensics
