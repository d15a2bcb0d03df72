// The loaded form of a rule. rules/README.md is the language; rules/rule_file.cpp is the only place that reads it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "forensics/rules.h"
#include "forensics/verdict.h"

namespace forensics {

/// Captures, dump facts and constants by name.
using Values = std::map<std::string, Fact, std::less<>>;

/// What a finding of this rule may become.
enum class Role : std::uint8_t {
  verdict,       ///< a death or a loss: may be the verdict
  contributing,  ///< a complaint that recovered, a circumstance: only ever explains
  harmless,      ///< scary and innocent: listed under ruled_out with `explain` as the reason
};

enum class Origin : std::uint8_t {
  kernel,        ///< events of trust kernel or kernel_text (on `claimed`: an application finding, low)
  identifier,    ///< events whose identifier is in Clause::identifiers (any trust: it caps the confidence)
  container,     ///< a container's own log, or any text that nobody vouches for (trust claimed)
  state,         ///< what an engine's inspect, ps or describe says: identifier "container-state"
  any,           ///< whatever wrote it
};

struct Clause {
  Origin origin = Origin::kernel;
  std::vector<std::string> identifiers;   ///< with Origin::identifier; exact, or a prefix ending in '*'
  std::vector<std::string> contains;      ///< at least one; any of them must be in the message
  std::string pattern;                    ///< Boost.Regex (Perl syntax, search); empty: `contains` is enough
};

struct RuleExample {
  std::string name, format, text;         ///< format: word of the format table; empty: sniffed
  std::string file_name;                  ///< for sniffing; empty: "example"
  std::map<std::string, std::string, std::less<>> expect;  ///< captures and facts
  std::string place;                      ///< file:line:column, for messages
};

struct RuleDef {
  std::string id, title, cause;
  Role role = Role::verdict;
  Confidence confidence = Confidence::high;  ///< the best this rule can give
  std::string explain;                    ///< {name} is a capture or fact; [ ... ] is dropped if a name in it is empty
  std::vector<std::string> remedies;      ///< the same
  std::vector<std::string> references, supersedes;
  std::chrono::microseconds within{std::chrono::seconds(30)};
  std::string dump;                       ///< "oom", "oops", "hung-task", "ata", ...; empty: single records
  std::map<std::string, std::vector<std::string>, std::less<>> where;  ///< dump fact -> allowed values ("" = absent)
  std::map<std::string, Fact, std::less<>> facts;   ///< constants that the finding carries
  std::vector<Clause> all, any, none;
  std::vector<RuleExample> examples, counterexamples;   ///< not in the built-in set
  std::string place, supersedes_place;    ///< file:line:column, for messages; not in the built-in set
};

/// One possible step of a causal chain (rules/chains.toml).
struct ChainLink {
  std::string from, to;                   ///< causes
  std::chrono::microseconds within{};
  std::string shared;                     ///< "device", "host", "container", "mount", "boot", "cgroup"
};

struct RuleSet::Impl {
  std::vector<RuleDef> rules;             ///< sorted by id
  std::vector<ChainLink> chains;
  struct Cache;                           ///< regexes compiled on first use, guarded by a mutex
  mutable std::shared_ptr<Cache> cache;
};

/// Parses one rule file. Throws: Error (rule). Does not run the examples.
RuleDef parse_rule(std::string_view id, std::string_view toml, std::string_view file_name);
std::vector<ChainLink> parse_chains(std::string_view toml, std::string_view file_name);
/// Checks across rules: supersedes exist and have no cycle, ids unique. Throws: Error (rule).
void check_set(const std::vector<RuleDef>& rules);
/// Runs the examples and counterexamples of one rule; returns what is wrong, empty if nothing.
std::vector<std::string> check_examples(const RuleSet& set, const RuleDef& rule);
RuleSet make_rule_set(std::vector<RuleDef> rules, std::vector<ChainLink> chains);

/// {name} and [optional] filled in. Names ending in _bytes read as KiB, MiB or GiB.
std::string fill(std::string_view text, const std::map<std::string, Fact, std::less<>>& values);

// The closed list of causes (rules/causes.cpp).
struct CauseDef {
  std::string_view word, sentence;
  bool whole_host;                        ///< takes every process of the host along: panic, power loss, ...
  bool death;                             ///< false: a loss of a device, mount or data
};
const std::vector<CauseDef>& causes();
const CauseDef* find_cause(std::string_view word);

}  // namespace forensics
