// The command line: grammar in the man page. Nothing here reads a log.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "forensics/host.h"
#include "forensics/report.h"
#include "forensics/walk.h"

namespace why_died {

enum class Command { explain, exit_status, batch, timeline, rules, help, version };
enum class OutputFormat { text, json, ndjson };

struct Options {
  Command command = Command::explain;
  std::vector<std::string> words;            ///< after the command: the paths of batch, the words of rules
  bool causes = false;                       ///< rules list --causes
  forensics::Subject subject;
  std::vector<std::filesystem::path> in;     ///< empty: the live host
  int exit_status = 0;
  OutputFormat format = OutputFormat::text;
  std::filesystem::path rules;               ///< empty: the built-in ones
  std::filesystem::path out;
  forensics::AnalyzeOptions analyze;
  forensics::HostOptions host;
  forensics::TextStyle style;
  forensics::WalkFilter walk;                ///< timeline
};

/// Throws: Error (usage).
Options parse_options(int argc, const char* const* argv);

const char* help_text();

}  // namespace why_died
