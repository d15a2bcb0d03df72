// One event of `docker events` or `podman events`, out of any of its forms.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "read/reader.h"

namespace forensics {

/// One event, whatever it was printed as.
struct EngineEvent {
  Stamp stamp;
  std::string type, action, id;
  std::map<std::string, std::string, std::less<>> attributes;
  std::size_t quoted = 0;   ///< bytes of the line that may be shown
};

/// A line as the engines print it. False if it is none.
bool parse_event_text(std::string_view line, EngineEvent& event);

/// A line of JSON; `cut` if it is not whole.
bool parse_event_json(std::string_view line, EngineEvent& event, bool& cut);

/// `container die <id> (exitCode=137, image=web:1, name=web)`
std::string event_message(const EngineEvent& event);

}  // namespace forensics
