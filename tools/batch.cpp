#include "batch.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "forensics/forensics.h"
#include "output.h"

namespace why_died {
namespace {

using forensics::Error;
using forensics::ErrorCode;
using forensics::show;

struct Bundle {
  std::string name;              ///< as in the database: the path as it was reached
  std::filesystem::path path;
  std::string reason;            ///< not empty: the folder that should have listed it cannot be read
};

struct Counts {
  std::size_t caused = 0, no_cause = 0, unreadable = 0;
  std::size_t all() const { return caused + no_cause + unreadable; }
};

/// The database and what SQLite keeps beside it: an output is not an input, wherever it stands.
bool is_output(const std::filesystem::path& path, const std::filesystem::path& out) {
  std::error_code error;
  const auto stem = std::filesystem::weakly_canonical(out, error).string();
  const auto file = std::filesystem::weakly_canonical(path, error).string();
  return file == stem || file == stem + "-wal" || file == stem + "-shm" || file == stem + "-journal";
}

void add_folder(const std::filesystem::path& folder, const Options& options, std::vector<Bundle>& bundles) {
  std::error_code error;
  std::filesystem::directory_iterator at(folder, error);
  for (const std::filesystem::directory_iterator end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with('.') || is_output(at->path(), options.out)) continue;
    bundles.push_back({at->path().lexically_normal().string(), at->path(), {}});
  }
  if (error) bundles.push_back({folder.lexically_normal().string(), folder, error.message()});
}

std::vector<Bundle> bundles_of(const Options& options) {
  std::vector<Bundle> bundles;
  for (const std::string& word : options.words) {
    std::error_code error;
    if (std::filesystem::is_directory(word, error))
      add_folder(word, options, bundles);
    else
      bundles.push_back({std::filesystem::path(word).lexically_normal().string(), word, {}});
  }
  const auto by_name = [](const Bundle& a, const Bundle& b) { return a.name < b.name; };
  std::stable_sort(bundles.begin(), bundles.end(), by_name);
  const auto same = [](const Bundle& a, const Bundle& b) { return a.name == b.name; };
  bundles.erase(std::unique(bundles.begin(), bundles.end(), same), bundles.end());
  return bundles;
}

bool names_a_cause(const std::string& cause) { return !cause.empty() && cause != "none" && cause != "unknown"; }

/// The row of the table `bundle`, with its first evidence.
std::string row(const std::string& name, const forensics::Report& report) {
  const auto& verdict = report.verdict;
  nlohmann::ordered_json json;
  json["bundle"] = show(name);
  json["cause"] = verdict.cause;
  json["confidence"] = to_string(verdict.confidence);
  if (!verdict.rule.empty()) json["rule"] = show(verdict.rule);
  json["subject_kind"] = to_string(report.subject.kind);
  if (!report.subject.name.empty()) json["subject"] = show(report.subject.name);
  const auto time = verdict.time ? verdict.time : report.subject.died_at;
  if (time) json["time"] = forensics::to_string(*time);
  json["summary"] = show(verdict.summary);
  if (!verdict.evidence.empty()) {
    const auto& first = verdict.evidence.front();
    auto& evidence = json["evidence"];
    evidence["source"] = show(first.source);
    if (first.line > 0) evidence["line"] = first.line;
    evidence["text"] = show(first.text);
  }
  return json.dump() + '\n';
}

std::string row_unreadable(const std::string& name, const std::string& reason) {
  const nlohmann::ordered_json json{{"bundle", show(name)}, {"reason", show(reason)}};
  return json.dump() + '\n';
}

class Progress {
 public:
  explicit Progress(std::size_t all) : all_(all), shown_(isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  void step() {
    if (shown_) std::fprintf(stderr, "\r%zu of %zu", ++done_, all_);
  }

 private:
  std::size_t all_, done_ = 0;
  bool shown_;
};

/// Analyses one bundle and stores it; returns its row.
std::string take(const Bundle& bundle, const forensics::RuleSet& rules, const Options& options, forensics::Store& store,
                 Counts& counts) {
  std::string reason = bundle.reason;
  if (reason.empty()) {
    try {
      const auto report = forensics::analyze(bundle.path, rules, {}, options.analyze);
      store.save(bundle.name, report);
      ++(names_a_cause(report.verdict.cause) ? counts.caused : counts.no_cause);
      return row(bundle.name, report);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::io) throw;
      reason = error.reason();
    }
  }
  store.save_unreadable(bundle.name, reason);
  ++counts.unreadable;
  return row_unreadable(bundle.name, reason);
}

}  // namespace

int batch(const Options& options) {
  if (options.words.empty()) throw Error(ErrorCode::usage, "batch", "no bundles", "why-died batch PATH... --out DB");
  if (options.out.empty()) throw Error(ErrorCode::usage, "batch", "no --out DB", "why-died batch PATH... --out DB");
  if (options.format == OutputFormat::json)
    throw Error(ErrorCode::usage, "--format json", "batch prints many rows", "--format ndjson");
  const auto rules = options.rules.empty() ? forensics::RuleSet::builtin() : forensics::RuleSet::load(options.rules);
  const auto bundles = bundles_of(options);
  auto store = forensics::Store::open(options.out);
  Counts counts;
  {
    Progress progress(bundles.size());
    for (const Bundle& bundle : bundles) {
      progress.step();
      const std::string line = take(bundle, rules, options, store, counts);
      if (options.format == OutputFormat::ndjson) print(line);
    }
  }
  if (options.format == OutputFormat::text)
    print(fmt::format("{} bundle{}: {} with a cause, {} without, {} unreadable. Written to {}.\n", counts.all(),
                      counts.all() == 1 ? "" : "s", counts.caused, counts.no_cause, counts.unreadable,
                      show(options.out.string())));
  return counts.unreadable > 0 ? 3 : 0;
}

}  // namespace why_died
