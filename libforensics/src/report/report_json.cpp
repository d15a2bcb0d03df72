// Schema 1 of the JSON contract. What is unknown is absent, `null` is never written, lists that are known to be empty
// are empty lists; only `chain` is absent when the verdict is its only link.
#include "report/report_json.h"

#include <ostream>

#include "forensics/report.h"

namespace forensics {
namespace {

using Json = nlohmann::ordered_json;

void put(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = show(text);
}

void put(Json& object, const char* key, const std::optional<RealTime>& time) {
  if (time) object[key] = to_string(*time);
}

template <typename Number>
void put(Json& object, const char* key, const std::optional<Number>& number) {
  if (number) object[key] = *number;
}

void put_time(Json& object, const std::optional<RealTime>& time, ClockQuality clock) {
  if (!time) return;
  object["time"] = to_string(*time);
  object["clock"] = to_string(clock);
}

template <typename List, typename Convert>
Json list_of(const List& list, Convert convert) {
  Json out = Json::array();
  for (const auto& item : list) out.push_back(convert(item));
  return out;
}

Json to_json(const Witness& witness) {
  Json out = Json::object();
  out["source"] = show(witness.source);
  if (witness.line > 0) out["line"] = witness.line;
  return out;
}

Json to_json(const Evidence& evidence) {
  Json out = Json::object();
  out["source"] = show(evidence.source);
  if (!evidence.cursor.empty()) {
    out["cursor"] = show(evidence.cursor);
  } else if (evidence.line > 0 || evidence.length > 0) {
    if (evidence.line > 0) out["line"] = evidence.line;
    out["offset"] = evidence.offset;
    out["length"] = evidence.length;
  }
  put_time(out, evidence.time, evidence.clock);
  out["text"] = show(evidence.text);
  if (!evidence.also.empty()) out["also"] = list_of(evidence.also, [](const Witness& w) { return to_json(w); });
  if (evidence.repeated > 0) out["repeated"] = evidence.repeated;
  return out;
}

Json to_json(const std::vector<Evidence>& list) {
  return list_of(list, [](const Evidence& evidence) { return to_json(evidence); });
}

Json to_json(const Victim& victim) {
  Json out = Json::object();
  put(out, "comm", victim.comm);
  put(out, "pid", victim.pid);
  put(out, "container", victim.container);
  put(out, "unit", victim.unit);
  put(out, "device", victim.device);
  put(out, "mount", victim.mount);
  put(out, "host", victim.host);
  return out;
}

Json to_json(const Fact& fact) {
  if (const auto* text = std::get_if<std::string>(&fact)) return show(*text);
  if (const auto* number = std::get_if<std::int64_t>(&fact)) return *number;
  return std::get<bool>(fact);
}

Json to_json(const Finding& finding) {
  Json out = Json::object();
  out["cause"] = show(finding.cause.empty() ? "unknown" : finding.cause);
  put(out, "rule", finding.rule);
  out["confidence"] = to_string(finding.confidence);
  out["summary"] = show(finding.summary);
  put_time(out, finding.time, finding.clock);
  if (Json victim = to_json(finding.victim); !victim.empty()) out["victim"] = std::move(victim);
  Json facts = Json::object();
  for (const auto& [name, fact] : finding.facts) facts[show(name)] = to_json(fact);
  out["facts"] = std::move(facts);
  out["evidence"] = to_json(finding.evidence);
  out["remedies"] = list_of(finding.remedies, [](const std::string& text) { return Json(show(text)); });
  return out;
}

Json to_json(const std::vector<Finding>& list) {
  return list_of(list, [](const Finding& finding) { return to_json(finding); });
}

Json to_json(const Subject& subject) {
  Json out = Json::object();
  out["kind"] = to_string(subject.kind);
  put(out, "name", subject.name);
  put(out, "id", subject.id);
  put(out, "image", subject.image);
  put(out, "pid", subject.pid);
  put(out, "died_at", subject.died_at);
  put(out, "exit_code", subject.exit_code);
  put(out, "signal", subject.signal);
  return out;
}

Json to_json(const Coverage& coverage) {
  const Source& source = coverage.source;
  Json out = Json::object();
  out["source"] = show(source.name);
  out["format"] = show(source.format);
  out["trust"] = to_string(source.trust);
  put(out, "from", source.from);
  put(out, "to", source.to);
  out["covers_death"] = coverage.covers_death;
  out["bytes"] = source.bytes;
  out["records"] = source.records;
  out["used"] = source.used;
  std::uint64_t skipped = 0;
  Json reasons = Json::object();
  for (const auto& [reason, count] : source.skipped) {
    skipped += count;
    if (count > 0) reasons[show(reason)] = count;
  }
  out["skipped"] = skipped;
  if (!reasons.empty()) out["skipped_reasons"] = std::move(reasons);
  return out;
}

Json to_json(const Death& death) {
  Json out = Json::object();
  out["subject"] = to_json(death.subject);
  out["victim"] = to_json(death.victim);
  put(out, "time", death.time);
  put(out, "cause", death.cause);
  out["confidence"] = to_string(death.confidence);
  return out;
}

Json to_json(const Diagnostic& diagnostic) {
  Json out = Json::object();
  put(out, "source", diagnostic.source);
  if (diagnostic.line > 0) out["line"] = diagnostic.line;
  out["code"] = show(diagnostic.code);
  out["message"] = show(diagnostic.message);
  out["count"] = diagnostic.count;
  return out;
}

Json to_json(const RuledOut& item) {
  Json out = Json::object();
  put(out, "rule", item.rule);
  out["why"] = show(item.why);
  out["evidence"] = to_json(item.evidence);
  return out;
}

Json to_json(const Contradiction& item) {
  return Json{{"what", show(item.what)}, {"evidence", to_json(item.evidence)}};
}

Json to_json(const Missing& item) {
  Json out = Json::object();
  out["what"] = show(item.what);
  put(out, "how_to_get_it", item.how_to_get_it);
  return out;
}

}  // namespace

Json report_json(const Report& report) {
  Json out = Json::object();
  out["schema"] = 1;
  out["subject"] = to_json(report.subject);
  out["verdict"] = to_json(report.verdict);
  if (report.chain.size() > 1) out["chain"] = to_json(report.chain);
  out["contributing"] = to_json(report.contributing);
  out["ruled_out"] = list_of(report.ruled_out, [](const RuledOut& item) { return to_json(item); });
  out["contradictions"] = list_of(report.contradictions, [](const Contradiction& item) { return to_json(item); });
  out["coverage"] = list_of(report.coverage, [](const Coverage& item) { return to_json(item); });
  out["missing"] = list_of(report.missing, [](const Missing& item) { return to_json(item); });
  out["deaths"] = list_of(report.deaths, [](const Death& item) { return to_json(item); });
  out["diagnostics"] = list_of(report.diagnostics, [](const Diagnostic& item) { return to_json(item); });
  return out;
}

void write_json(std::ostream& out, const Report& report) { out << report_json(report).dump(2) << '\n'; }

void write_ndjson(std::ostream& out, const Report& report) { out << report_json(report).dump() << '\n'; }

}  // namespace forensics
