#include "judge/identity.h"

#include <algorithm>

#include "judge/cgroup.h"

namespace forensics {

namespace {

bool same_id(std::string_view a, std::string_view b) {
  return !a.empty() && !b.empty() && (a.starts_with(b) || b.starts_with(a));
}

std::string_view without_slash(std::string_view name) { return name.starts_with('/') ? name.substr(1) : name; }

/// The unit that an event is about. A daemon's own unit is who spoke, not who died.
std::string unit_of(const Event& event) {
  const bool about = event.identifier == "systemd" || event.trust == Trust::claimed;
  return about ? event.unit : std::string();
}

void from_events(const Match& match, const Timeline& timeline, KnownContainers& containers, Identity& who) {
  for (const auto index : match.events) {
    if (index >= timeline.events.size()) continue;
    const Event& event = timeline.events[index];
    if (!who.container) who.container = containers.learn(event.container_id, event.container_name);
    if (who.unit.empty()) who.unit = unit_of(event);
    if (who.host.empty()) who.host = event.host;
    if (who.cgroup.empty() && event.trust == Trust::claimed) who.cgroup = event.cgroup;
  }
}

void from_cgroup(std::string_view path, KnownContainers& containers, Identity& who) {
  const CgroupOwner owner = cgroup_owner(path);
  if (!who.container) who.container = containers.learn(owner.container_id, owner.container_name);
  if (who.unit.empty()) who.unit = owner.unit;
}

/// A unit that is a container's scope is the container.
void resolve_unit(KnownContainers& containers, Identity& who) {
  if (who.unit.empty()) return;
  const CgroupOwner owner = cgroup_owner(who.unit);
  if (owner.container_id.empty()) return;
  if (!who.container) who.container = containers.learn(owner.container_id, {});
  who.unit.clear();
}

void pid_of_a_container(const KnownContainers& containers, Identity& who) {
  if (who.container || !who.pid || *who.pid <= 1 || !who.cgroup.empty()) return;
  for (std::size_t i = 0; i < containers.all().size(); ++i) {
    const Container* state = containers[i].state;
    if (state && state->pid && *state->pid == *who.pid) who.container = i;
  }
}

}  // namespace

bool looks_like_id(std::string_view text) { return is_hex(text, 12) && text.size() <= 64; }

KnownContainers::KnownContainers(const Timeline& timeline) {
  for (const auto& c : timeline.containers) {
    const auto index = learn(c.id, c.name);
    if (!index) continue;
    KnownContainer& known = all_[*index];
    if (!c.image.empty()) known.image = c.image;
    if (!c.service.empty()) known.service = c.service;
    if (!c.pod.empty()) known.pod = c.pod;
    // Of two descriptions the fuller or later one counts: `ps` says less than `inspect`.
    const bool better = !known.state || c.finished_at > known.state->finished_at ||
                        (c.exit_code && !known.state->exit_code) || (c.oom_killed && !known.state->oom_killed);
    if (better) known.state = &c;
  }
  for (const auto& e : timeline.events) {
    const auto index = learn(e.container_id, e.container_name);
    if (!index) continue;
    if (const auto image = e.fields.find("image"); image != e.fields.end() && all_[*index].image.empty())
      all_[*index].image = image->second;
  }
}

std::optional<std::size_t> KnownContainers::by_id(std::string_view id) const {
  if (id.size() < 4) return std::nullopt;
  for (std::size_t i = all_.size(); i-- > 0;)
    if (same_id(all_[i].id, id)) return i;
  return std::nullopt;
}

std::optional<std::size_t> KnownContainers::find(std::string_view id_or_name) const {
  const std::string_view name = without_slash(id_or_name);
  if (name.empty()) return std::nullopt;
  for (std::size_t i = all_.size(); i-- > 0;)
    if (all_[i].name == name) return i;
  return looks_like_id(name) ? by_id(name) : std::nullopt;
}

std::optional<std::size_t> KnownContainers::learn(std::string_view id, std::string_view name) {
  name = without_slash(name);
  if (id.empty() && name.empty()) return std::nullopt;
  std::optional<std::size_t> found = id.empty() ? std::nullopt : by_id(id);
  if (!found && !name.empty()) {
    const auto named = find(name);
    // The same name under another id is another container.
    if (named && (id.empty() || all_[*named].id.empty())) found = named;
  }
  if (!found) {
    all_.push_back({});
    found = all_.size() - 1;
  }
  KnownContainer& known = all_[*found];
  if (id.size() > known.id.size()) known.id = std::string(id);
  if (known.name.empty()) known.name = std::string(name);
  return found;
}

Identity identify(const Match& match, const Timeline& timeline, KnownContainers& containers) {
  Identity who;
  who.comm = text_of(match.values, "comm");
  who.pid = number_of(match.values, "pid");
  who.unit = text_of(match.values, "unit");
  who.device = text_of(match.values, "device");
  who.disk = disk_of(who.device);
  who.mount = text_of(match.values, "mount");
  who.host = text_of(match.values, "host");
  who.cgroup = text_of(match.values, "cgroup");
  if (const std::string named = text_of(match.values, "container"); !named.empty())
    who.container = looks_like_id(named) ? containers.learn(named, {}) : containers.learn({}, named);
  if (!who.cgroup.empty()) from_cgroup(who.cgroup, containers, who);
  // Without a kill line the limit that was hit still says whose memory it was.
  if (const std::string limiter = text_of(match.values, "limiter"); who.cgroup.empty() && !limiter.empty())
    from_cgroup(limiter, containers, who);
  // Who asked for memory on behalf of a cgroup lives in it.
  if (who.cgroup.empty() && !who.container && text_of(match.values, "scope") == "cgroup")
    from_cgroup(text_of(match.values, "asker_cpuset"), containers, who);
  from_events(match, timeline, containers, who);
  resolve_unit(containers, who);
  pid_of_a_container(containers, who);
  who.container_by_name = who.container && containers[*who.container].id.empty();
  return who;
}

}  // namespace forensics
