#include "read/inspect_states.h"

#include <algorithm>

#include "read/journal_fields.h"
#include "read/rfc3339.h"

namespace forensics {
namespace {

using Index = std::uint32_t;
constexpr Index none = LooseJson::none;
constexpr std::size_t most_states = 8192, most_probes = 64;   // an engine keeps five probes
constexpr int most_parents = 16;                               // between a pod and what ended in it

/// A date, or the seconds since the epoch that lists have.
std::optional<Stamp> stamp_of(const std::string& text) {
  const auto seconds = whole_number(text);
  if (!seconds || *seconds <= 0 || *seconds > 100'000'000'000) return parse_rfc3339(text);
  Stamp stamp;
  stamp.wall = *seconds * 1'000'000;
  stamp.kind = Stamp::Wall::utc;
  stamp.precision = 1'000'000;
  return stamp;
}

/// Fills one StatedContainer from nodes.
class StateFinder {
 public:
  explicit StateFinder(const LooseJson& json) : json_(json) {}

  bool find(const std::function<void(StatedContainer&)>& take);

 private:
  bool has(Index node, std::string_view key) const { return json_.child(node, key) != none; }
  bool scalar(Index node, std::string_view key) const {
    const Index n = json_.child(node, key);
    return n != none && (json_[n].kind == LooseJson::Kind::string || json_[n].kind == LooseJson::Kind::word);
  }
  std::string text(Index node, std::string_view key) const { return json_.text(node, key); }
  std::string first_text(Index node, std::initializer_list<std::string_view> names) const {
    for (const auto name : names)
      if (std::string value = text(node, name); !value.empty()) return value;
    return {};
  }
  bool truth(Index node, std::string_view key) const { return text(node, key) == "true"; }
  Place place(Index node) const;
  Place place(Index node, std::string_view key) const { return place(json_.child(node, key)); }
  Index parent(Index node) const { return node == none ? none : json_[node].parent; }

  bool engine_state(Index node) const;
  bool probe(Index node) const { return has(node, "Output") || (has(node, "Start") && has(node, "End")); }
  void take_exit(Index state, std::string_view key, StatedContainer& out) const;
  void take_times(Index state, std::string_view started, std::string_view finished, StatedContainer& out) const;
  void take_engine_state(Index state, StatedContainer& out) const;
  void take_health(Index health, StatedContainer& out) const;
  void take_container(Index node, StatedContainer& out) const;
  void take_limits(Index node, StatedContainer& out) const;
  void take_labels(Index node, StatedContainer& out) const;
  std::string name_of(Index node) const;
  std::optional<StatedContainer> task(Index node) const;
  std::optional<StatedContainer> listed(Index node) const;
  std::optional<StatedContainer> terminated(Index node) const;
  void take_pod(Index node, StatedContainer& out) const;
  std::optional<StatedContainer> at(Index node) const;

  const LooseJson& json_;
};

Place StateFinder::place(Index node) const {
  if (node == none) return {};
  const auto& n = json_[node];
  return {n.line, n.begin, n.end - n.begin};
}

/// ExitCode beside what only a container's state has: a health probe and an exec have one as well.
bool StateFinder::engine_state(Index node) const {
  if (probe(node) || !(scalar(node, "ExitCode") || scalar(node, "OOMKilled"))) return false;
  for (const auto key : {"OOMKilled", "FinishedAt", "StartedAt", "Dead", "Restarting", "Paused"})
    if (has(node, key)) return true;
  return has(node, "Running") && (json_[node].key == "State" || has(node, "Error"));
}

void StateFinder::take_exit(Index state, std::string_view key, StatedContainer& out) const {
  if (const auto code = whole_number(text(state, key)); code && *code >= -1 && *code <= 0x7FFFFFFF) {
    out.container.exit_code = static_cast<int>(*code);
    out.has_exit_code = true;
    out.exit_code = place(state, key);
  }
}

void StateFinder::take_times(Index state, std::string_view started, std::string_view finished,
                             StatedContainer& out) const {
  if (const auto stamp = stamp_of(text(state, started))) {
    out.started_known = true;
    out.container.started_at = moment(stamp);
    if (out.container.started_at) out.started = *stamp;
  }
  if (const auto stamp = stamp_of(text(state, finished))) {
    out.container.finished_at = moment(stamp);
    if (out.container.finished_at) out.finished = *stamp;
  }
}

std::string derived_status(bool running, bool restarting, bool paused, bool dead, const StatedContainer& s) {
  if (restarting) return "restarting";
  if (running) return paused ? "paused" : "running";
  if (dead) return "dead";
  return s.started_known && !s.container.started_at ? "created" : "exited";
}

void StateFinder::take_engine_state(Index state, StatedContainer& out) const {
  Container& c = out.container;
  take_exit(state, "ExitCode", out);
  take_times(state, "StartedAt", "FinishedAt", out);
  c.status = text(state, "Status");
  // Between two restarts Docker calls it running; but the exit code is that of the last end.
  const bool restarting = truth(state, "Restarting") || c.status == "restarting";
  const bool running = truth(state, "Running") || (!has(state, "Running") && (c.status == "running" || c.status == "paused"));
  c.running = running && !restarting;
  if (c.status.empty() && has(state, "Running"))
    c.status = derived_status(running, restarting, truth(state, "Paused"), truth(state, "Dead"), out);
  if (scalar(state, "OOMKilled")) c.oom_killed = truth(state, "OOMKilled");
  out.oom_killed = place(state, "OOMKilled");
  c.error = text(state, "Error");
  out.error = place(state, "Error");
  if (const auto pid = whole_number(text(state, "Pid")); pid && *pid > 0) c.pid = pid;
  const Index health = has(state, "Health") ? json_.child(state, "Health") : json_.child(state, "Healthcheck");
  if (health != none) take_health(health, out);
}

void StateFinder::take_health(Index health, StatedContainer& out) const {
  out.container.health = text(health, "Status");
  out.health = place(health, "Status");
  out.health_streak = text(health, "FailingStreak");
  const Index log = json_.child(health, "Log");
  if (log == none) return;
  for (Index i = json_[log].first; i != none && out.probes.size() < most_probes; i = json_[i].next) {
    const std::string code = text(i, "ExitCode");
    if (code.empty() || code == "0") continue;
    Probe probe{code, text(i, "Output"), {}, place(i, "ExitCode")};
    if (!probe.output.empty()) probe.place = place(i, "Output");
    if (const auto stamp = stamp_of(text(i, "End"))) probe.end = *stamp;
    out.probes.push_back(std::move(probe));
  }
}

std::string StateFinder::name_of(Index node) const {
  std::string name = text(node, "Name");
  const Index names = json_.child(node, "Names");
  if (name.empty() && names != none)
    name = json_[names].first == none ? json_.text(names) : json_.text(json_[names].first);
  if (const auto comma = name.find(','); comma != name.npos) name.resize(comma);
  return name.starts_with('/') ? name.substr(1) : name;
}

void StateFinder::take_container(Index node, StatedContainer& out) const {
  if (node == none) return;
  Container& c = out.container;
  c.id = first_text(node, {"Id", "ID"});
  c.name = name_of(node);
  const Index config = json_.child(node, "Config");
  c.image = text(config, "Image");
  if (c.image.empty()) c.image = first_text(node, {"ImageName", "Image"});
  if (const auto stamp = stamp_of(text(node, "Created"))) {
    c.created_at = moment(stamp);
    if (c.created_at) out.created = *stamp;
  }
  c.stop_signal = text(config, "StopSignal");
  if (const auto n = whole_number(text(config, "StopTimeout"))) c.stop_timeout_s = static_cast<int>(*n);
  c.log_path = text(node, "LogPath");
  c.restart_count = whole_number(text(node, "RestartCount")).value_or(0);
  take_limits(json_.child(node, "HostConfig"), out);
  take_labels(config == none ? none : json_.child(config, "Labels"), out);
}

void StateFinder::take_limits(Index host, StatedContainer& out) const {
  if (host == none) return;
  Container& c = out.container;
  c.memory_limit_bytes = whole_number(text(host, "Memory"));
  if (has(host, "PidsLimit")) c.pids_limit = std::max<std::int64_t>(whole_number(text(host, "PidsLimit")).value_or(0), 0);
  c.cgroup_parent = text(host, "CgroupParent");
  c.restart_policy = text(json_.child(host, "RestartPolicy"), "Name");
  c.log_driver = text(json_.child(host, "LogConfig"), "Type");
}

void StateFinder::take_labels(Index labels, StatedContainer& out) const {
  if (labels == none) return;
  Container& c = out.container;
  c.service = first_text(labels, {"com.docker.compose.service", "com.docker.swarm.service.name",
                                  "io.kubernetes.container.name"});
  const std::string pod = text(labels, "io.kubernetes.pod.name");
  if (!pod.empty()) c.pod = text(labels, "io.kubernetes.pod.namespace") + "/" + pod;
}

/// A swarm task: its Status is the state.
std::optional<StatedContainer> StateFinder::task(Index node) const {
  const Index status = json_.child(node, "ContainerStatus");
  if (!scalar(node, "State") || (status == none && !scalar(node, "Err"))) return std::nullopt;
  StatedContainer out;
  Container& c = out.container;
  take_exit(status, "ExitCode", out);
  c.status = text(node, "State");
  c.running = c.status == "running";
  c.error = text(node, "Err");
  out.error = place(node, "Err");
  c.id = text(status, "ContainerID");
  if (const auto stamp = stamp_of(text(node, "Timestamp"))) {
    c.finished_at = moment(stamp);
    out.finished = *stamp;
  }
  const Index spec = json_.child(json_.child(parent(node), "Spec"), "ContainerSpec");
  if (parent(node) != none && spec != none) c.image = text(spec, "Image");
  return out;
}

/// One row of `docker ps --format json`, `docker compose ps --format json`, containers/json, `podman ps --format json`.
std::optional<StatedContainer> StateFinder::listed(Index node) const {
  if (!(has(node, "Names") || has(node, "Name")) || !(has(node, "Id") || has(node, "ID"))) return std::nullopt;
  if (has(node, "HostConfig") && has(node, "LogPath")) return std::nullopt;
  StatedContainer out;
  take_container(node, out);
  Container& c = out.container;
  if (scalar(node, "ExitCode") && scalar(node, "State")) {
    take_exit(node, "ExitCode", out);
    c.status = text(node, "State");
    c.running = c.status == "running" || c.status == "paused";
    if (c.status == "created") out.has_exit_code = false;
  } else if (!parse_ps_status(text(node, "Status"), out)) {
    return std::nullopt;
  } else if (out.has_exit_code || c.running) {
    out.exit_code = place(node, "Status");
  }
  c.service = text(node, "Service");
  if (c.service.empty()) take_labels(json_.child(node, "Labels"), out);
  return out;
}

/// What the kubelet and the CRI say about an ended container.
std::optional<StatedContainer> StateFinder::terminated(Index node) const {
  if (!scalar(node, "exitCode") || !(has(node, "reason") || has(node, "finishedAt"))) return std::nullopt;
  StatedContainer out;
  Container& c = out.container;
  take_exit(node, "exitCode", out);
  take_times(node, "startedAt", "finishedAt", out);
  out.started_known = false;   // a failed start has its own reason
  out.reason_word = text(node, "reason");
  out.reason = place(node, "reason");
  out.reason_message = text(node, "message");
  c.status = "exited";
  if (text(node, "state") == "CONTAINER_RUNNING") c.running = true, c.status = "running", out.reason_word.clear();
  if (text(node, "state") == "CONTAINER_CREATED") out.has_exit_code = false, c.status = "created";
  if (!c.running) c.oom_killed = out.reason_word == "OOMKilled";
  take_pod(node, out);
  return out;
}

void StateFinder::take_pod(Index node, StatedContainer& out) const {
  Container& c = out.container;
  c.id = first_text(node, {"containerID", "id"});
  if (const auto scheme = c.id.find("://"); scheme != c.id.npos) c.id.erase(0, scheme + 3);
  const Index labels = json_.child(node, "labels");
  if (labels != none) take_labels(labels, out);
  const Index metadata = json_.child(node, "metadata");
  c.name = metadata != none ? text(metadata, "name") : text(node, "name");
  c.restart_count = whole_number(text(node, "restartCount")).value_or(0);
  // A pod: terminated in state or lastState, in one of containerStatuses, in status, beside metadata.
  int steps = 0;
  for (Index up = parent(node); up != none && steps++ < most_parents; up = parent(up)) {
    if (c.name.empty()) c.name = text(up, "name");
    if (c.image.empty()) c.image = text(up, "image");
    if (c.restart_count == 0) c.restart_count = whole_number(text(up, "restartCount")).value_or(0);
    const Index pod = json_.child(up, "metadata");
    if (pod == none || has(pod, "attempt") || !c.pod.empty()) continue;
    const std::string name = text(pod, "name"), space = text(pod, "namespace");
    if (!name.empty() && metadata == none) c.pod = (space.empty() ? "default" : space) + "/" + name;
  }
  if (c.service.empty()) c.service = c.name;
}

std::optional<StatedContainer> StateFinder::at(Index node) const {
  if (engine_state(node)) {
    if (has(node, "Names") && scalar(node, "State")) return listed(node);
    StatedContainer out;
    take_engine_state(node, out);
    const bool inner = json_[node].key == "State" || json_[node].key.empty();
    if (inner && node != 0) take_container(parent(node), out);
    if (out.container.id.empty() && json_[node].key != "State") {
      const std::string name = name_of(node);
      if (!name.empty()) out.container.name = name;
    }
    return out;
  }
  if (has(node, "FailingStreak") && !engine_state(parent(node))) {
    StatedContainer out;
    take_health(node, out);
    return out;
  }
  if (auto found = task(node)) return found;
  if (auto found = terminated(node)) return found;
  return listed(node);
}

bool StateFinder::find(const std::function<void(StatedContainer&)>& take) {
  std::size_t found = 0;
  for (Index i = 0; i < json_.nodes().size(); ++i) {
    if (json_[i].first == none) continue;   // an array may be one as well: Go prints map[ExitCode:137 ...]
    auto stated = at(i);
    if (!stated) continue;
    if (found++ == most_states) return false;
    stated->anywhere = place(i);
    if (i == 0 || stated->anywhere.length > 200) stated->anywhere = place(json_[i].first);
    Container& c = stated->container;
    c.where = {0, stated->anywhere.line, stated->anywhere.offset, stated->anywhere.length};
    take(*stated);
  }
  return true;
}

}  // namespace

bool find_states(const LooseJson& json, const std::function<void(StatedContainer&)>& take) { return StateFinder(json).find(take); }

}  // namespace forensics
