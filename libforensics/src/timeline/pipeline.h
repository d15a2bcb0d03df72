// The one pass over all sources: sniff, read, scan, parse candidates, collect dumps, match, then put everything on one
// time axis and merge what several sources say.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "forensics/report.h"
#include "read/reader.h"
#include "rules/match.h"

namespace forensics {

class Pipeline {
 public:
  Pipeline(const RuleSet& rules, const AnalyzeOptions& options);
  ~Pipeline();

  /// Reads one source to its end. `name` is shown; its last part may matter to the sniffers. `newest`: modification
  /// time of the file, which dates logs without a year; empty: unknown.
  void add(const std::string& name, ByteSource& bytes, std::optional<RealTime> newest = {});
  /// The same with a reader that needs no sniffing (native journal, live ring buffer, Docker API).
  /// `format` is a word for the account. `open` gets the context that the reader reports to.
  void add(const std::string& name, std::string_view format, Trust trust,
           const std::function<std::unique_ptr<Reader>(SourceContext&)>& open);
  /// Trouble with something that could not become a source.
  void diagnose(Diagnostic diagnostic);

  /// Boots, clocks, order, witnesses; matches of several clauses. The pipeline is empty afterwards.
  Evidenced finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace forensics
