#include "rules/explain_miss.h"

#include <algorithm>
#include <fmt/format.h>

#include "read/reader.h"
#include "rules/matcher.h"

namespace forensics {

namespace {

/// Every record of the example as an event.
std::vector<Event> read_events(const FormatDef& format, const RuleExample& example) {
  std::vector<Event> events;
  MemorySource bytes(example.text);
  SourceContext context;
  const auto reader = format.open(bytes, context);
  for (Batch batch;;) {
    batch.clear();
    if (!reader->next(batch)) return events;
    for (const Record& record : batch.records) reader->parse(batch, record, events.emplace_back());
  }
}

bool holds(const Clause& clause, const Event& event) {
  return std::any_of(clause.contains.begin(), clause.contains.end(),
                     [&](const std::string& literal) { return event.message.find(literal) != event.message.npos; });
}

std::string seen_as(const Event& event) {
  return fmt::format("the message is \"{}\", identifier \"{}\", trust {}", show(event.message.substr(0, 300)),
                     show(event.identifier), to_string(event.trust));
}

/// Empty if some event satisfies the clause.
std::string why_not(Matcher& matcher, const Target& target, const std::vector<Event>& events) {
  const Clause& clause = matcher.clause(target);
  const Event* with_literal = nullptr;
  for (const Event& event : events) {
    Values captures;
    if (matcher.match(target, event, captures)) return {};
    if (holds(clause, event) && (!with_literal || origin_fits(clause, event))) with_literal = &event;
  }
  if (!with_literal)
    return fmt::format("no message holds \"{}\"{}", show(clause.contains.front()),
                       clause.contains.size() > 1 ? " or the like" : "");
  if (!origin_fits(clause, *with_literal)) return "the origin does not fit: " + seen_as(*with_literal);
  return "the pattern does not match: " + seen_as(*with_literal);
}

}  // namespace

std::string explain_miss(const RuleSet& set, std::uint32_t index, const RuleExample& example) {
  const std::string name = example.file_name.empty() ? "example" : example.file_name;
  const FormatDef* format = sniff_format(name, std::string_view(example.text).substr(0, sniff_size));
  if (!format) return "no format is recognised in its text";
  const std::string read_as = fmt::format("it is read as {}; ", format->name);
  const std::vector<Event> events = read_events(*format, example);
  const RuleDef& rule = set.rules()[index];
  Matcher matcher(set);
  for (std::uint32_t c = 0; c < rule.all.size(); ++c)
    if (const std::string why = why_not(matcher, {index, c, ClauseKind::all, false}, events); !why.empty())
      return fmt::format("{}[[all]] clause {}: {}", read_as, c + 1, why);
  std::string why;
  for (std::uint32_t c = 0; c < rule.any.size(); ++c) {
    why = why_not(matcher, {index, c, ClauseKind::any, false}, events);
    if (why.empty()) break;
  }
  if (!why.empty()) return fmt::format("{}no [[any]] clause; the last: {}", read_as, why);
  for (std::uint32_t c = 0; c < rule.none.size(); ++c)
    if (why_not(matcher, {index, c, ClauseKind::none, false}, events).empty())
      return fmt::format("{}[[none]] clause {} matches", read_as, c + 1);
  if (!rule.dump.empty())
    return fmt::format("{}no dump \"{}\" is found in it, or its facts do not fit \"where\"", read_as, rule.dump);
  return read_as +
         "each clause matches a line, but not together: a shared group captures different texts, or \"within\" is too "
         "short";
}

}  // namespace forensics
