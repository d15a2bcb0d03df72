// The words that engines use: keys of their documents, states in their tables.
#include <algorithm>
#include <array>

#include "read/inspect_states.h"
#include "read/journal_fields.h"

namespace forensics {
namespace {

constexpr std::array<std::string_view, 82> keys = {
    "CgroupParent", "Config", "ContainerID", "ContainerSpec", "ContainerStatus", "Created", "CreatedAt", "Dead",
    "End", "Err", "Error", "ExitCode", "Exited", "ExitedAt", "FailingStreak", "FinishedAt", "Health", "Healthcheck",
    "HostConfig", "ID", "Id", "Image", "ImageName", "Labels", "Log", "LogConfig", "LogPath", "Memory", "Message",
    "Name", "Names", "Namespace", "OOMKilled", "Output", "PID", "Paused", "Pid", "PidsLimit", "RestartCount",
    "RestartPolicy", "Restarting", "Running", "Service", "Spec", "Start", "StartedAt", "State", "Status",
    "StopSignal", "StopTimeout", "Timestamp", "Type", "attempt", "com.docker.compose.service",
    "com.docker.swarm.service.name", "containerID", "containerId", "containerStatuses", "createdAt", "exitCode",
    "finishedAt", "id", "image", "io.kubernetes.container.name", "io.kubernetes.pod.name",
    "io.kubernetes.pod.namespace", "labels", "lastState", "logPath", "message", "metadata", "name", "namespace",
    "phase", "pid", "reason", "restartCount", "startedAt", "state", "status", "terminated", "waiting"};

}  // namespace

bool inspect_key(std::string_view key) { return std::binary_search(keys.begin(), keys.end(), key); }

bool parse_ps_status(std::string_view status, StatedContainer& stated) {
  Container& c = stated.container;
  const auto code = [&](std::string_view rest) {
    const auto end = rest.find(')');
    const auto number = end == rest.npos ? std::nullopt : whole_number(rest.substr(0, end));
    if (!number) return false;
    c.exit_code = static_cast<int>(*number);
    return stated.has_exit_code = true;
  };
  if (status.starts_with("Exited (")) {
    c.status = "exited";
    return code(status.substr(8));
  }
  if (status.starts_with("Restarting (")) {
    c.status = "restarting";
    return code(status.substr(12));
  }
  if (status.starts_with("Up ")) {
    c.running = true;
    c.status = status.ends_with("(Paused)") ? "paused" : "running";
    for (const std::string_view health : {"unhealthy", "healthy"})
      if (status.ends_with("(" + std::string(health) + ")")) c.health = health;
    return true;
  }
  if (status == "Created" || status == "Dead") {
    c.status = status == "Dead" ? "dead" : "created";
    return true;
  }
  return false;
}

}  // namespace forensics
