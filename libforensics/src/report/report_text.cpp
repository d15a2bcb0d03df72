// The report for a person: the sentence, how sure it is, the lines that prove it, what to change; then everything that
// explains, clears or is missing. Prose is wrapped, evidence never is: it must stay findable with grep.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "forensics/report.h"
#include "report/wrap.h"

namespace forensics {
namespace {

std::string moment(RealTime time, ClockQuality clock) {
  std::string text = to_string(time);
  text[10] = ' ';
  text.back() = ' ';
  return text + (clock == ClockQuality::inferred ? "UTC (worked out: the log does not print all of it)" : "UTC");
}

std::string_view certainty(Confidence confidence) {
  switch (confidence) {
    case Confidence::high: return "high: a record that can be trusted names it";
    case Confidence::medium: return "medium: the record can be trusted, but it is incomplete or tied to this death only by time, device or name";
    case Confidence::low: return "low: it fits what is known, and nothing proves it";
  }
  return "";
}

bool is_answer(const Finding& finding) {
  return !finding.cause.empty() && finding.cause != "none" && finding.cause != "unknown";
}

/// Container ids as people know them: the first 12 of 64 hex digits.
std::string short_id(const std::string& name) {
  const bool is_id = name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
  return show(is_id ? name.substr(0, 12) : name);
}

std::string who(const Subject& subject, const Victim& victim) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view word, const std::string& name) {
    if (!name.empty()) parts.push_back(fmt::format("{} {}", word, short_id(name)));
  };
  if (subject.kind == SubjectKind::container && !subject.name.empty()) {
    add("container", subject.name);
    if (!subject.image.empty()) parts.back() += fmt::format(" (image {})", show(subject.image));
  } else {
    add("container", victim.container);
  }
  add("unit", victim.unit.empty() && subject.kind == SubjectKind::unit ? subject.name : victim.unit);
  add("process", victim.comm);
  if (victim.pid) parts.push_back(fmt::format("pid {}", *victim.pid));
  add("device", victim.device);
  add("mount", victim.mount);
  add("host", victim.host);
  return fmt::format("{}", fmt::join(parts, ", "));
}

class TextReport {
 public:
  TextReport(std::ostream& out, const Report& report, const TextStyle& style)
      : out_(out), report_(report), style_(style) {}

  void write() {
    head();
    evidence_section();
    remedies();
    chain();
    findings("Contributing", report_.contributing);
    ruled_out();
    contradictions();
    missing();
    deaths();
    if (style_.verbose) sources();
    diagnostics();
    account();
  }

 private:
  std::string painted(std::string_view code, std::string_view text) const {
    return style_.color ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }

  void heading(std::string_view text) { out_ << '\n' << painted("1", text) << '\n'; }

  void prose(std::string_view text, std::string_view first = "  ", std::string_view rest = "  ") {
    out_ << wrap(show(text), style_.width, first, rest);
  }

  /// "  label      text", wrapped under the text.
  void field(std::string_view label, std::string_view text) {
    if (!text.empty()) out_ << wrap(text, style_.width, fmt::format("  {:<10} ", label), std::string(13, ' '));
  }

  void head() {
    const Finding& verdict = report_.verdict;
    const std::string sentence = wrap(show(verdict.summary), style_.width, "", "");
    out_ << painted("1", std::string_view(sentence).substr(0, sentence.size() - 1)) << "\n\n";
    if (is_answer(verdict)) field("certainty", certainty(verdict.confidence));
    const Subject& subject = report_.subject;
    const auto time = verdict.time ? verdict.time : subject.died_at;
    if (time) field("when", moment(*time, verdict.time ? verdict.clock : ClockQuality::exact));
    if (verdict.time && subject.died_at && *verdict.time != *subject.died_at)
      field("ended", moment(*subject.died_at, ClockQuality::exact));
    field("who", who(subject, verdict.victim));
    if (subject.exit_code || !subject.signal.empty()) field("exit", exit_words(subject));
    field("cause", verdict.rule.empty() ? show(verdict.cause) : fmt::format("{} (rule {})", show(verdict.cause), show(verdict.rule)));
    if (style_.verbose)
      for (const auto& [name, fact] : verdict.facts) field("fact", fmt::format("{} = {}", show(name), words(fact)));
  }

