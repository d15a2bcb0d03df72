// The live host: engine, ring buffer, journal or /var/log, in this order, into one pipeline.
#include "forensics/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "collect/engine.h"
#include "collect/files.h"
#include "collect/kmsg.h"
#include "collect/native_journal.h"
#include "forensics/error.h"
#include "judge/judge.h"
#include "rules/rule.h"

namespace forensics {

namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr auto before_start = minutes(10);   // what made it fail may have begun before it started
constexpr auto look_back = hours(24 * 7);    // for subjects without a start
constexpr std::uintmax_t most_log_bytes = std::uintmax_t{1} << 30;

RealTime now() { return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now()); }

/// The identifiers that rules ask for: what else a journal holds need not be read.
std::vector<std::string> identifiers_of(const RuleSet& rules) {
  std::vector<std::string> names;
  for (const RuleDef& rule : rules.rules())
    for (const auto* clauses : {&rule.all, &rule.any, &rule.none})
      for (const Clause& clause : *clauses) names.insert(names.end(), clause.identifiers.begin(), clause.identifiers.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

struct LogFile {
  std::filesystem::path path;
  std::filesystem::file_time_type changed;
  std::uintmax_t size = 0;
};

bool is_system_log(const std::string& name) {
  return name.starts_with("syslog") || name.starts_with("kern.log") || name.starts_with("messages");
}

/// syslog, kern.log and messages with their rotated ones, newest first; only those written to since.
std::vector<LogFile> system_logs(const std::string& folder, RealTime since) {
  std::vector<LogFile> files;
  std::error_code error;
  const auto age = std::chrono::duration_cast<std::filesystem::file_time_type::duration>(now() - since);
  const auto oldest = std::filesystem::file_time_type::clock::now() - age;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (!is_system_log(it->path().filename()) || !it->is_regular_file(ignored)) continue;
    LogFile file{it->path(), it->last_write_time(ignored), it->file_size(ignored)};
    if (!ignored && file.changed >= oldest && file.size > 0) files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const LogFile& a, const LogFile& b) {
    return a.changed != b.changed ? a.changed > b.changed : a.path < b.path;
  });
  return files;
}

class Host {
 public:
  Host(const Subject& subject, const RuleSet& rules, const AnalyzeOptions& options, const HostOptions& host)
      : subject_(subject), rules_(rules), options_(options), host_(host), pipeline_(rules, options_) {
    if (!options_.now) options_.now = now();
  }

  Report report() {
    ask_engines();
    ring_buffer();
    if (!journal()) log_files();
    Evidenced evidence = pipeline_.finish();
    evidence.live = true;
    Report report = judge(evidence, rules_, subject_, options_);
    for (const Missing& missing : missing_) {
      const auto same = [&](const Missing& other) { return other.what == missing.what; };
      if (std::none_of(report.missing.begin(), report.missing.end(), same)) report.missing.push_back(missing);
    }
    return report;
  }

 private:
  void closed(const std::string& source, const std::string& why, const std::string& hint) {
    pipeline_.diagnose({source, 0, "closed-source", why, 1});
    missing_.push_back({fmt::format("{} could not be read: {}", source, why), hint});
  }

  void ask_engines() {
    const bool whole = subject_.kind == SubjectKind::last_death;
    if (subject_.kind != SubjectKind::container && !whole) return;
    const EngineSearch search = find_engines(host_.docker_host);
    for (const ClosedEngine& engine : search.closed) closed(engine.source, engine.why, engine.hint);
    if (search.open.empty()) return;
    if (whole) return add_all_containers(search.open, now() - look_back, pipeline_);
    const auto found = find_container(search.open, subject_.name, now());   // throws if there is none
    if (!found)
      return closed(search.open.front().endpoint(), "the engine does not list its containers", "see whether it hangs: systemctl status docker");
    subject_.name = found->name;
    subject_.id = found->id;
    if (found->since) since_ = *found->since - before_start;
    found->add_to(pipeline_, since_, now());
  }

  void ring_buffer() {
    std::string why, hint;
    if (!host_.kmsg.empty() && !collect_kmsg(host_.kmsg, pipeline_, why, hint)) closed(host_.kmsg, why, hint);
  }

  /// True if the journal covers the time asked for, so that the text logs can add nothing.
  bool journal() {
    const LiveJournal journal = collect_live_journal(host_.journal, since_, identifiers_of(rules_), pipeline_);
    if (!journal.read && !journal.why.empty())
      closed("journal", journal.why, "run it as root, or join the group that may read it: sudo usermod -aG systemd-journal $USER");
    return journal.read && journal.from && *journal.from <= since_;
  }

  void log_files() {
    std::uintmax_t bytes = 0;
    for (const LogFile& file : system_logs(host_.log_dir, since_)) {
      if ((bytes += file.size) > most_log_bytes) {
        pipeline_.diagnose({file.path.string(), 0, "log-too-large", "not read: newer logs came to 1 GiB already", 1});
        continue;
      }
      if (!collect_path(file.path, pipeline_))
        missing_.push_back({file.path.string() + " could not be read", "run it as root, or join the group adm"});
    }
  }

  Subject subject_;
  const RuleSet& rules_;
  AnalyzeOptions options_;
  const HostOptions& host_;
  Pipeline pipeline_;
  RealTime since_ = now() - look_back;
  std::vector<Missing> missing_;
};

}  // namespace

Report analyze_host(const Subject& subject, const RuleSet& rules, const AnalyzeOptions& options, const HostOptions& host) {
  return Host(subject, rules, options, host).report();
}

}  // namespace forensics
