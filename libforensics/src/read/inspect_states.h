// Finds container states in the nodes of an inspect-like document.
#pragma once

#include <functional>
#include <string_view>

#include "read/loose_json.h"
#include "read/state_records.h"

namespace forensics {

/// The keys that any of the shapes below is made of. Environment, command line and other labels are not among them.
bool inspect_key(std::string_view key);

/// Hands over every state in the document, in order; false if there are more than 8,192 of them and the rest is left out.
///   docker and podman inspect, config.v2.json   {"Id": .., "State": {"ExitCode": 137, "OOMKilled": false, ..}, ..}
///   a State alone, a Health alone
///   swarm tasks                                  {"Status": {"State": "failed", "Err": .., "ContainerStatus": {..}}}
///   ps and containers/json                       {"Names": .., "State": "exited", "Status": "Exited (137) 1 second ago"}
///   pods and crictl inspect                      {"terminated": {"exitCode": 137, "reason": "OOMKilled", ..}}
bool find_states(const LooseJson& json, const std::function<void(StatedContainer&)>& take);

/// `Exited (137) 3 minutes ago`, `Up 2 hours (unhealthy)`, `Restarting (1) 4 seconds ago`, `Created`, `Dead`: false
/// if it is none of them.
bool parse_ps_status(std::string_view status, StatedContainer& stated);

}  // namespace forensics
