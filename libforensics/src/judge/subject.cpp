#include "judge/subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "forensics/error.h"
#include "judge/cgroup.h"

namespace forensics {

namespace {

std::string label(const KnownContainer& known) {
  if (known.name.empty()) return known.id.substr(0, 12);
  return known.id.empty() ? known.name : fmt::format("{} ({})", known.name, known.id.substr(0, 12));
}

template <typename Test>
std::vector<std::size_t> all_that(const KnownContainers& containers, Test test) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < containers.all().size(); ++i)
    if (test(containers[i])) found.push_back(i);
  return found;
}

[[noreturn]] void refuse(const Case& c, const std::string& asked, const std::vector<std::size_t>& found) {
  std::string list;
  for (const auto i : found) list += (list.empty() ? "" : ", ") + label(c.containers[i]);
  throw Error(ErrorCode::usage, asked, "several containers are meant: " + list, "name one of them");
}

/// Pods are "namespace/name"; people type the name.
bool is_pod(const KnownContainer& known, std::string_view asked) {
  return !known.pod.empty() && (known.pod == asked || known.pod.ends_with("/" + std::string(asked)));
}

std::vector<std::size_t> find_containers(const Case& c, std::string asked) {
  if (asked.starts_with('/')) asked.erase(0, 1);
  auto found = all_that(c.containers, [&](const auto& known) { return known.name == asked; });
  // The same name again is the same container recreated.
  if (!found.empty()) return found;
  found = all_that(c.containers, [&](const auto& known) { return known.service == asked; });
  if (found.empty()) found = all_that(c.containers, [&](const auto& known) { return is_pod(known, asked); });
  if (found.empty() && is_hex(asked, 4))
    found = all_that(c.containers, [&](const auto& known) {
      return known.id.starts_with(asked) || (known.id.size() >= 12 && asked.starts_with(known.id));
    });
  if (found.size() <= 1) return found;
  std::set<std::string> names;
  for (const auto i : found) names.insert(c.containers[i].name.empty() ? c.containers[i].id : c.containers[i].name);
  if (names.size() > 1) refuse(c, asked, found);
  return found;
}

/// The last that fits, before the moment that was asked about.
template <typename Test>
std::optional<std::size_t> last_death(const Case& c, Test test) {
  std::optional<std::size_t> last, last_before;
  for (std::size_t d = 0; d < c.deaths.size(); ++d) {
    if (!test(c.deaths[d])) continue;
    last = d;
    if (!c.options.around || !c.deaths[d].time || *c.deaths[d].time <= *c.options.around) last_before = d;
  }
  return last_before ? last_before : last;
}

Confidence sureness(const Case& c, const DeathCase& death) {
  return death.verdict ? c.claims[*death.verdict].confidence : Confidence::low;
}

/// In order: nobody wonders why.
bool is_orderly(const Claim& claim) {
  // A program that says it was asked to end, or an engine.
  const bool asked = claim.cause() == "stopped" && !claim.who.container &&
                     (claim.own_log || is_engine(claim.event->identifier));
  return asked || claim.cause() == "clean-exit" || claim.cause() == "host-shutdown";
}

/// What somebody who names nothing most likely asks about: a death before a loss, an end in error before an orderly
/// one.
int interest(const Case& c, const DeathCase& death) {
  if (!death.verdict) return death.container ? 1 : 0;
  const Claim& claim = c.claims[*death.verdict];
  if (is_orderly(claim) && is_orderly(c.claims[chain_to(c, *death.verdict).front()])) return 1;
  const int sure = sureness(c, death) >= Confidence::medium ? 2 : 0;
  return 2 + sure + (death.loss ? 0 : 1);
}

bool same_moment(const Case& c, const DeathCase& a, const DeathCase& b) {
  if (a.claims.empty() || b.claims.empty()) return false;
  const auto apart = distance(c.claims[a.claims.back()], c.claims[b.claims.back()]);
  return apart && *apart <= std::chrono::seconds(2);
}

std::optional<std::size_t> most_interesting(const Case& c) {
  std::vector<int> interests;
  int best = -1;
  for (const auto& death : c.deaths) {
    interests.push_back(interest(c, death));
    if (!c.options.around || !death.time || *death.time <= *c.options.around) best = std::max(best, interests.back());
  }
  const auto of_interest = [&](const DeathCase& death) {
    return interests[static_cast<std::size_t>(&death - c.deaths.data())] >= best;
  };
  const auto last = last_death(c, of_interest);
  if (!last) return last;
  // Of those in one moment the surest.
  const DeathCase& found = c.deaths[*last];
  if (found.verdict && chain_to(c, *found.verdict).size() > 1) return last;
  const auto surer = last_death(c, [&](const DeathCase& death) {
    return of_interest(death) && sureness(c, death) > sureness(c, found) && same_moment(c, death, found);
  });
  return surer ? surer : last;
}

