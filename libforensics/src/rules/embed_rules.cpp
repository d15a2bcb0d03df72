// Host program of the build: rules/**/*.toml -> builtin_rules.cpp (the tables of builtin.h).
//
//   embed-rules RULES_DIR OUT.cpp
//
// Constant tables, because g++ compiles them in a fraction of a second where assignments to strings take minutes, and
// because nothing of them runs at start.
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>

#include "forensics/error.h"
#include "rules/rule_folder.h"

namespace {

using forensics::Clause;
using forensics::Fact;
using forensics::RuleDef;

/// A string literal with its length: octal escapes, which unlike \x end by themselves.
std::string literal(std::string_view text) {
  if (text.empty()) return "{}";
  std::string out = "{\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out.append(1, '\\').append(1, c);
    else if (byte >= 0x20 && byte < 0x7F)
      out += c;
    else
      out += fmt::format("\\{:03o}", byte);
  }
  return out + fmt::format("\", {}}}", text.size());
}

class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  /// Writes a table of rows and returns its name; "{}" if there are none.
  std::string table(std::string_view type, const std::vector<std::string>& rows) {
    if (rows.empty()) return "{}";
    const std::string name = fmt::format("t{}", ++count_);
    out_ << "constexpr " << type << ' ' << name << "[] = {\n";
    for (const std::string& row : rows) out_ << "  " << row << ",\n";
    out_ << "};\n";
    return name;
  }

  std::string strings(const std::vector<std::string>& texts) {
    std::vector<std::string> rows;
    for (const std::string& text : texts) rows.push_back(literal(text));
    return table("std::string_view", rows);
  }

  std::string clauses(const std::vector<Clause>& clauses) {
    std::vector<std::string> rows;
    for (const Clause& clause : clauses)
      rows.push_back(fmt::format("{{Origin{{{}}}, {}, {}, {}}}", static_cast<int>(clause.origin),
                                 strings(clause.identifiers), strings(clause.contains), literal(clause.pattern)));
    return table("ClauseRow", rows);
  }

  std::string facts(const RuleDef& rule) {
    std::vector<std::string> rows;
    for (const auto& [name, fact] : rule.facts) {
      const auto* text = std::get_if<std::string>(&fact);
      const auto* number = std::get_if<std::int64_t>(&fact);
      const std::string_view type = text ? "text" : number ? "integer" : "boolean";
      rows.push_back(fmt::format("{{{}, Constant::Type::{}, {}, {}}}", literal(name), type,
                                 number ? *number
                                 : text ? 0
                                        : std::int64_t{std::get<bool>(fact)},
                                 literal(text ? *text : "")));
    }
    return table("Constant", rows);
  }

  std::string where(const RuleDef& rule) {
    std::vector<std::string> rows;
    for (const auto& [name, allowed] : rule.where)
      rows.push_back(fmt::format("{{{}, {}}}", literal(name), strings(allowed)));
    return table("Where", rows);
  }

  std::string rule(const RuleDef& r) {
    const std::string remedies = strings(r.remedies), references = strings(r.references),
                      supersedes = strings(r.supersedes);
    const std::string wheres = where(r), constants = facts(r), all = clauses(r.all), any = clauses(r.any),
                      none = clauses(r.none);
    return fmt::format("{{{}, {}, {}, Role{{{}}}, Confidence{{{}}}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}",
                       literal(r.id), literal(r.title), literal(r.cause), static_cast<int>(r.role),
                       static_cast<int>(r.confidence), literal(r.explain), remedies, references, supersedes,
                       r.within.count(), literal(r.dump), wheres, constants, all, any, none);
  }

 private:
  std::ostream& out_;
  int count_ = 0;
};

std::string generate(const forensics::RuleFolder& folder) {
  std::ostringstream out;
  out << "// Written by embed-rules from the rule files: change those.\n#include \"rules/builtin.h\"\n\n"
         "namespace forensics::builtin {\n\nnamespace {\n\n";
  Writer writer(out);
  std::vector<std::string> rules, chains;
  for (const RuleDef& rule : folder.rules) rules.push_back(writer.rule(rule));
  for (const auto& link : folder.chains)
    chains.push_back(fmt::format("{{{}, {}, {}, {}}}", literal(link.from), literal(link.to), link.within.count(),
                                 literal(link.shared)));
  const std::string rule_table = writer.table("RuleRow", rules), chain_table = writer.table("ChainRow", chains);
  out << "\n}  // namespace\n\nstd::span<const RuleRow> rules() { return " << rule_table
      << "; }\nstd::span<const ChainRow> chains() { return " << chain_table
      << "; }\n\n}  // namespace forensics::builtin\n";
  return out.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: embed-rules RULES_DIR OUT.cpp\n";
    return 2;
  }
  try {
    std::vector<forensics::Error> errors;
    const auto folder = forensics::read_rule_folder(argv[1], &errors);
    for (const auto& error : errors)
      std::cerr << error.what() << (error.hint().empty() ? "" : "\n  hint: " + error.hint()) << '\n';
    if (!errors.empty()) return 1;
    std::ofstream out(argv[2], std::ios::binary);
    out << generate(folder);
    return out.flush() ? 0 : 1;
  } catch (const forensics::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
