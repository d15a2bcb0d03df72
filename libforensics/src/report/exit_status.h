// A bare exit status as text, as JSON, and as the report that it amounts to.
#pragma once

#include <iosfwd>

#include "forensics/report.h"
#include "judge/judge.h"

namespace forensics {

/// What a status alone supports: the cause is at most `unknown-signal`, `start-failed`, `exit-code` or `clean-exit`, and
/// the confidence is low.
Report report_of(const ExitStatus& status);

void write_text(std::ostream& out, const ExitStatus& status, const TextStyle& style = {});
void write_json(std::ostream& out, const ExitStatus& status, bool one_line = false);

}  // namespace forensics
