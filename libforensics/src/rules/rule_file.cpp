// One rule file into a RuleDef, strictly. The language: rules/README.md. What holds between the parts of a rule (names,
// joins) is checked in rule_checks.cpp.
#include <algorithm>
#include <fmt/format.h>

#include "rules/pattern.h"
#include "rules/rule.h"
#include "rules/rule_checks.h"
#include "rules/toml_section.h"
#include "rules/words.h"

namespace forensics {

namespace {

using Words = std::vector<std::string_view>;

bool is_identifier(std::string_view word) {
  const bool prefix = word.ends_with('*');
  const std::string_view stem = word.substr(0, word.size() - (prefix ? 1 : 0));
  return !stem.empty() &&
         std::all_of(stem.begin(), stem.end(), [](char c) { return c > ' ' && c < 0x7F && c != '*' && c != '"'; });
}

void read_origin(const Section& section, Clause& clause) {
  struct Row {
    std::string_view word;
    Origin origin;
  };
  constexpr Row table[] = {
      {"kernel", Origin::kernel}, {"container", Origin::container}, {"state", Origin::state}, {"any", Origin::any}};
  Words known;
  for (const Row& row : table) known.push_back(row.word);
  const auto words = section.texts("origin");
  for (const std::string& word : words) {
    const auto row = std::find_if(std::begin(table), std::end(table), [&](const Row& r) { return r.word == word; });
    if (row != std::end(table)) {
      if (words.size() > 1)
        section.fail("origin", fmt::format("\"{}\" cannot stand in a list of identifiers", word),
                     "write an [[any]] clause for each origin");
      clause.origin = row->origin;
      return;
    }
    if (!is_identifier(word))
      section.fail("origin", fmt::format("\"{}\" is no identifier of a daemon", word),
                   "exact, or a prefix ending in *");
    const std::string near = nearest_word(word, known);
    // A daemon may be called anything, but hardly almost like one of our words (containerd is one that is).
    if (!near.empty() && near.size() > 3 && word != "containerd" && near.size() <= word.size() + 1 &&
        word.size() <= near.size() + 1)
      section.fail("origin", fmt::format("unknown origin \"{}\"", word), fmt::format("did you mean \"{}\"?", near));
  }
  clause.origin = Origin::identifier;
  clause.identifiers = words;
}

void read_contains(const Section& section, Clause& clause) {
  if (!section.find("contains"))
    fail_at(section.file(), section.begin(), "a clause needs \"contains\"",
            "the rarest words of the line: the scan looks for them");
  clause.contains = section.texts("contains");
  for (const std::string& literal : clause.contains) {
    if (literal.size() < 3)
      section.fail("contains", fmt::format("\"{}\" is shorter than 3 bytes", show(literal)),
                   "choose the rarest words of the line");
    if (literal.find_first_of(std::string_view("\n\0", 2)) != literal.npos)
      section.fail("contains", "\"contains\" holds a newline", "it looks at one line; use several [[all]] clauses");
  }
  if (std::any_of(clause.contains.begin(), clause.contains.end(), [&](const std::string& literal) {
        return std::count(clause.contains.begin(), clause.contains.end(), literal) > 1;
      }))
    section.fail("contains", "\"contains\" names the same literal twice");
}

void read_pattern(const Section& section, Clause& clause) {
  if (!section.find("pattern")) return;
  clause.pattern = section.required_text("pattern");
  const toml::node& node = *section.find("pattern");
  if (const auto fault = find_pattern_fault(clause.pattern)) {
    const std::size_t from = fault->position > 20 ? fault->position - 20 : 0;
    fail_at(section.file(), inside(section.file(), node, fault->position),
            fmt::format("the pattern does not compile: {}", fault->message),
            fmt::format("at byte {} of it, after \"{}\"", fault->position,
                        show(clause.pattern.substr(from, fault->position - from))));
  }
  for (const std::string& name : capture_names(clause.pattern))
    if (!std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }))
      fail_at(section.file(), inside(section.file(), node, clause.pattern.find("(?<" + name)),
              fmt::format("the group name \"{}\" is not lower case, digits and _", name));
}

std::vector<Clause> read_clauses(const Section& rule, std::string_view key, bool in_dump) {
  std::vector<Clause> clauses;
  for (const toml::table* table : rule.tables(key)) {
    const Section section(rule.file(), *table, "a clause", {"origin", "contains", "pattern"});
    Clause& clause = clauses.emplace_back();
    if (!section.find("origin") && !in_dump)
      fail_at(section.file(), section.begin(), "a clause needs \"origin\"",
              "kernel, container, state, any, or the identifier of a daemon");
    read_origin(section, clause);
    if (in_dump && clause.origin != Origin::kernel && section.find("origin"))
      section.fail("origin", "a clause of a dump looks at kernel lines", "leave \"origin\" out");
    if (in_dump) clause.origin = Origin::kernel, clause.identifiers.clear();
    read_contains(section, clause);
    read_pattern(section, clause);
  }
  return clauses;
}

std::string expected_text(const TomlFile& file, const toml::node& node, std::string_view key) {
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return node_text(file, node, key);
}