  static std::string exit_words(const Subject& subject) {
    if (!subject.exit_code) return show(subject.signal);
    return subject.signal.empty() ? fmt::format("status {}", *subject.exit_code)
                                  : fmt::format("status {} ({})", *subject.exit_code, show(subject.signal));
  }

  static std::string words(const Fact& fact) {
    if (const auto* text = std::get_if<std::string>(&fact)) return show(*text);
    if (const auto* number = std::get_if<std::int64_t>(&fact)) return std::to_string(*number);
    return std::get<bool>(fact) ? "yes" : "no";
  }

  static std::string place(const std::string& source, std::uint64_t line) {
    return line > 0 ? fmt::format("{}:{}", show(source), line) : show(source);
  }

  /// The quoted lines, places first. Not more than `most` unless asked for all.
  void evidence(const std::vector<Evidence>& list, std::string_view indent, std::size_t most) {
    const std::size_t shown = style_.verbose ? list.size() : std::min(most, list.size());
    std::size_t room = 0;
    for (std::size_t i = 0; i < shown; ++i) room = std::max(room, columns(place(list[i].source, list[i].line)));
    room = std::min<std::size_t>(room, 32);
    for (std::size_t i = 0; i < shown; ++i) {
      const Evidence& item = list[i];
      const std::string where = place(item.source, item.line);
      const std::string padding(columns(where) < room ? room - columns(where) : 0, ' ');
      out_ << indent << painted("36", where) << padding << "  " << trimmed(show(item.text)) << '\n';
      if (const std::string more = asides(item); !more.empty())
        out_ << indent << std::string(room, ' ') << "  " << painted("2", more) << '\n';
    }
    if (shown < list.size() && most > 1) out_ << indent << fmt::format("and {} more (--verbose)\n", list.size() - shown);
  }

