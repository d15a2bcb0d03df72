#include "report/exit_status.h"

#include <ostream>

#include <fmt/format.h>

#include "report/report_json.h"
#include "report/wrap.h"

namespace forensics {
namespace {

bool is_signal(int status) { return status > 128 && status <= 128 + 64; }

std::string_view cause_of(int status) {
  if (status == 0) return "clean-exit";
  if (status >= 125 && status <= 127) return "start-failed";
  return is_signal(status) ? "unknown-signal" : "exit-code";
}

}  // namespace

Report report_of(const ExitStatus& status) {
  Report report;
  report.subject.exit_code = status.status;
  if (is_signal(status.status)) report.subject.signal = status.name;
  report.verdict.cause = cause_of(status.status);
  report.verdict.summary = status.meaning;
  if (!status.not_proof.empty())
    report.missing.push_back({status.not_proof, fmt::format("{}", fmt::join(status.commands, "; "))});
  return report;
}

void write_text(std::ostream& out, const ExitStatus& status, const TextStyle& style) {
  const std::string name = status.name.empty() ? "" : fmt::format(" ({})", show(status.name));
  const std::string sentence = fmt::format("Exit status {}{}: {}", status.status, name, show(status.meaning));
  if (style.quiet) {
    out << sentence << '\n';
    return;
  }
  out << wrap(sentence, style.width, "", "");
  if (!status.not_proof.empty()) out << '\n' << wrap(show(status.not_proof), style.width, "", "");
  if (status.commands.empty()) return;
  out << "\nTo know more:\n";
  for (const std::string& command : status.commands) out << "  " << show(command) << '\n';
}

void write_json(std::ostream& out, const ExitStatus& status, bool one_line) {
  auto json = report_json(report_of(status));
  auto& own = json["exit_status"];
  own["status"] = status.status;
  if (!status.name.empty()) own["name"] = show(status.name);
  own["meaning"] = show(status.meaning);
  if (!status.not_proof.empty()) own["not_proof"] = show(status.not_proof);
  own["commands"] = status.commands;
  out << (one_line ? json.dump() : json.dump(2)) << '\n';
}

}  // namespace forensics
