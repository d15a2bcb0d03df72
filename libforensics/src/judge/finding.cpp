#include "judge/finding.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

#include "judge/cgroup.h"

namespace forensics {

namespace {

constexpr std::size_t most_evidence = 12;

/// These say who, not what: they stand in the victim.
constexpr std::array<std::string_view, 5> identity_names = {"comm", "pid", "container", "unit", "host"};

/// Captures are text; facts with these names are numbers.
bool is_number_name(std::string_view name) {
  constexpr std::array<std::string_view, 7> words = {"exit_code",     "errno", "sector", "seconds",
                                                     "temperature_c", "cpu",   "streak"};
  return std::find(words.begin(), words.end(), name) != words.end() || name.ends_with("_bytes") ||
         name.ends_with("_pid");
}

Victim victim_of(const Case& c, const Claim& claim, const DeathCase* death) {
  Victim victim;
  const Identity& who = claim.who;
  victim.comm = who.comm;
  victim.pid = who.pid;
  // Pid 1 is what a namespace calls it; the host's number is the one that the kernel logs.
  if (death && death->pid && (!victim.pid || (*victim.pid == 1 && !is_kernel(claim.match->trust))))
    victim.pid = death->pid;
  // A program's own line in the syslog: its tag names it. An engine's tag names the container, and not the process.
  if (claim.own_log && victim.comm.empty() && !victim.pid && claim.event->pid && claim.event->container_id.empty()) {
    victim.comm = claim.event->identifier;
    victim.pid = claim.event->pid;
  }
  auto container = who.container;
  if (!container && death) container = death->container;
  if (container) {
    const KnownContainer& known = c.containers[*container];
    victim.container = known.id.empty() ? known.name : known.id;
  }
  victim.unit = who.unit.empty() && death ? death->unit : who.unit;
  victim.device = who.device;
  victim.mount = who.mount;
  victim.host = who.host;
  return victim;
}

const Container* state_of(const Case& c, const Claim& claim, const DeathCase* death) {
  const auto container = claim.who.container ? claim.who.container : death ? death->container : std::nullopt;
  return container ? c.containers[*container].state : nullptr;
}

/// Whose limit it was: the victim's own container, some cgroup above it, or the whole machine.
std::string oom_scope(const Claim& claim, const Case& c) {
  const Values& values = claim.match->values;
  const std::string scope = text_of(values, "scope");
  if (scope != "cgroup") return scope;
  const CgroupOwner limiter = cgroup_owner(text_of(values, "limiter"));
  if (limiter.container_id.empty() && limiter.container_name.empty()) return scope;
  const bool own = claim.who.container && !limiter.container_id.empty() &&
                   c.containers.by_id(limiter.container_id) == claim.who.container;
  const bool own_name = claim.who.container && c.containers[*claim.who.container].name == limiter.container_name;
  return own || own_name ? "container" : scope;
}

void add_signal(Values& facts, const DeathCase* death) {
  if (const auto it = facts.find("signal"); it != facts.end()) {
    const int number = signal_number(text_of(facts, "signal"));
    if (number > 0) it->second = signal_name(number);
  } else if (death && death->exit_code && *death->exit_code > 128) {
    if (std::string name = signal_name(*death->exit_code - 128); !name.empty()) facts["signal"] = std::move(name);
  }
}

/// Everything that is known, as facts and for the sentences.
Values values_of(const Case& c, const Claim& claim, const DeathCase* death) {
  Values values = claim.match->values;
  for (auto& [name, value] : values)
    if (is_number_name(name))
      if (const auto number = number_of(values, name)) value = *number;
  if (death && death->exit_code && !values.contains("exit_code"))
    values["exit_code"] = static_cast<std::int64_t>(*death->exit_code);
  if (claim.cause() == "oom-kill") {
    if (std::string scope = oom_scope(claim, c); !scope.empty()) values["scope"] = std::move(scope);
    const Container* state = state_of(c, claim, death);
    const bool own = text_of(values, "scope") == "container" || text_of(values, "scope").empty();
    if (own && state && state->memory_limit_bytes && *state->memory_limit_bytes > 0 && !values.contains("limit_bytes"))
      values["limit_bytes"] = *state->memory_limit_bytes;
  }
  add_signal(values, death);
  return values;
}

/// People know names, not 64 digits.
Values spoken(const Case& c, Values values, const Claim& claim, const DeathCase* death) {
  const auto container = claim.who.container ? claim.who.container : death ? death->container : std::nullopt;
  if (!container) return values;
  const KnownContainer& known = c.containers[*container];
  const std::string name = known.name.empty() ? known.id.substr(0, 12) : known.name;
  if (values.contains("container")) values["container"] = name;
  // The path of the container's own cgroup is its name once more.
  for (const std::string_view path : {"limiter", "cgroup"}) {
    const auto it = values.find(path);
    if (it == values.end()) continue;
    const CgroupOwner owner = cgroup_owner(text_of(values, path));
    if (!owner.container_id.empty() && c.containers.by_id(owner.container_id) == container && !known.name.empty())
      it->second = "container " + name;
  }
  return values;
}

/// A limit that would have been enough for what was there: twice the old one, or what the victim held.
std::string memory_advice(const Case& c, const Claim& claim, const DeathCase* death, const Values& values) {
  if (claim.cause() != "oom-kill" || text_of(values, "scope") != "container") return {};
  const auto limit = number_of(values, "limit_bytes");
  if (!limit || *limit <= 0 || *limit > (std::int64_t{1} << 46)) return {};
  constexpr std::int64_t step = std::int64_t{64} << 20;
  const std::int64_t held = number_of(values, "anon_rss_bytes").value_or(0);
  const std::int64_t wanted = (std::max(*limit * 2, held) + step - 1) / step * step;
  const auto container = claim.who.container ? claim.who.container : death ? death->container : std::nullopt;
  std::string name = container ? c.containers[*container].name : "";
  if (name.empty()) name = "NAME";
  return fmt::format(
      "Give it more memory, if the work needs it (the limit was {}): docker update --memory {}m --memory-swap {}m {}",
      bytes_text(*limit), wanted >> 20, wanted >> 20, name);
}

}  // namespace

std::string moment_text(RealTime time) {
  std::string text = to_string(time).substr(0, 19);
  text[10] = ' ';
  return text + " UTC";
}

Evidence quote_event(const Case& c, std::uint32_t index) {
  const auto& timeline = c.evidence.timeline;
  const Event& event = timeline.events[index];
  Evidence e;
  if (event.where.source < timeline.sources.size()) e.source = timeline.sources[event.where.source].name;
  e.line = event.where.line;
  e.offset = event.where.offset;
  e.length = event.where.length;
  e.cursor = event.cursor;
  e.time = event.time;
  e.clock = event.clock;
  e.text = event.text.empty() ? show(event.message) : event.text;
  if (const auto it = c.evidence.witnesses.find(index); it != c.evidence.witnesses.end()) e.also = it->second;
  return e;
}

std::vector<Evidence> quote(const Case& c, const Claim& claim) {
  std::vector<Evidence> out;
  for (const auto index : claim.match->events)
    if (index < c.evidence.timeline.events.size() && out.size() < most_evidence) out.push_back(quote_event(c, index));
  if (!out.empty()) out.front().repeated = claim.match->repeated;
  return out;
}

void add_evidence(std::vector<Evidence>& to, std::vector<Evidence> from) {
  for (auto& e : from) {
    if (to.size() >= most_evidence) return;
    const bool known = std::any_of(to.begin(), to.end(), [&](const Evidence& have) {
      return have.source == e.source && have.offset == e.offset && have.line == e.line && have.cursor == e.cursor;
    });
    if (!known) to.push_back(std::move(e));
  }
}

Finding to_finding(const Case& c, const Claim& claim, const DeathCase* death) {
  Finding finding;
  finding.rule = claim.rule->id;
  finding.cause = claim.cause();
  finding.confidence = claim.confidence;
  finding.time = claim.time;
  finding.clock = claim.time == claim.event->time ? claim.event->clock : ClockQuality::exact;
  if (!finding.time) finding.clock = ClockQuality::none;
  finding.victim = victim_of(c, claim, death);
  const Values values = values_of(c, claim, death);
  for (const auto& [name, value] : values) {
    const bool who = std::find(identity_names.begin(), identity_names.end(), name) != identity_names.end();
    if (!who && value != Fact(std::string())) finding.facts.emplace(name, value);
  }
  const Values words = spoken(c, values, claim, death);
  finding.summary = fill(claim.rule->explain, words);
  finding.evidence = quote(c, claim);
  if (std::string advice = memory_advice(c, claim, death, values); !advice.empty())
    finding.remedies.push_back(std::move(advice));
  for (const auto& remedy : claim.rule->remedies) finding.remedies.push_back(fill(remedy, words));
  return finding;
}

std::vector<Finding> merge_repeats(const Case& c, const std::vector<std::size_t>& claims, std::size_t most,
                                   bool by_rule_only) {
  std::vector<Finding> out;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> known;
  for (const auto i : claims) {
    const Claim& claim = c.claims[i];
    const std::string container = claim.who.container ? fmt::format("{}", *claim.who.container) : "";
    const auto key = by_rule_only ? std::tuple(claim.rule->id, std::string(), std::string(), std::string())
                                  : std::tuple(claim.rule->id, claim.who.disk + claim.who.mount,
                                               container + claim.who.unit, claim.who.comm);
    if (const auto it = known.find(key); it != known.end()) {
      if (it->second < out.size()) out[it->second].evidence.front().repeated += 1 + claim.match->repeated;
      continue;
    }
    known.emplace(key, out.size() < most ? out.size() : most);
    if (out.size() < most) out.push_back(to_finding(c, claim));
  }
  return out;
}

}  // namespace forensics