std::vector<RuleExample> read_examples(const Section& rule, std::string_view key) {
  std::vector<RuleExample> examples;
  const bool counter = key == "counterexample";
  const Words keys =
      counter ? Words{"name", "text", "format", "file"} : Words{"name", "text", "format", "file", "expect"};
  for (const toml::table* table : rule.tables(key)) {
    const Section section(rule.file(), *table, counter ? "a counterexample" : "an example", keys);
    RuleExample example;
    example.place = place(rule.file(), section.begin());
    example.name = section.required_text("name");
    example.text = section.required_text("text");
    example.format = section.text("format");
    example.file_name = section.text("file");
    if (const toml::table* expect = section.inner("expect"))
      for (const auto& [name, value] : *expect)
        example.expect.emplace(name.str(), expected_text(rule.file(), value, name.str()));
    examples.push_back(std::move(example));
  }
  if (examples.empty())
    fail_at(rule.file(), {1, 1}, fmt::format("the rule has no {}", key),
            counter ? "add a [[counterexample]]: a line that looks like it and is another thing"
                    : "add an [[example]] with a real line");
  return examples;
}

void read_where(const Section& rule, RuleDef& def) {
  const toml::table* where = rule.inner("where");
  if (!where) return;
  if (def.dump.empty()) rule.fail("where", "\"where\" restricts the facts of a dump, and the rule has no \"dump\"");
  const DumpFacts& facts = *find_dump_facts(def.dump);
  Words known;
  for (const FactDef& fact : facts.facts) known.push_back(fact.name);
  const Section section(rule.file(), *where, fmt::format("the dump \"{}\"", def.dump), known);
  for (const auto& [name, value] : *where) {
    std::vector<std::string>& allowed = def.where[std::string(name.str())];
    if (const auto* list = value.as_array())
      for (const toml::node& item : *list) allowed.push_back(expected_text(rule.file(), item, name.str()));
    else
      allowed.push_back(expected_text(rule.file(), value, name.str()));
  }
}

void read_facts(const Section& rule, RuleDef& def) {
  const toml::table* facts = rule.inner("facts");
  if (!facts) return;
  Words known;
  for (const FactDef& fact : constant_facts()) known.push_back(fact.name);
  const Section section(rule.file(), *facts, "\"facts\"", known);
  for (const auto& [name, value] : *facts) {
    const auto fact = std::find_if(constant_facts().begin(), constant_facts().end(),
                                   [&](const FactDef& f) { return f.name == name.str(); });
    if (fact->type == FactType::integer) {
      if (!value.is_integer())
        section.fail(name.str(), fmt::format("the fact \"{}\" must be an integer", name.str()), "without quotes");
      def.facts.emplace(name.str(), value.as_integer()->get());
    } else {
      def.facts.emplace(name.str(), node_text(rule.file(), value, name.str()));
    }
  }
}

Role read_role(const Section& rule) {
  const std::string word = rule.word("role", {"verdict", "contributing", "harmless"});
  return word == "contributing" ? Role::contributing : word == "harmless" ? Role::harmless : Role::verdict;
}

Confidence read_confidence(const Section& rule) {
  const std::string word = rule.word("confidence", {"high", "medium", "low"});
  return word == "medium" ? Confidence::medium : word == "low" ? Confidence::low : Confidence::high;
}

void read_words(const Section& rule, RuleDef& def) {
  Words cause_words, dump_words;
  for (const CauseDef& cause : causes()) cause_words.push_back(cause.word);
  for (const DumpFacts& dump : dump_facts()) dump_words.push_back(dump.dump);
  def.title = rule.required_text("title");
  if (def.title.ends_with('.')) rule.fail("title", "\"title\" is a heading: no full stop");
  rule.required_text("cause");
  def.cause = rule.word("cause", cause_words);
  def.role = read_role(rule);
  def.confidence = read_confidence(rule);
  def.explain = rule.required_text("explain");
  if (def.explain.find('\n') != def.explain.npos)
    rule.fail("explain", "\"explain\" must be one line", "in a long text between \"\"\" end each line with \\");
  def.remedies = rule.list("remedies");
  def.references = rule.list("references");
  def.supersedes = rule.list("supersedes");
  if (const toml::node* node = rule.find("supersedes")) def.supersedes_place = place(rule.file(), node->source().begin);
  def.dump = rule.word("dump", dump_words);
}

}  // namespace

RuleDef parse_rule(std::string_view id, std::string_view text, std::string_view file_name) {
  const TomlFile file{text, file_name};
  const toml::table root = parse_toml(file);
  const Section rule(file, root, "a rule",
                     {"title", "cause", "role", "confidence", "explain", "remedies", "references", "supersedes",
                      "within", "dump", "where", "facts", "all", "any", "none", "example", "counterexample"});
  RuleDef def;
  def.id = id;
  def.place = place(file, {1, 1});
  read_words(rule, def);
  read_where(rule, def);
  read_facts(rule, def);
  def.all = read_clauses(rule, "all", !def.dump.empty());
  def.any = read_clauses(rule, "any", !def.dump.empty());
  def.none = read_clauses(rule, "none", !def.dump.empty());
  if (const auto within = rule.duration("within")) def.within = std::chrono::microseconds(*within);
  check_rule(rule, def);
  def.examples = read_examples(rule, "example");
  def.counterexamples = read_examples(rule, "counterexample");
  return def;
}

}  // namespace forensics
