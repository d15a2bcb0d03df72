#include "options.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include <boost/program_options.hpp>

#include "forensics/error.h"
#include "moment.h"

namespace why_died {
namespace {

namespace po = boost::program_options;
using forensics::Error;
using forensics::ErrorCode;
using forensics::SubjectKind;

[[noreturn]] void refuse(const std::string& where, const std::string& reason, const std::string& hint = {}) {
  throw Error(ErrorCode::usage, where, reason, hint);
}

[[noreturn]] void not_here(const std::string& what) {
  refuse(what, "not in this version", "why-died --help lists what there is");
}

bool is_one_of(const std::string& word, std::initializer_list<const char*> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::optional<std::int64_t> number(const std::string& text, std::size_t most_digits) {
  const bool digits = !text.empty() && text.size() <= most_digits && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::optional<std::int64_t>(std::stoll(text)) : std::nullopt;
}

po::options_description described() {
  po::options_description all;
  all.add_options()
      ("help,h", "")("version", "")("quiet", "")("verbose", "")("no-color", "")("causes", "")
      ("in", po::value<std::vector<std::string>>()->multitoken()->composing())
      ("format", po::value<std::string>())("rules", po::value<std::string>())("timezone", po::value<std::string>())
      ("year", po::value<std::string>())("around", po::value<std::string>())
      ("since", po::value<std::string>())("until", po::value<std::string>())("window", po::value<std::string>())
      ("source", po::value<std::vector<std::string>>()->composing())("boot", po::value<std::string>())
      ("severity", po::value<std::string>())("tmpdir", po::value<std::string>())
      ("docker-host", po::value<std::string>())("out", po::value<std::string>())
      ("word", po::value<std::vector<std::string>>());
  // Words of the contract that a later version will know: said so, instead of "unrecognised".
  all.add_options()
      ("root", po::value<std::string>())("jobs", po::value<std::string>())("resume", "")("redact", "");
  return all;
}

po::variables_map parsed(int argc, const char* const* argv) {
  const po::options_description all = described();
  po::positional_options_description words;
  words.add("word", -1);
  // No guessing: an abbreviation that works today is ambiguous with the option that comes tomorrow.
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::variables_map map;
  try {
    po::store(po::command_line_parser(argc, argv).options(all).positional(words).style(style).run(), map);
  } catch (const po::error& error) {
    refuse("", forensics::show(error.what()), "why-died --help lists the options; none is abbreviated");
  }
  return map;
}

OutputFormat format_of(const std::string& word) {
  if (word == "text") return OutputFormat::text;
  if (word == "json") return OutputFormat::json;
  if (word == "ndjson") return OutputFormat::ndjson;
  if (word == "html") not_here("--format html");
  refuse("--format", "no such format: " + forensics::show(word), "text, json or ndjson");
}

forensics::Subject subject_of(const std::string& word) {
  forensics::Subject subject;
  const std::size_t colon = word.find(':');
  const std::string kind = word.substr(0, colon);
  const bool known = colon != std::string::npos && is_one_of(kind, {"container", "unit", "pid"});
  subject.name = known ? word.substr(colon + 1) : word;
  if (subject.name.empty()) refuse(forensics::show(word), "no name", "container:NAME, unit:NAME, pid:N or host");
  subject.kind = kind == "unit" && known ? SubjectKind::unit : SubjectKind::container;
  if (word == "host") subject.kind = SubjectKind::host;
  if (kind == "pid" && known) {
    subject.kind = SubjectKind::pid;
    subject.pid = number(subject.name, 10);
    if (!subject.pid) refuse(forensics::show(word), "not a process id", "pid:N, N in digits");
  }
  return subject;
}

void take_style(const po::variables_map& map, Options& options) {
  auto& style = options.style;
  style.quiet = map.count("quiet") > 0;
  style.verbose = map.count("verbose") > 0;
  if (style.quiet && style.verbose) refuse("", "--quiet and --verbose exclude each other");
  const char* no_color = std::getenv("NO_COLOR");
  style.color = isatty(STDOUT_FILENO) && map.count("no-color") == 0 && (no_color == nullptr || *no_color == '\0');
  if (winsize size{}; ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = std::clamp<int>(size.ws_col, 60, 120);
}

void take_values(const po::variables_map& map, Options& options) {
  const auto text = [&](const char* name) { return map.count(name) ? map[name].as<std::string>() : std::string(); };
  if (map.count("format")) options.format = format_of(text("format"));
  options.rules = text("rules");
  options.out = text("out");
  options.causes = map.count("causes") > 0;
  options.host.docker_host = text("docker-host");
  options.analyze.timezone = text("timezone");
  if (map.count("timezone")) check_timezone(options.analyze.timezone);
  if (map.count("year")) {
    const auto year = number(text("year"), 4);
    if (!year || *year < 1970) refuse("--year", "not a year: " + forensics::show(text("year")), "four digits, 1970 or later");
    options.analyze.year = static_cast<int>(*year);
  }
  if (map.count("around")) options.analyze.around = parse_moment("--around", text("around"), options.analyze.timezone);
  if (map.count("in"))
    for (const std::string& path : map["in"].as<std::vector<std::string>>()) options.in.emplace_back(path);
}

forensics::Severity severity_of(const std::string& word) {
  // The kernel's and syslog(3)'s short names beside those of RFC 5424.
  constexpr std::string_view names[][3] = {{"emergency", "emerg", "0"}, {"alert", "alert", "1"},   {"critical", "crit", "2"}, {"error", "err", "3"},
                                           {"warning", "warn", "4"},    {"notice", "notice", "5"}, {"info", "info", "6"},     {"debug", "debug", "7"}};
  for (std::size_t i = 0; i < std::size(names); ++i)
    for (const std::string_view name : names[i])
      if (word == name) return static_cast<forensics::Severity>(i);
  refuse("--severity", "no such severity: " + forensics::show(word), "emerg, alert, crit, err, warning, notice, info or debug");
}

/// The options of timeline; with `around` the window about it is what is asked for.
void take_walk(const po::variables_map& map, Options& options) {
  const auto text = [&](const char* name) { return map.count(name) ? map[name].as<std::string>() : std::string(); };
  const bool timeline = options.command == Command::timeline;
  for (const char* name : {"since", "until", "window", "source", "boot", "severity", "tmpdir"})
    if (map.count(name) && !timeline) refuse(std::string("--") + name, "belongs to: why-died timeline");
  if (!timeline) return;
  auto& walk = options.walk;
  const auto moment = [&](const char* name) { return parse_moment(std::string("--") + name, text(name), options.analyze.timezone); };
  if (map.count("window") && !options.analyze.around) refuse("--window", "is a window about --around TIME");
  if (options.analyze.around) {
    if (map.count("since") || map.count("until")) refuse("--around", "excludes --since and --until", "--window DURATION sets its width");
    const auto window = parse_duration("--window", map.count("window") ? text("window") : "5m");
    walk.since = *options.analyze.around - window;
    walk.until = *options.analyze.around + window;
  }
  if (map.count("since")) walk.since = moment("since");
  if (map.count("until")) walk.until = moment("until");
  if (walk.since && walk.until && *walk.since > *walk.until) refuse("--until", "is before --since");
  if (map.count("source")) walk.sources = map["source"].as<std::vector<std::string>>();
  walk.boot = text("boot");
  if (map.count("boot") && walk.boot.find_first_not_of("-0123456789abcdef") != std::string::npos)
    refuse("--boot", "not a boot: " + forensics::show(walk.boot), "0 is the last one, -1 the one before, or the first digits of a boot id");
  if (map.count("severity")) walk.severity = severity_of(text("severity"));
  walk.spool = text("tmpdir");
}

/// A forgotten subject at the end of --in reads like one more file.
void check_last_path(const Options& options, bool has_subject) {
  if (has_subject || options.in.size() < 2) return;
  const std::string last = options.in.back().string();
  std::error_code error;
  if (last == "-" || last.find('/') != std::string::npos || std::filesystem::exists(last, error)) return;
  refuse("--in", "no such file: " + forensics::show(last),
         "if it is the subject, put it first: why-died " + forensics::show(last) + " --in PATH...");
}

void take_words(std::vector<std::string> words, Options& options) {
  const std::string first = words.empty() ? "" : words.front();
  if (is_one_of(first, {"report", "run", "watch"})) not_here(first);
  if (first == "batch" || first == "rules") {
    options.command = first == "batch" ? Command::batch : Command::rules;
    options.words.assign(words.begin() + 1, words.end());
    if (!options.in.empty()) refuse("--in", "not an option of " + first, "the words after " + first + " are what it reads");
    return;
  }
  if (first == "timeline") {
    options.command = Command::timeline;
    if (words.size() > 1) refuse(forensics::show(words[1]), "timeline has no subject", "why-died timeline --in PATH...");
    if (options.in.empty()) refuse("timeline", "nothing to read", "why-died timeline --in PATH...");
    return;
  }
  if (words.size() > 1)
    refuse(forensics::show(words[1]), "one subject only", "files come after --in: why-died SUBJECT --in PATH...");
  check_last_path(options, !words.empty());
  if (words.empty() && options.in.empty()) refuse("", "nothing to explain", "why-died SUBJECT, or why-died --in PATH...; see --help");
  if (words.empty()) return;
  if (const auto status = number(first, 3); status && *status <= 255) {
    options.command = Command::exit_status;
    options.exit_status = static_cast<int>(*status);
    if (!options.in.empty()) refuse(first, "is an exit status, and that needs no --in", "container:" + first + " is the container");
    return;
  }
  options.subject = subject_of(first);
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  // What follows `run` belongs to its command and is not ours to understand.
  if (argc > 1 && is_one_of(argv[1], {"report", "run", "watch"})) not_here(argv[1]);
  const po::variables_map map = parsed(argc, argv);
  Options options;
  if (map.count("help") || map.count("version")) {
    options.command = map.count("help") ? Command::help : Command::version;
    return options;
  }
  for (const char* later : {"root", "jobs", "resume", "redact"})
    if (map.count(later)) not_here(std::string("--") + later);
  take_style(map, options);
  take_values(map, options);
  take_words(map.count("word") ? map["word"].as<std::vector<std::string>>() : std::vector<std::string>(), options);
  take_walk(map, options);
  if (options.command != Command::batch && map.count("out")) refuse("--out", "only batch writes one");
  if (options.command != Command::rules && options.causes) refuse("--causes", "belongs to: why-died rules list");
  return options;
}

}  // namespace why_died
