// What an engine says about a container, as the `container-state` records of rules/README.md: shared by inspect, ps,
// describe and events.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "read/whole_reader.h"

namespace forensics {

/// One failed health probe.
struct Probe {
  std::string exit_code, output;
  Stamp end;
  Place place;
};

/// A container's state and the places that it was read from.
struct StatedContainer {
  Container container;
  bool has_exit_code = false;                ///< else nothing is said about an end
  Place exit_code, oom_killed, error, health, reason, anywhere;
  Stamp created, started, finished;
  bool started_known = false;                ///< a start time was printed, be it "never"
  std::string reason_word, reason_message;   ///< Kubernetes, CRI
  std::string health_streak;
  std::vector<Probe> probes;
};

/// The records of one container; adds the container itself to the context.
void add_state(const StatedContainer& stated, SourceContext& context, std::vector<WholeRecord>& records);

}  // namespace forensics
