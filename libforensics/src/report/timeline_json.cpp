// A record as JSON: the words of Event as keys; what is unknown is absent, except that `clock` always stands.
#include <ostream>

#include <nlohmann/json.hpp>

#include "forensics/walk.h"

namespace forensics {
namespace {

using Json = nlohmann::ordered_json;

void put(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = show(text);
}

void put_place(Json& out, const TimelineRecord& record) {
  const Location& at = record.event.where;
  out["source"] = show(record.source);
  put(out, "cursor", record.event.cursor);
  if (at.line > 0) out["line"] = at.line;
  if (record.event.cursor.empty() && at.length > 0) out["offset"] = at.offset, out["length"] = at.length;
}

Json to_json(const FindingMark& found) {
  Json out{{"role", found.role}, {"rule", show(found.rule)}};
  if (found.role == "ruled-out") return out;
  out["cause"] = found.cause;
  out["confidence"] = to_string(found.confidence);
  return out;
}

}  // namespace

void write_json(std::ostream& out, const TimelineRecord& record) {
  const Event& event = record.event;
  Json json = Json::object();
  if (event.time) json["time"] = to_string(*event.time);
  json["clock"] = to_string(event.clock);
  if (event.monotonic) json["monotonic_us"] = event.monotonic->count();
  json["boot"] = event.boot;
  put(json, "boot_id", event.boot_id);
  put_place(json, record);
  json["trust"] = to_string(event.trust);
  put(json, "host", event.host);
  if (event.facility) json["facility"] = *event.facility;
  if (event.severity) json["severity"] = to_string(*event.severity);
  put(json, "identifier", event.identifier);
  if (event.pid) json["pid"] = *event.pid;
  put(json, "comm", event.comm);
  put(json, "unit", event.unit);
  put(json, "cgroup", event.cgroup);
  put(json, "container_id", event.container_id);
  put(json, "container_name", event.container_name);
  json["message"] = show(event.message);
  for (const Witness& witness : record.also) {
    Json also{{"source", show(witness.source)}};
    if (witness.line > 0) also["line"] = witness.line;
    json["also"].push_back(std::move(also));
  }
  for (const FindingMark& found : record.findings) json["findings"].push_back(to_json(found));
  out << json.dump();
}

}  // namespace forensics
