// walk(): analyse once, then merge all sources by time while reading them again.
#include "forensics/walk.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

#include "collect/files.h"
#include "forensics/error.h"
#include "judge/judge.h"
#include "timeline/source_walk.h"
#include "timeline/witness_window.h"

namespace forensics {

namespace {

class Marks {
 public:
  explicit Marks(const Report& report) {
    if (!report.verdict.evidence.empty()) add("verdict", report.verdict);
    for (const Finding& f : report.chain)
      if (f.rule != report.verdict.rule) add("chain", f);
    for (const Finding& f : report.contributing) add("contributing", f);
    for (const RuledOut& r : report.ruled_out)
      if (!r.evidence.empty()) marks_[key(r.evidence.front())].push_back({"ruled-out", r.rule, "", Confidence::low});
  }

  std::vector<FindingMark> of(const std::string& source, const Event& event) const {
    const auto it = marks_.find({source, event.where.line, event.where.offset, event.cursor});
    return it == marks_.end() ? std::vector<FindingMark>() : it->second;
  }

 private:
  using Key = std::tuple<std::string, std::uint64_t, std::uint64_t, std::string>;
  static Key key(const Evidence& e) { return {e.source, e.line, e.offset, e.cursor}; }
  void add(const char* role, const Finding& finding) {
    if (!finding.evidence.empty())
      marks_[key(finding.evidence.front())].push_back({role, finding.rule, finding.cause, finding.confidence});
  }

  std::map<Key, std::vector<FindingMark>> marks_;
};

bool chosen(const std::string& name, const std::vector<std::string>& patterns) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
         });
}

class Walk {
 public:
  Walk(const std::vector<Source>& sources, const std::vector<Replay>& replays, const WalkFilter& filter) : sources_(sources) {
    for (std::uint32_t s = 0; s < sources.size(); ++s) {
      if (!chosen(sources[s].name, filter.sources)) continue;
      walks_.push_back(std::make_unique<SourceWalk>(s, sources[s], replays[s], filter));
      queue_.push({walks_.back()->at, walks_.size() - 1, false});
    }
  }

  void run(const Marks& marks, const std::function<bool(const TimelineRecord&)>& visit) {
    TimelineRecord record;
    while (!queue_.empty()) {
      const Turn turn = queue_.top();
      queue_.pop();
      if (turn.holds_record) hold(*walks_[turn.walk], marks);
      while (window_.take(false, record))
        if (!visit(record)) return;
      SourceWalk& walk = *walks_[turn.walk];
      if (walk.next()) queue_.push({walk.at, turn.walk, true});
      else walks_[turn.walk].reset();
    }
    while (window_.take(true, record))
      if (!visit(record)) return;
  }

 private:
  struct Turn {
    std::int64_t at;
    std::size_t walk;
    bool holds_record;   ///< false: its source is not open yet
    bool operator<(const Turn& other) const { return std::tie(at, walk) > std::tie(other.at, other.walk); }   // smallest on top
  };

  void hold(SourceWalk& walk, const Marks& marks) {
    WitnessWindow::Entry entry;
    entry.at = walk.at;
    entry.precision = walk.precision;
    entry.record.source = sources_[walk.event.where.source].name;
    entry.record.findings = marks.of(entry.record.source, walk.event);
    entry.record.event = std::move(walk.event);
    window_.add(std::move(entry));
  }

  const std::vector<Source>& sources_;
  std::vector<std::unique_ptr<SourceWalk>> walks_;
  std::priority_queue<Turn> queue_;
  WitnessWindow window_;
};

}  // namespace

Report walk(const std::vector<std::filesystem::path>& paths, const RuleSet& rules, const WalkFilter& filter,
            const AnalyzeOptions& options, const std::function<bool(const TimelineRecord&)>& visit) {
  Pipeline pipeline(rules, options);
  const auto spool = filter.spool.empty() ? std::filesystem::temp_directory_path() : filter.spool;
  bool any = false;
  for (const auto& path : paths) any |= collect_path(path, pipeline, spool);
  const Evidenced evidence = pipeline.finish();
  if (!any && !paths.empty()) throw_unreadable(paths, evidence.timeline.diagnostics);
  Report report = judge(evidence, rules, {}, options);
  const auto replays = pipeline.take_replays();
  Walk(evidence.timeline.sources, replays, filter).run(Marks(report), visit);
  return report;
}

}  // namespace forensics
