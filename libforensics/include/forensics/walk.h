// Every record of a bundle in time order, with a mark where something was found.
//
// Reads twice: once for clocks and findings, once to hand the records over. Memory does not grow with the logs: one batch
// per open source and a window of a few seconds are held.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "forensics/report.h"

namespace forensics {

/// Which records to hand over; the default is all of them.
struct WalkFilter {
  std::optional<RealTime> since, until;  ///< inclusive. A record without a time of its own counts as its neighbour before it
  std::vector<std::string> sources;      ///< shell patterns of Source::name ("*.log"); empty: all
  std::string boot;                      ///< first digits of a boot id, or 0, -1, ...: counted back from each source's last boot
  std::optional<Severity> severity;      ///< this or worse; then records that print none are left out
  std::filesystem::path spool;           ///< folder for a copy of what can be read once only; empty: the system's
};

/// The decisive record of a finding.
struct FindingMark {
  std::string role;                      ///< verdict, chain, contributing or ruled-out
  std::string rule, cause;               ///< no cause: ruled out
  Confidence confidence = Confidence::low;
};

/// One record. Valid during the call that hands it over.
struct TimelineRecord {
  Event event;
  std::string source;
  std::vector<Witness> also;             ///< other sources that hold the same record
  std::vector<FindingMark> findings;
};

/// Hands every record that `filter` lets through to `visit`, in time order and never out of the order of its source, until
/// `visit` returns false. Returns the report of the whole bundle.
/// Throws: Error (io) if no path could be read, or the spool could not be written.
Report walk(const std::vector<std::filesystem::path>& paths, const RuleSet& rules, const WalkFilter& filter,
            const AnalyzeOptions& options, const std::function<bool(const TimelineRecord&)>& visit);

/// One line, and one more for each finding.
void write_text(std::ostream& out, const TimelineRecord& record, const TextStyle& style = {});

/// One JSON object, without a line's end. Keys are the words of Event.
void write_json(std::ostream& out, const TimelineRecord& record);

}  // namespace forensics