  /// Without the indentation that lines of pretty-printed JSON come with.
  static std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? "" : text.substr(begin);
  }

  static std::string asides(const Evidence& item) {
    std::vector<std::string> parts;
    if (item.repeated > 0) parts.push_back(fmt::format("and {} more like it", grouped(item.repeated)));
    std::vector<std::string> places;
    for (const Witness& witness : item.also) places.push_back(place(witness.source, witness.line));
    if (!places.empty()) parts.push_back(fmt::format("also in {}", fmt::join(places, ", ")));
    return parts.empty() ? "" : fmt::format("({})", fmt::join(parts, "; "));
  }

  void evidence_section() {
    if (report_.verdict.evidence.empty()) return;
    heading("Evidence");
    evidence(report_.verdict.evidence, "  ", 6);
  }

  void remedies() {
    if (report_.verdict.remedies.empty()) return;
    heading("What to change");
    int number = 0;
    for (const std::string& remedy : report_.verdict.remedies)
      prose(remedy, fmt::format("  {}. ", ++number), "     ");
  }

  void chain() {
    if (report_.chain.size() < 2) return;
    heading("How it came to this (root first)");
    int number = 0;
    for (const Finding& link : report_.chain) finding(link, fmt::format("  {}. ", ++number));
  }

  void findings(std::string_view title, const std::vector<Finding>& list) {
    if (list.empty()) return;
    heading(title);
    limited(list, 5, [&](const Finding& item) { finding(item, "  - "); });
  }

  void finding(const Finding& item, const std::string& bullet) {
    const std::string indent(bullet.size(), ' ');
    const std::string time = item.time ? to_string(*item.time) + ": " : "";
    prose(fmt::format("{}{} ({}, {})", time, item.summary, item.cause, to_string(item.confidence)), bullet, indent);
    const bool quoted_above = item.rule == report_.verdict.rule && item.time == report_.verdict.time;
    if (!quoted_above) evidence(item.evidence, indent + "  ", 1);
  }

  template <typename List, typename Print>
  void limited(const List& list, std::size_t most, Print print) {
    const std::size_t shown = style_.verbose ? list.size() : std::min(most, list.size());
    for (std::size_t i = 0; i < shown; ++i) print(list[i]);
    if (shown < list.size()) out_ << fmt::format("  and {} more (--verbose)\n", list.size() - shown);
  }

  void ruled_out() {
    if (report_.ruled_out.empty()) return;
    heading("Not the reason");
    limited(report_.ruled_out, 5, [&](const RuledOut& item) {
      prose(item.why, "  - ", "    ");
      evidence(item.evidence, "      ", 1);
    });
  }

  void contradictions() {
    if (report_.contradictions.empty()) return;
    heading("Contradictions");
    limited(report_.contradictions, 5, [&](const Contradiction& item) {
      prose(item.what, "  - ", "    ");
      evidence(item.evidence, "      ", 3);
    });
  }

  void missing() {
    if (report_.missing.empty()) return;
    heading("What is missing");
    for (const Missing& item : report_.missing) {
      prose(item.what, "  - ", "    ");
      if (!item.how_to_get_it.empty()) prose(item.how_to_get_it, "    -> ", "       ");
    }
  }

  void deaths() {
    if (report_.deaths.empty()) return;
    heading(fmt::format("Other deaths ({})", report_.deaths.size()));
    limited(report_.deaths, 10, [&](const Death& death) {
      const auto time = death.time ? death.time : death.subject.died_at;
      std::string name = who(death.subject, death.victim);
      if (name.empty()) name = death.subject.name.empty() ? "(who is not told)" : show(death.subject.name);
      const bool sure = death.cause != "unknown" && death.cause != "none";
      const std::string cause = sure ? fmt::format("{} ({})", death.cause, to_string(death.confidence)) : death.cause;
      out_ << fmt::format("  {:<24}  {:<24}  {}\n", time ? to_string(*time) : "time unknown", show(cause), name);
    });
  }

  void sources() {
    if (report_.coverage.empty()) return;
    heading("Sources");
    for (const Coverage& item : report_.coverage) {
      const Source& source = item.source;
      prose(fmt::format("{} ({}, {}): {} records, {} used{}; {}{}", source.name, source.format, to_string(source.trust),
                        grouped(source.records), grouped(source.used), skipped_words(source), span(source),
                        item.covers_death ? "; covers the death" : ""),
            "  ", "      ");
    }
  }

  static std::string span(const Source& source) {
    if (source.from && source.to) return fmt::format("{} to {}", to_string(*source.from), to_string(*source.to));
    return "no wall-clock time";
  }

  static std::string skipped_words(const Source& source) {
    std::string out;
    for (const auto& [reason, count] : source.skipped)
      if (count > 0) out += fmt::format(", {} skipped ({})", grouped(count), reason);
    return out;
  }

  void diagnostics() {
    const auto& list = report_.diagnostics;
    if (list.empty()) return;
    heading("Trouble while reading");
    limited(list, 5, [&](const Diagnostic& item) {
      const std::string where = item.source.empty() ? "" : place(item.source, item.line) + ": ";
      const std::string count = item.count > 1 ? fmt::format(" ({} times)", grouped(item.count)) : "";
      prose(fmt::format("{}{}{} [{}]", where, item.message, count, item.code), "  - ", "    ");
    });
  }

  void account() {
    std::uint64_t records = 0, used = 0, skipped = 0;
    for (const Coverage& item : report_.coverage) {
      records += item.source.records;
      used += item.source.used;
      for (const auto& [reason, count] : item.source.skipped) skipped += count;
    }
    const std::size_t sources = report_.coverage.size();
    out_ << '\n'
         << painted("2", fmt::format("Read {} source{}, {} record{}: {} used, {} skipped.", sources,
                                     sources == 1 ? "" : "s", grouped(records), records == 1 ? "" : "s", grouped(used),
                                     grouped(skipped)))
         << '\n';
  }

  std::ostream& out_;
  const Report& report_;
  const TextStyle& style_;
};

}  // namespace

void write_text(std::ostream& out, const Report& report, const TextStyle& style) {
  if (style.quiet) {
    out << show(report.verdict.summary) << '\n';
    return;
  }
  TextReport(out, report, style).write();
}

}  // namespace forensics
