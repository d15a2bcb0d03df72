#include "rules_command.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <ostream>

#include "forensics/error.h"
#include "rules/cross_table.h"
#include "rules/examples.h"
#include "rules/rule.h"
#include "rules/rule_folder.h"
#include "rules/words.h"

namespace why_died {

namespace {

using forensics::Clause;
using forensics::Error;
using forensics::ErrorCode;
using forensics::RuleDef;
using forensics::RuleSet;
using forensics::show;

std::string_view role_word(forensics::Role role) {
  return role == forensics::Role::verdict        ? "verdict"
         : role == forensics::Role::contributing ? "contributing"
                                                 : "harmless";
}

void tell(std::ostream& err, const Error& error) {
  err << "why-died: error: " << error.what() << '\n';
  if (!error.hint().empty()) err << "  hint:   " << error.hint() << '\n';
}

/// Options out of the words; what is left are the words.
struct Words {
  std::vector<std::string> rest;
  std::string folder;
  bool causes = false;
};

Words split(const std::vector<std::string>& args) {
  Words words;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--causes") {
      words.causes = true;
    } else if (args[i] == "--rules" && i + 1 < args.size()) {
      words.folder = args[++i];
    } else if (args[i].starts_with("--")) {
      throw Error(ErrorCode::usage, args[i], "rules knows no such option",
                  "rules list [--causes] | show ID | check DIR | test DIR");
    } else {
      words.rest.push_back(args[i]);
    }
  }
  return words;
}

RuleSet rules_of(const Words& words) { return words.folder.empty() ? RuleSet::builtin() : RuleSet::load(words.folder); }

void list_causes(std::ostream& out) {
  for (const auto& cause : forensics::causes()) out << fmt::format("{:<20} {}\n", cause.word, cause.sentence);
}

void list_rules(const RuleSet& set, std::ostream& out) {
  std::size_t width = 0;
  for (const RuleDef& rule : set.rules()) width = std::max(width, rule.id.size());
  for (const RuleDef& rule : set.rules())
    out << fmt::format("{:<{}}  {:<18} {:<12} {}\n", rule.id, width, rule.cause, role_word(rule.role),
                       show(rule.title));
}

std::string origin_text(const Clause& clause) {
  switch (clause.origin) {
    case forensics::Origin::kernel:
      return "the kernel";
    case forensics::Origin::container:
      return "a container's log";
    case forensics::Origin::state:
      return "the state of a container";
    case forensics::Origin::any:
      return "whatever wrote it";
    case forensics::Origin::identifier:
      break;
  }
  std::string text;
  for (const std::string& identifier : clause.identifiers) text += (text.empty() ? "" : " or ") + show(identifier);
  return text;
}

void show_clauses(std::ostream& out, std::string_view word, const std::vector<Clause>& clauses) {
  for (const Clause& clause : clauses) {
    out << fmt::format("\n{} from {}\n", word, origin_text(clause));
    for (const std::string& literal : clause.contains) out << fmt::format("  contains  {}\n", show(literal));
    if (!clause.pattern.empty()) out << fmt::format("  pattern   {}\n", show(clause.pattern));
  }
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + (word.empty() ? "absent" : show(word));
  return text;
}

void show_rule(const RuleSet& set, const RuleDef& rule, std::ostream& out) {
  const auto row = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) out << fmt::format("{:<14} {}\n", key, value);
  };
  std::vector<std::string> superseded_by;
  for (const RuleDef& other : set.rules())
    if (std::find(other.supersedes.begin(), other.supersedes.end(), rule.id) != other.supersedes.end())
      superseded_by.push_back(other.id);
  out << rule.id << ": " << show(rule.title) << '\n';
  row("cause", fmt::format("{} ({})", rule.cause, forensics::find_cause(rule.cause)->sentence));
  row("role", role_word(rule.role));
  row("confidence", fmt::format("at most {}", forensics::to_string(rule.confidence)));
  row("says", show(rule.explain));
  for (const std::string& remedy : rule.remedies) row("remedy", show(remedy));
  for (const std::string& reference : rule.references) row("reference", show(reference));
  row("supersedes", joined(rule.supersedes));
  row("superseded by", joined(superseded_by));
  row("dump", rule.dump);
  for (const auto& [name, allowed] : rule.where) row("where", fmt::format("{} is {}", name, joined(allowed)));
  for (const auto& [name, fact] : rule.facts)
    row("fact", fmt::format("{} = {}", name, show(forensics::expect_text(fact))));
  if (rule.dump.empty() && rule.all.size() + rule.any.size() + rule.none.size() > 1)
    row("within", fmt::format("{} s", static_cast<double>(rule.within.count()) / 1e6));
  show_clauses(out, "all:", rule.all);
  show_clauses(out, "any:", rule.any);
  show_clauses(out, "none:", rule.none);
}

int show_command(const RuleSet& set, const std::string& id, std::ostream& out) {
  std::vector<std::string_view> ids;
  for (const RuleDef& rule : set.rules()) {
    ids.push_back(rule.id);
    if (rule.id == id) return show_rule(set, rule, out), 0;
  }
  const std::string near = forensics::nearest_word(id, ids);
  throw Error(ErrorCode::usage, show(id), "there is no such rule",
              near.empty() ? "why-died rules list prints them" : fmt::format("did you mean {}?", near));
}

/// Everything that is wrong, not only the first.
int check_command(const std::string& folder, bool cross, std::ostream& out, std::ostream& err) {
  std::vector<Error> faults;
  forensics::RuleFolder files = forensics::read_rule_folder(folder, &faults);
  std::size_t examples = 0;
  for (const RuleDef& rule : files.rules) {
    examples += rule.examples.size() + rule.counterexamples.size();
    for (Error& fault : forensics::find_example_faults(forensics::make_rule_set({rule}, {}), rule))
      faults.push_back(std::move(fault));
  }
  const RuleSet set = forensics::make_rule_set(std::move(files.rules), std::move(files.chains));
  if (cross)
    for (Error& fault : forensics::find_cross_table_faults(set)) faults.push_back(std::move(fault));
  for (const Error& fault : faults) tell(err, fault);
  out << fmt::format("{} rules, {} examples, {} links of chains: ", set.rules().size(), examples,
                     set.impl().chains.size())
      << (faults.empty() ? "all good\n" : fmt::format("{} faults\n", faults.size()));
  return faults.empty() ? 0 : 2;
}

int run(const Words& words, std::ostream& out, std::ostream& err) {
  const auto& rest = words.rest;
  if (rest.size() == 1 && rest[0] == "list")
    return words.causes ? list_causes(out) : list_rules(rules_of(words), out), 0;
  if (rest.size() == 2 && rest[0] == "show") return show_command(rules_of(words), rest[1], out);
  if (rest.size() == 2 && (rest[0] == "check" || rest[0] == "test"))
    return check_command(rest[1], rest[0] == "test", out, err);
  throw Error(ErrorCode::usage, "rules", "this needs list, show ID, check DIR or test DIR", "see why-died --help");
}

}  // namespace

int rules_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err) {
  try {
    return run(split(args), out, err);
  } catch (const Error& error) {
    tell(err, error);
    return 2;
  }
}

}  // namespace why_died
