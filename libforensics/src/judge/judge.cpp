// Claims, deaths, the one that is asked about, what led to it: one report.
#include "judge/judge.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "judge/finding.h"
#include "judge/report_parts.h"
#include "judge/subject.h"

namespace forensics {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_contributing = 16, most_ruled_out = 16, most_deaths = 100;

std::string sentence_name(const Subject& subject) {
  const std::string id = subject.id.substr(0, 12);
  switch (subject.kind) {
    case SubjectKind::container:
      return "Container " + show(subject.name.empty() ? id : subject.name);
    case SubjectKind::unit:
      return "Unit " + show(subject.name);
    case SubjectKind::host:
      return "the machine";
    case SubjectKind::pid:
      return subject.name.empty() && subject.pid ? fmt::format("Process {}", *subject.pid)
                                                 : "Process " + show(subject.name);
    default:
      return {};
  }
}

/// A process in it was killed, but the main process ended otherwise.
std::string child_note(const Claim& claim, const DeathCase& death) {
  const Fit fit = exit_fits(claim, death.exit_code);
  const bool child = fit == Fit::child || (fit == Fit::no && claim.cause() == "oom-kill");
  if (!child || !death.container) return {};
  return fmt::format(" It was not the container's main process: that one then ended by itself with status {}.",
                     *death.exit_code);
}

/// The sender is not recorded; who was active then is the best that there is.
std::string sender_note(const Case& c, const DeathCase& death) {
  std::set<std::string> active;
  for (const auto& event : c.evidence.timeline.events) {
    const bool daemon = event.trust == Trust::daemon || event.trust == Trust::daemon_text;
    if (!daemon || !death.time || !event.time || event.identifier.empty() || event.identifier == "container-state" ||
        event.identifier == "docker-events")
      continue;
    if (*event.time >= *death.time - 60s && *event.time <= *death.time + 2s) active.insert(show(event.identifier));
  }
  if (active.empty()) return " The sender is unknown.";
  return fmt::format(" The sender is unknown; in the minute before, these were active: {}.", fmt::join(active, ", "));
}

void set_summary(const Case& c, const Choice& choice, const DeathCase& death, const std::vector<std::size_t>& chain,
                 Finding& verdict) {
  const Subject& subject = choice.subject;
  std::string text = verdict.summary;
  const auto time = death.time ? death.time : verdict.time;
  const std::string when = time ? fmt::format(" at {}", moment_text(*time)) : "";
  const std::string_view word = death.loss ? "was hit" : "died";
  if (subject.kind == SubjectKind::container || subject.kind == SubjectKind::unit)
    text = fmt::format("{} {}{}: {}", sentence_name(subject), verdict.cause == "start-failed" ? "did not start" : word,
                       when, text);
  if (chain.empty()) return;
  text += child_note(c.claims[chain.front()], death);
  if (verdict.cause == "unknown-signal") text += sender_note(c, death);
  verdict.summary = std::move(text);
}

/// Evidence of the same death that says the same, or less, stands under the link of the chain that it speaks of.
void gather(const Case& c, const DeathCase& death, const std::vector<std::size_t>& chain, std::vector<Finding>& links,
            std::vector<std::size_t>& contributing) {
  for (const auto i : death.claims) {
    const Claim& claim = c.claims[i];
    if (std::find(chain.begin(), chain.end(), i) != chain.end()) continue;
    const auto link =
        std::find_if(links.begin(), links.end(), [&](const Finding& f) { return f.cause == claim.cause(); });
    if (link != links.end())
      add_evidence(link->evidence, quote(c, claim));
    else if (claim.superseded || is_exit_cause(claim.cause()))
      add_evidence(links.back().evidence, quote(c, claim));
    else
      contributing.push_back(i);
  }
}

/// Of the same time, and not about somebody else.
bool near(const Claim& claim, const DeathCase& death) {
  if (death.container && claim.who.container && claim.who.container != death.container) return false;
  if (claim.time && death.time) return *claim.time >= *death.time - 10min && *claim.time <= *death.time + 1min;
  return true;
}

/// Boundaries of time (the engine started) matter only where an end has no other explanation.
bool tells_something(const Claim& claim, const DeathCase* death, const Finding& verdict) {
  if (claim.cause() != "none" || !death) return true;
  const std::string& cause = verdict.cause;
  return death->exit_code == 255 || cause == "unknown" || cause == "power-loss" || cause == "host-shutdown";
}

/// Circumstances: complaints near the death, or anywhere if nothing died.
void add_circumstances(const Case& c, const DeathCase* death, const Finding& verdict,
                       const std::vector<std::size_t>& chain, std::vector<std::size_t>& contributing) {
  for (std::size_t i = 0; i < c.claims.size(); ++i) {
    const Claim& claim = c.claims[i];
    if (claim.rule->role != Role::contributing || std::find(chain.begin(), chain.end(), i) != chain.end()) continue;
    if ((!death || near(claim, *death)) && tells_something(claim, death, verdict)) contributing.push_back(i);
  }
}

std::vector<RuledOut> innocent(const Case& c, const DeathCase* death) {
  std::vector<std::size_t> claims;
  for (std::size_t i = 0; i < c.claims.size(); ++i)
    if (c.claims[i].rule->role == Role::harmless && (!death || near(c.claims[i], *death))) claims.push_back(i);
  std::vector<RuledOut> out;
  for (auto& finding : merge_repeats(c, claims, most_ruled_out, true))
    out.push_back({finding.rule, finding.summary, std::move(finding.evidence)});
  return out;
}

Death death_entry(const Case& c, const DeathCase& death) {
  Death entry;
  entry.subject = subject_of(c, death);
  entry.time = death.time;
  entry.cause = "unknown";
  if (!death.verdict) return entry;
  const Finding finding = to_finding(c, c.claims[*death.verdict], &death);
  entry.victim = finding.victim;
  entry.cause = finding.cause;
  entry.confidence = finding.confidence;
  return entry;
}

std::vector<Death> other_deaths(const Case& c, std::optional<std::size_t> chosen,
                                const std::vector<std::size_t>& chain) {
  std::set<std::size_t> told;
  if (chosen) told.insert(*chosen);
  for (const auto i : chain)
    if (c.claims[i].death) told.insert(*c.claims[i].death);
  std::vector<Death> out;
  for (std::size_t d = c.deaths.size(); d-- > 0 && out.size() < most_deaths;)
    if (!told.contains(d)) out.push_back(death_entry(c, c.deaths[d]));
  return out;
}

Finding no_death(const Case& c, const Choice& choice) {
  Finding verdict;
  verdict.rule = "judge/no-death";
  verdict.cause = "none";
  verdict.confidence = Confidence::low;
  const std::string name = sentence_name(choice.subject);
  if (!choice.known) {
    verdict.rule = "judge/unknown-subject";
    verdict.cause = "unknown";
    verdict.summary = fmt::format("Nothing in this evidence knows {}.", name.empty() ? "the subject" : name);
    return verdict;
  }
  const Container* state = choice.containers.empty() ? nullptr : c.containers[choice.containers.back()].state;
  if (state && state->running)
    verdict.summary = fmt::format("{} is running{}; nothing in this evidence says that it died.", name,
                                  state->started_at ? " since " + moment_text(*state->started_at) : "");
  else if (!name.empty())
    verdict.summary = fmt::format("Nothing in this evidence says that {} died.", name);
  else
    verdict.summary = "Nothing in this evidence says that anything died or was lost.";
  return verdict;
}

/// An end that no rule explains.
Finding unexplained(const Choice& choice, const DeathCase& death) {
  Finding verdict;
  verdict.rule = "judge/unexplained";
  verdict.cause = "unknown";
  verdict.time = death.time;
  verdict.clock = death.clock;
  verdict.summary = fmt::format("{} ended{}{}, and nothing in this evidence says why.", sentence_name(choice.subject),
                                death.time ? " at " + moment_text(*death.time) : "",
                                death.exit_code ? fmt::format(" with status {}", *death.exit_code) : "");
  if (death.exit_code) verdict.facts["exit_code"] = static_cast<std::int64_t>(*death.exit_code);
  return verdict;
}

void explain_death(const Case& c, const Choice& choice, Report& report, std::vector<std::size_t>& chain,
                   std::vector<std::size_t>& contributing) {
  const DeathCase& death = c.deaths[*choice.death];
  chain = chain_of(c, death);
  if (chain.empty()) {
    report.verdict = unexplained(choice, death);
    return;
  }
  std::vector<Finding> links;
  for (const auto i : chain)
    links.push_back(to_finding(c, c.claims[i], c.claims[i].death == choice.death ? &death : nullptr));
  links.front().confidence = chain_confidence(c, chain);
  gather(c, death, chain, links, contributing);
  set_summary(c, choice, death, chain, links.front());
  report.verdict = links.front();
  if (links.size() > 1) report.chain = std::move(links);
}

void complete_subject(const Case& c, const DeathCase* death, Subject& subject) {
  if (!death) return;
  subject.died_at = death->time;
  subject.exit_code = death->exit_code;
  if (death->exit_code && *death->exit_code > 128) subject.signal = signal_name(*death->exit_code - 128);
  if (subject.signal.empty() && death->verdict) {
    const int number = signal_number(text_of(c.claims[*death->verdict].match->values, "signal"));
    if (number > 0 && !death->exit_code) subject.signal = signal_name(number);
  }
}

}  // namespace

Report judge(const Evidenced& evidence, const RuleSet& rules, const Subject& subject, const AnalyzeOptions& options) {
  Case c(evidence, rules, options);
  make_claims(c);
  group_deaths(c);
  rate_claims(c);
  choose_causes(c);
  const Choice choice = choose_death(c, subject);

  Report report;
  report.subject = choice.subject;
  std::vector<std::size_t> chain, contributing;
  const DeathCase* death = choice.death ? &c.deaths[*choice.death] : nullptr;
  if (death)
    explain_death(c, choice, report, chain, contributing);
  else
    report.verdict = no_death(c, choice);
  complete_subject(c, death, report.subject);
  add_circumstances(c, death, report.verdict, chain, contributing);
  report.contributing = merge_repeats(c, contributing, most_contributing);
  report.ruled_out = innocent(c, death);
  report.contradictions = find_contradictions(c, death);
  report.coverage = coverage_of(c, death);
  report.missing = find_missing(c, choice, death, report.verdict);
  report.deaths = other_deaths(c, choice.death, chain);
  report.diagnostics = evidence.timeline.diagnostics;
  return report;
}

}  // namespace forensics
