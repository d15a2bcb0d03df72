#include "read/state_records.h"

#include <fmt/format.h>

#include "read/rfc3339.h"

namespace forensics {
namespace {

constexpr std::size_t longest_text = 4096;   // of an error or a probe's output

/// `key=value` words behind one another; what is empty is left out.
class Words {
 public:
  explicit Words(std::string_view first) : text_(first) {}
  Words& add(std::string_view key, std::string_view value) {
    if (!value.empty()) text_ += fmt::format("{}{}={}", text_.empty() ? "" : " ", key, value);
    return *this;
  }
  Words& quoted(std::string_view key, std::string_view value) {
    if (!value.empty())
      text_ += fmt::format("{}{}=\"{}\"", text_.empty() ? "" : " ", key, one_line(value.substr(0, longest_text)));
    return *this;
  }
  std::string text() const { return text_; }

 private:
  std::string text_;
};

/// The last start failed. Docker then leaves the times of the run before, and writes 125 to 128 itself. For a run of a
/// moment, the start is noted after the end: so a minute must lie between them before that counts.
bool never_started(const StatedContainer& s) {
  const Container& c = s.container;
  const int code = c.exit_code.value_or(0);
  if (!c.error.empty() && code >= 125 && code <= 128) return true;
  if (s.started_known && !c.started_at) return true;
  return c.started_at && c.finished_at && *c.started_at > *c.finished_at + std::chrono::minutes(1);
}

std::string code_of(const Container& c) { return c.exit_code ? std::to_string(*c.exit_code) : std::string{}; }

WholeRecord record_of(const StatedContainer& s, std::string message, const Place& place, const Stamp& stamp) {
  WholeRecord record;
  record.message = std::move(message);
  record.place = place ? place : s.anywhere;
  record.stamp = stamp;
  record.container_id = s.container.id;
  record.container_name = s.container.name;
  return record;
}

/// exited, never-started or running. A container that was only created has nothing to tell.
void add_outcome(const StatedContainer& s, const Stamp& ended, std::vector<WholeRecord>& records) {
  const Container& c = s.container;
  if (c.running) {
    records.push_back(record_of(s, Words("running").add("status", c.status).add("exit_code", code_of(c))
                                       .add("restart_count", std::to_string(c.restart_count)).text(),
                                s.exit_code, s.started));
  } else if (s.has_exit_code && never_started(s)) {
    if (c.exit_code.value_or(0) != 0 || !c.error.empty())
      records.push_back(record_of(s, Words("never-started").add("exit_code", code_of(c)).add("status", c.status)
                                         .quoted("error", c.error).text(),
                                  !c.error.empty() && s.error ? s.error : s.exit_code, ended));
  } else if (s.has_exit_code) {
    const std::string_view oom = c.oom_killed ? (*c.oom_killed ? "true" : "false") : "";
    records.push_back(record_of(s, Words("exited").add("exit_code", code_of(c)).add("oom_killed", oom)
                                       .add("status", c.status).quoted("error", c.error).text(), s.exit_code, ended));
  }
}

void add_health(const StatedContainer& s, std::vector<WholeRecord>& records) {
  Stamp last;
  for (const Probe& probe : s.probes) {
    last = probe.end;
    records.push_back(record_of(s, Words("health_log").add("exit_code", probe.exit_code)
                                       .quoted("output", probe.output).text(), probe.place, probe.end));
  }
  if (s.container.health == "unhealthy")
    records.push_back(record_of(s, Words("").add("health", s.container.health).add("streak", s.health_streak).text(),
                                s.health, last));
}

}  // namespace

void add_state(const StatedContainer& s, SourceContext& context, std::vector<WholeRecord>& records) {
  const Container& c = s.container;
  Stamp ended;
  if (c.finished_at) {
    ended = s.finished;
  } else if (never_started(s) && c.created_at) {
    ended = s.created;
  }
  add_outcome(s, ended, records);
  const Stamp unless_running = c.running ? Stamp{} : ended;
  if (c.oom_killed.value_or(false) && s.oom_killed)
    records.push_back(record_of(s, Words("oom_killed=true").add("exit_code", code_of(c)).add("status", c.status).text(),
                                s.oom_killed, unless_running));
  if (!c.error.empty() && s.error)
    records.push_back(record_of(s, Words("").quoted("error", c.error).add("exit_code", code_of(c))
                                       .add("status", c.status).text(), s.error, unless_running));
  if (!s.reason_word.empty())
    records.push_back(record_of(s, Words("").add("reason", s.reason_word).add("exit_code", code_of(c))
                                       .quoted("message", s.reason_message).text(), s.reason, unless_running));
  add_health(s, records);
  context.containers.push_back(c);
}

}  // namespace forensics