/// The machine took it along: its engine noticed nothing, or only when it came back.
std::optional<std::size_t> host_end_of(const Case& c, const std::vector<std::size_t>& containers,
                                       std::optional<std::size_t> own) {
  const Container* state = containers.empty() ? nullptr : c.containers[containers.back()].state;
  if (own && c.deaths[*own].exit_code && *c.deaths[*own].exit_code != 255) return std::nullopt;
  if (own && !c.deaths[*own].exit_code && c.deaths[*own].verdict &&
      !is_exit_cause(c.claims[*c.deaths[*own].verdict].cause()))
    return std::nullopt;
  return last_death(c, [&](const DeathCase& death) {
    if (!death.whole_host || !death.verdict || !state || !death.time) return false;
    const bool had_started = state->started_at && *state->started_at <= *death.time;
    const bool ended_later = state->finished_at && *state->finished_at >= *death.time;
    return had_started && (state->running ? false : ended_later);
  });
}

void fill_container(const Case& c, const std::vector<std::size_t>& found, Choice& choice) {
  choice.containers = found;
  const KnownContainer& known = c.containers[found.back()];
  choice.subject.kind = SubjectKind::container;
  if (!known.name.empty()) choice.subject.name = known.name;
  choice.subject.id = known.id;
  choice.subject.image = known.image;
  const auto own = last_death(c, [&](const DeathCase& death) {
    return death.container && std::find(found.begin(), found.end(), *death.container) != found.end();
  });
  choice.death = own;
  if (const auto host = host_end_of(c, found, own)) choice.death = host;
}

bool is_unit(const DeathCase& death, const std::string& asked) {
  if (death.unit.empty()) return false;
  return death.unit == asked || death.unit == asked + ".service" || death.unit == asked + ".scope";
}

void fill_unit(const Case& c, const std::string& asked, Choice& choice) {
  choice.death = last_death(c, [&](const DeathCase& death) { return is_unit(death, asked); });
  choice.known =
      choice.death || std::any_of(c.evidence.timeline.events.begin(), c.evidence.timeline.events.end(),
                                  [&](const Event& e) { return e.unit == asked || e.unit == asked + ".service"; });
  choice.subject.kind = SubjectKind::unit;
  if (choice.death) choice.subject.name = c.deaths[*choice.death].unit;
}

bool has_pid(const Case& c, const DeathCase& death, std::int64_t pid) {
  return std::any_of(death.claims.begin(), death.claims.end(),
                     [&](std::size_t i) { return c.claims[i].who.pid == pid; });
}

Choice choose_container(const Case& c, const Subject& asked) {
  Choice choice;
  choice.subject = asked;
  const auto found = find_containers(c, asked.name.empty() ? asked.id : asked.name);
  if (!found.empty()) {
    fill_container(c, found, choice);
    return choice;
  }
  // A bare word may be a service of systemd, too.
  Choice unit = choice;
  fill_unit(c, asked.name, unit);
  if (unit.death) return unit;
  choice.known = false;
  return choice;
}

}  // namespace

Subject subject_of(const Case& c, const DeathCase& death) {
  Subject subject;
  if (death.container) {
    const KnownContainer& known = c.containers[*death.container];
    subject.kind = SubjectKind::container;
    subject.name = known.name;
    subject.id = known.id;
    subject.image = known.image;
  } else if (!death.unit.empty()) {
    subject.kind = SubjectKind::unit;
    subject.name = death.unit;
  } else if (death.whole_host) {
    subject.kind = SubjectKind::host;
  } else if (death.pid) {
    subject.kind = SubjectKind::pid;
    subject.pid = death.pid;
    for (const auto i : death.claims)
      if (subject.name.empty()) subject.name = c.claims[i].who.comm;
  }
  subject.died_at = death.time;
  subject.exit_code = death.exit_code;
  if (death.exit_code && *death.exit_code > 128) subject.signal = signal_name(*death.exit_code - 128);
  return subject;
}

Choice choose_death(const Case& c, const Subject& asked) {
  if (asked.kind == SubjectKind::container) return choose_container(c, asked);
  Choice choice;
  choice.subject = asked;
  switch (asked.kind) {
    case SubjectKind::unit:
      fill_unit(c, asked.name, choice);
      break;
    case SubjectKind::host:
      choice.death = last_death(c, [](const DeathCase& death) { return death.whole_host; });
      break;
    case SubjectKind::pid:
      if (asked.pid)
        choice.death = last_death(c, [&](const DeathCase& death) { return has_pid(c, death, *asked.pid); });
      choice.known = choice.death.has_value();
      break;
    default:
      choice.death = most_interesting(c);
      if (choice.death) choice.subject = subject_of(c, c.deaths[*choice.death]);
  }
  return choice;
}

}  // namespace forensics
