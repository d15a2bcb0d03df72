// The answer: findings, and the verdict that the judge makes of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "forensics/event.h"
#include "forensics/timeline.h"

namespace forensics {

/// high: trusted, names the subject (or takes its whole host down), and the exit status fits or is unknown.
/// medium: trusted, tied to the subject by time, shared device or name; or an incomplete dump.
/// low: compatible only.
enum class Confidence : std::uint8_t { low, medium, high };
std::string_view to_string(Confidence) noexcept;

/// Who died or was lost. Empty fields are unknown.
struct Victim {
  std::string comm;
  std::optional<std::int64_t> pid;   ///< in the namespace of the source that told it
  std::string container;             ///< id, else name
  std::string unit, device, mount, host;
};

/// A witness of the same record in another source.
struct Witness {
  std::string source;
  std::uint64_t line = 0;            ///< 0: no lines
};

struct Evidence {
  std::string source;
  std::uint64_t line = 0, offset = 0, length = 0;
  std::string cursor;                ///< native journals
  std::optional<RealTime> time;
  ClockQuality clock = ClockQuality::none;
  std::string text;                  ///< the physical line; the decoded message for record formats
  std::vector<Witness> also;
  std::uint64_t repeated = 0;        ///< how many more such records there were
};

using Fact = std::variant<std::int64_t, bool, std::string>;

/// A rule that fired (or the judge's own conclusion, rule "judge/...").
struct Finding {
  std::string rule;                  ///< "oom/container-limit"
  std::string cause;                 ///< word of the cause list
  Confidence confidence = Confidence::low;
  std::string summary;               ///< one sentence
  std::optional<RealTime> time;
  ClockQuality clock = ClockQuality::none;
  Victim victim;
  std::map<std::string, Fact, std::less<>> facts;  ///< names and types per cause: rules/README.md
  std::vector<Evidence> evidence;    ///< decisive line first
  std::vector<std::string> remedies;
};

enum class SubjectKind : std::uint8_t { last_death, container, unit, pid, host };
std::string_view to_string(SubjectKind) noexcept;

/// What the question is about. The default asks for the last death in the evidence.
struct Subject {
  SubjectKind kind = SubjectKind::last_death;
  std::string name;                  ///< as asked, then as found
  std::string id;                    ///< container id, when found
  std::string image;
  std::optional<std::int64_t> pid;
  std::optional<RealTime> died_at;
  std::optional<int> exit_code;
  std::string signal;                ///< "SIGKILL"; empty: none or unknown
};

struct RuledOut { std::string rule, why; std::vector<Evidence> evidence; };
struct Contradiction { std::string what; std::vector<Evidence> evidence; };
struct Missing { std::string what, how_to_get_it; };
struct Coverage { Source source; bool covers_death = false; };

/// One death or loss that the evidence holds; the list of all of them stands in every report.
struct Death {
  Subject subject;
  Victim victim;
  std::optional<RealTime> time;
  std::string cause;
  Confidence confidence = Confidence::low;
};

struct Report {
  Subject subject;
  Finding verdict;                   ///< cause "none" or "unknown" if there is no other
  std::vector<Finding> chain;        ///< root first, the verdict among them; empty when there is one link
  std::vector<Finding> contributing;
  std::vector<RuledOut> ruled_out;
  std::vector<Contradiction> contradictions;
  std::vector<Coverage> coverage;
  std::vector<Missing> missing;
  std::vector<Death> deaths;         ///< all others, last first
  std::vector<Diagnostic> diagnostics;
};

}  // namespace forensics
