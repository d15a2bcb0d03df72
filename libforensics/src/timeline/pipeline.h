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
#include "timeline/clock.h"

namespace forensics {

/// Opens a source's bytes; nullptr if they are gone.
using OpenBytes = std::function<std::unique_ptr<ByteSource>()>;

/// A source that was read, to be read again.
struct Replay {
  SourceClock clock;
  Reopen open;            ///< empty: it can be read once only
  bool has_wall = false;  ///< some of its records print a date
  std::uint32_t last_boot = 0;
};

class Pipeline {
 public:
  Pipeline(const RuleSet& rules, const AnalyzeOptions& options);
  ~Pipeline();

  /// Reads one source to its end. `name` is shown; its last part may matter to the sniffers. `newest`: modification
  /// time of the file, which dates logs without a year; empty: unknown. `again` opens the same bytes once more for those
  /// who read twice; empty: they can be read once only.
  void add(const std::string& name, ByteSource& bytes, std::optional<RealTime> newest = {}, const OpenBytes& again = {});
  /// The same with a reader that needs no sniffing (native journal, live ring buffer, Docker API).
  /// `format` is a word for the account. `open` gets the context that the reader reports to.
  void add(const std::string& name, std::string_view format, Trust trust,
           const Reopen& open, Reopen again = {});
  /// Trouble with something that could not become a source.
  void diagnose(Diagnostic diagnostic);

  /// Boots, clocks, order, witnesses; matches of several clauses. The pipeline is empty afterwards.
  Evidenced finish();
  /// The sources as finish() left them, with clocks and the means to read them again; Timeline::sources has the same order.
  std::vector<Replay> take_replays();

 private:
  void add_text(const std::string& name, std::string head, ByteSource& rest, std::optional<RealTime> newest, const OpenBytes& again);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace forensics
