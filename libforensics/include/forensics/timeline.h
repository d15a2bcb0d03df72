// What reading a bundle yields: events in order, where they came from, and what could not be read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "forensics/event.h"

namespace forensics {

/// The account of one source: `records == used + skipped`, always; `skipped` is split by reason.
struct Source {
  std::string name;                 ///< as shown: path inside the bundle, "docker API", "/dev/kmsg"
  std::string format;               ///< word of the format table; "unknown" if none claimed it
  Trust trust = Trust::claimed;     ///< the best that this source can have
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;          ///< physical lines; 0 for sources without lines
  std::uint64_t records = 0;        ///< framed entries (a continuation line is one too)
  std::uint64_t used = 0;
  std::map<std::string, std::uint64_t, std::less<>> skipped;  ///< reason -> records
  std::optional<RealTime> from, to;            ///< first and last time; empty without a clock
  std::optional<MonotonicTime> mono_from, mono_to;  ///< of the last boot in it
};

/// Trouble while reading or matching: located and counted, never an exception, never silence.
struct Diagnostic {
  std::string source;               ///< empty: the bundle as a whole
  std::uint64_t line = 0;           ///< first place; 0: unknown or no lines
  std::string code;                 ///< stable and short: "truncated-record", "unreadable", "binary-file", ...
  std::string message;
  std::uint64_t count = 1;
};

/// What a container engine says about one container (docker, podman or crictl inspect, `docker ps -a`, describe).
struct Container {
  std::string id, name, image;      ///< empty: not told; `name` without the leading slash
  std::string service;              ///< compose service, pod or Kubernetes container name; empty: none
  std::string pod;                  ///< Kubernetes: namespace/name; empty: none
  std::string status;               ///< exited, running, created, dead, ...
  bool running = false;             ///< then exit_code and oom_killed say nothing
  std::optional<int> exit_code;
  std::optional<bool> oom_killed;
  std::string error;                ///< State.Error
  std::optional<RealTime> created_at, started_at, finished_at;
  std::optional<std::int64_t> pid;  ///< host pid of its init; empty when not running
  std::optional<std::int64_t> memory_limit_bytes;  ///< 0: unlimited
  std::optional<std::int64_t> pids_limit;          ///< 0: unlimited
  std::optional<int> stop_timeout_s;
  std::string stop_signal, restart_policy, cgroup_parent, log_path, log_driver, health;
  std::int64_t restart_count = 0;
  Location where;                   ///< of its State
};

/// Everything that was kept. Anchors only (what a rule, a boot or a clock hangs on): memory does not grow with
/// the log.
struct Timeline {
  std::vector<Source> sources;
  std::vector<Event> events;            ///< in time order; inside a source in file order
  std::vector<Container> containers;
  std::vector<Diagnostic> diagnostics;
};

}  // namespace forensics
