// Evidence made by hand for tests of the judge: rules, events, matches.
#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "judge/judge.h"

namespace forensics::testing {

inline const RealTime noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + std::chrono::hours{12}};

inline std::string id_of(char c) { return std::string(64, c); }

/// Adds what the pipeline would have found. Rules are made on the way.
class CaseBuilder {
 public:
  RuleDef& rule(const std::string& id, const std::string& cause, Role role = Role::verdict) {
    for (auto& r : rules_)
      if (r.id == id) return r;
    RuleDef r;
    r.id = id;
    r.title = id;
    r.cause = cause;
    r.role = role;
    r.explain = "It was " + cause + "[ of {comm}][ in {container}].";
    r.all.push_back({Origin::kernel, {}, {"x"}, ""});
    rules_.push_back(std::move(r));
    return rules_.back();
  }

  void link(const std::string& from, const std::string& to, std::chrono::microseconds within,
            const std::string& shared) {
    links_.push_back({from, to, within, shared});
  }

  std::uint32_t source(const std::string& name, const std::string& format, Trust trust,
                       std::optional<RealTime> from = {}, std::optional<RealTime> to = {}) {
    Source s;
    s.name = name;
    s.format = format;
    s.trust = trust;
    s.from = from;
    s.to = to;
    evidence_.timeline.sources.push_back(std::move(s));
    return static_cast<std::uint32_t>(evidence_.timeline.sources.size() - 1);
  }

  Event& event(std::uint32_t source, std::optional<RealTime> time, const std::string& identifier,
               const std::string& message) {
    Event e;
    e.where = {source, evidence_.timeline.events.size() + 1, evidence_.timeline.events.size() * 100, message.size()};
    e.time = time;
    e.clock = time ? ClockQuality::exact : ClockQuality::none;
    e.trust = evidence_.timeline.sources[source].trust;
    e.identifier = identifier;
    e.message = message;
    e.text = message;
    evidence_.timeline.events.push_back(std::move(e));
    return evidence_.timeline.events.back();
  }

  /// A match of `rule` on the event that was added last.
  Match& match(const std::string& rule_id, std::map<std::string, Fact, std::less<>> values) {
    const auto index = static_cast<std::uint32_t>(evidence_.timeline.events.size() - 1);
    Match m;
    m.values = std::move(values);
    m.events = {index};
    m.trust = evidence_.timeline.events[index].trust;
    evidence_.matches.push_back(std::move(m));
    rule_of_match_.push_back(rule_id);
    return evidence_.matches.back();
  }

  /// What inspect says, with the match of an exit rule.
  Container& inspected(char id, const std::string& name, int exit_code, std::optional<RealTime> finished,
                       bool oom = false) {
    if (inspect_ < 0) inspect_ = static_cast<int>(source("inspect.json", "docker-inspect", Trust::daemon));
    Container c;
    c.id = id_of(id);
    c.name = name;
    c.image = "image:1";
    c.status = "exited";
    c.exit_code = exit_code;
    c.oom_killed = oom;
    c.finished_at = finished;
    if (finished) c.started_at = *finished - std::chrono::hours{1};
    evidence_.timeline.containers.push_back(std::move(c));
    state(id, name, finished, "exited exit_code=" + std::to_string(exit_code));
    const std::string cause = exit_code == 0 ? "clean-exit" : exit_code > 128 ? "unknown-signal" : "exit-code";
    rule("exit/" + cause, cause).all[0].origin = Origin::state;
    match("exit/" + cause, {{"exit_code", std::to_string(exit_code)}});
    if (oom) {
      state(id, name, finished, "oom_killed=true");
      rule("oom/state-flag", "oom-kill").all[0].origin = Origin::state;
      match("oom/state-flag", {{"exit_code", std::to_string(exit_code)}});
    }
    return evidence_.timeline.containers.back();
  }

  Report judge(const Subject& subject = {}, const AnalyzeOptions& options = {}) {
    std::vector<RuleDef> sorted(rules_.begin(), rules_.end());
    std::sort(sorted.begin(), sorted.end(), [](const RuleDef& a, const RuleDef& b) { return a.id < b.id; });
    auto impl = std::make_shared<RuleSet::Impl>();
    impl->rules = std::move(sorted);
    impl->chains = links_;
    for (std::size_t i = 0; i < evidence_.matches.size(); ++i)
      for (const auto& r : impl->rules)
        if (r.id == rule_of_match_[i]) evidence_.matches[i].rule = &r;
    return forensics::judge(evidence_, RuleSet(impl), subject, options);
  }

  Evidenced& evidence() { return evidence_; }

 private:
  void state(char id, const std::string& name, std::optional<RealTime> time, const std::string& message) {
    Event& e = event(static_cast<std::uint32_t>(inspect_), time, "container-state", message);
    e.container_id = id_of(id);
    e.container_name = name;
  }

  std::list<RuleDef> rules_;
  std::vector<ChainLink> links_;
  std::vector<std::string> rule_of_match_;
  Evidenced evidence_;
  int inspect_ = -1;
};

inline Subject container(const std::string& name) {
  Subject s;
  s.kind = SubjectKind::container;
  s.name = name;
  return s;
}

}  // namespace forensics::testing
