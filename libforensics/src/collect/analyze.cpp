// analyze(): collect, read, judge.
#include "collect/files.h"
#include "forensics/report.h"
#include "judge/judge.h"
#include "timeline/pipeline.h"

namespace forensics {

Report analyze(const std::vector<std::filesystem::path>& paths, const RuleSet& rules, const Subject& subject,
               const AnalyzeOptions& options) {
  Pipeline pipeline(rules, options);
  bool any = false;
  for (const auto& path : paths) any |= collect_path(path, pipeline);
  const Evidenced evidence = pipeline.finish();
  if (!any && !paths.empty()) throw_unreadable(paths, evidence.timeline.diagnostics);
  return judge(evidence, rules, subject, options);
}

Report analyze(const std::filesystem::path& path, const RuleSet& rules, const Subject& subject, const AnalyzeOptions& options) {
  return analyze(std::vector{path}, rules, subject, options);
}

Report analyze_text(std::string_view name, std::string_view bytes, const RuleSet& rules, const Subject& subject,
                    const AnalyzeOptions& options) {
  Pipeline pipeline(rules, options);
  MemorySource source(bytes);
  pipeline.add(std::string(name), source);
  return judge(pipeline.finish(), rules, subject, options);
}

}  // namespace forensics
