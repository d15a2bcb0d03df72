// What an engine says about a container, as the `container-state` records of rules/README.md: shared by inspect, ps,
// describe and events.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "read/reader.h"

namespace forensics {

/// Where a field stands. Length 0: there is no such field.
struct Place {
  std::uint64_t line = 0, offset = 0, length = 0;
  explicit operator bool() const noexcept { return length > 0; }
};

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

/// One record of a source that is read as a whole.
struct StateRecord {
  std::string message;
  Stamp stamp;
  Place place;
  std::string container_id, container_name;
  std::string identifier = "container-state";
  Trust trust = Trust::daemon;
  std::map<std::string, std::string, std::less<>> fields;
};

/// The records of one container; adds the container itself to the context.
void add_state(const StatedContainer& stated, SourceContext& context, std::vector<StateRecord>& records);

/// Text on one line, without control characters that would break a message.
std::string one_line(std::string_view text);

/// Takes a source's whole text apart; `records` may come in any order.
using Extract = void (*)(std::string_view text, SourceContext& context, std::vector<StateRecord>& records);

/// A reader that holds the whole source (up to 32 MiB; the rest is "too-large") and has it taken apart.
std::unique_ptr<Reader> open_whole(ByteSource& bytes, SourceContext& context, Extract extract);

}  // namespace forensics
