// The command line: options, one call, print, exit status.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <iostream>
#include <sstream>
#include <system_error>

#include "batch.h"
#include "forensics/forensics.h"
#include "options.h"
#include "output.h"
#include "report/exit_status.h"
#include "rules_command.h"
#include "timeline.h"

namespace why_died {
namespace {

using forensics::Error;
using forensics::ErrorCode;

// The contract: see EXIT STATUS in the man page.
constexpr int status_cause = 0, status_no_cause = 1, status_usage = 2, status_unreadable = 3;

/// Why a path named on the command line cannot be read; empty if it can. A pipe is not opened to find out: its writer
/// would take that for its reader.
std::string trouble_with(const std::filesystem::path& path) {
  struct ::stat status {};
  const bool input = path == "-";
  if ((input ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status)) != 0)
    return std::generic_category().message(errno);
  if (input) return S_ISDIR(status.st_mode) ? std::generic_category().message(EISDIR) : "";
  if (S_ISFIFO(status.st_mode))
    return ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0 ? "" : std::generic_category().message(errno);
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return "neither a file nor a folder nor a pipe";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::generic_category().message(errno);
  ::close(file);
  return {};
}

/// Paths named on the command line that cannot be read: an error if it is the only one, else a warning for each, and the
/// rest is still read.
bool check_paths(const std::vector<std::filesystem::path>& paths, bool has_subject) {
  bool any = false;
  for (const auto& path : paths) {
    const std::string reason = trouble_with(path);
    if (reason.empty()) continue;
    const std::string where = path == "-" ? "standard input" : path.string();
    std::error_code ignored;
    const bool there = std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
    if (paths.size() == 1)
      throw Error(ErrorCode::io, where, reason, has_subject || there || path == "-" ? "" : "a subject goes first: why-died SUBJECT --in PATH...");
    complain(Error(ErrorCode::io, where, reason, "the rest is still read"), "warning");
    any = true;
  }
  return any;
}

/// True if reading a path that was named broke off. Sources that are files are called by their file's name.
bool broke_off(const std::vector<std::filesystem::path>& paths, const forensics::Report& report) {
  return std::any_of(report.diagnostics.begin(), report.diagnostics.end(), [&](const forensics::Diagnostic& d) {
    if (d.code != "read-error" && d.code != "unreadable") return false;
    return std::any_of(paths.begin(), paths.end(), [&](const std::filesystem::path& path) {
      return d.source == (path == "-" ? "standard input" : path.filename().string());
    });
  });
}

std::string written(const forensics::Report& report, const Options& options) {
  std::ostringstream out;
  switch (options.format) {
    case OutputFormat::text: forensics::write_text(out, report, options.style); break;
    case OutputFormat::json: forensics::write_json(out, report); break;
    case OutputFormat::ndjson: forensics::write_ndjson(out, report); break;
  }
  return out.str();
}

int explain(const Options& options) {
  const auto rules = options.rules.empty() ? forensics::RuleSet::builtin() : forensics::RuleSet::load(options.rules);
  const bool live = options.in.empty();
  const bool unreadable = check_paths(options.in, !options.subject.name.empty());
  if (live) forensics::survive_cut_mappings();
  const auto report = live ? forensics::analyze_host(options.subject, rules, options.analyze, options.host)
                           : forensics::analyze(options.in, rules, options.subject, options.analyze);
  print(written(report, options));
  const std::string& cause = report.verdict.cause;
  if (!cause.empty() && cause != "none" && cause != "unknown") return status_cause;
  return unreadable || broke_off(options.in, report) ? status_unreadable : status_no_cause;
}

int exit_status(const Options& options) {
  const auto status = forensics::explain_exit_status(options.exit_status);
  std::ostringstream out;
  if (options.format == OutputFormat::text)
    forensics::write_text(out, status, options.style);
  else
    forensics::write_json(out, status, options.format == OutputFormat::ndjson);
  print(out.str());
  return status_cause;
}

int rules(const Options& options) {
  std::vector<std::string> words = options.words;
  if (options.causes) words.push_back("--causes");
  if (!options.rules.empty()) words.insert(words.end(), {"--rules", options.rules.string()});
  std::ostringstream out, faults;
  const int status = rules_command(words, out, faults);
  std::cerr << faults.str();
  print(out.str());
  return status;
}

int records(const Options& options) {
  const bool unreadable = check_paths(options.in, true);
  const int status = timeline(options);
  return status != status_cause && unreadable ? status_unreadable : status;
}

int run(const Options& options) {
  switch (options.command) {
    case Command::help: print(help_text()); return 0;
    case Command::version: print("why-died " FORENSICS_VERSION "\n"); return 0;
    case Command::exit_status: return exit_status(options);
    case Command::batch: return batch(options);
    case Command::timeline: return records(options);
    case Command::rules: return rules(options);
    case Command::explain: break;
  }
  return explain(options);
}

}  // namespace
}  // namespace why_died

int main(int argc, char** argv) {
  using namespace why_died;
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(parse_options(argc, argv));
  } catch (const OutputError& error) {
    complain(error);
    return status_usage;
  } catch (const forensics::Error& error) {
    complain(error);
    const bool unreadable = error.code() == forensics::ErrorCode::io || error.code() == forensics::ErrorCode::store;
    return unreadable ? status_unreadable : status_usage;
  } catch (const std::exception& error) {
    complain(forensics::Error(forensics::ErrorCode::io, "internal error", error.what(), "please report it with the input"));
    return status_usage;
  }
}
