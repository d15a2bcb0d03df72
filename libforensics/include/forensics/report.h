// From evidence to a report, and from a report to text or JSON.
//
//   auto rules  = forensics::RuleSet::builtin();
//   auto report = forensics::analyze("bundle", rules);
//   forensics::write_text(std::cout, report);
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "forensics/rules.h"
#include "forensics/verdict.h"

namespace forensics {

struct AnalyzeOptions {
  std::string timezone;              ///< IANA name or +HH:MM for local stamps without a zone; empty: from the bundle, else UTC
  std::optional<int> year;           ///< of the last line of logs without a year; empty: inferred
  std::optional<RealTime> around;    ///< of several deaths of the subject, the last before this moment
  std::optional<RealTime> now;       ///< "today" where nothing else dates a log; empty: the newest file's modification time
  bool scan = true;                  ///< false: every rule meets every record. Same output, slower: for tests
};

/// Reads files and folders ("-" is standard input) as one bundle and judges. Never throws for what they contain.
/// Throws: Error (io) only if *no* path could be read; a path that could not be is a Diagnostic "unreadable".
Report analyze(const std::vector<std::filesystem::path>& paths, const RuleSet& rules,
               const Subject& subject = {}, const AnalyzeOptions& options = {});
Report analyze(const std::filesystem::path& path, const RuleSet& rules, const Subject& subject = {},
               const AnalyzeOptions& options = {});

/// The same from memory: one source of the given name (names may matter: "docker-logs.txt" is a container's log).
Report analyze_text(std::string_view name, std::string_view bytes, const RuleSet& rules,
                    const Subject& subject = {}, const AnalyzeOptions& options = {});

struct TextStyle {
  bool color = false;
  bool quiet = false;                ///< the sentence only
  bool verbose = false;              ///< every account and diagnostic
  int width = 100;                   ///< columns to wrap prose at; evidence is never wrapped
};

void write_text(std::ostream& out, const Report& report, const TextStyle& style = {});

/// Schema 1 of the JSON contract, UTF-8, one object; what is unknown is absent.
void write_json(std::ostream& out, const Report& report);

/// The same on one line.
void write_ndjson(std::ostream& out, const Report& report);

}  // namespace forensics
