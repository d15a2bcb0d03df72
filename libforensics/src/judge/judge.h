// Matches about a subject become one report. Pure: no clock, no file.
#pragma once

#include "forensics/report.h"
#include "rules/match.h"

namespace forensics {

Report judge(const Evidenced& evidence, const RuleSet& rules, const Subject& subject, const AnalyzeOptions& options);

/// A bare exit status (why-died 137): what it means and what it does not prove, with the two commands that would.
struct ExitStatus {
  int status = 0;
  std::string name;  ///< "SIGKILL", "command not found", ...; empty: the program's own
  std::string meaning, not_proof;
  std::vector<std::string> commands;
};
ExitStatus explain_exit_status(int status);

}  // namespace forensics
