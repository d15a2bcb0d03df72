// dmesg-json: `dmesg --json`, with -x or without.
//
//   {"dmesg": [ {"pri": 6, "time": 793.619208, "msg": "prog invoked oom-killer: ..."}, ... ]}
//   {"dmesg": [ {"fac": "kern", "pri": "warn", "time": 793.619208, "caller": "T1", "msg": "..."}, ... ]}
//
// Without -x, util-linux prints facility and level or-ed together as "pri": the facility is lost, and who wrote a line
// to /dev/kmsg is known by its tag only.
#include <algorithm>
#include <array>
#include <utility>

#include "read/journal_fields.h"
#include "read/kernel_record.h"
#include "read/loose_json.h"
#include "read/message_text.h"
#include "read/rfc3339.h"
#include "read/state_readers.h"
#include "read/whole_reader.h"

namespace forensics {
namespace {

constexpr std::array<std::string_view, 12> facilities = {"kern", "user", "mail", "daemon", "auth",     "syslog",
                                                         "lpr",  "news", "uucp", "cron",   "authpriv", "ftp"};
constexpr std::array<std::string_view, 8> levels = {"emerg", "alert", "crit", "err", "warn", "notice", "info", "debug"};

bool wanted(std::string_view key) {
  return key == "dmesg" || key == "pri" || key == "fac" || key == "time" || key == "msg" || key == "caller";
}

template <std::size_t N>
std::optional<int> index_of(const std::array<std::string_view, N>& words, std::string_view word) {
  const auto at = std::find(words.begin(), words.end(), word);
  return at == words.end() ? std::nullopt : std::optional<int>(static_cast<int>(at - words.begin()));
}

/// Seconds with a fraction since boot, or an ISO date where `--time-format iso` was asked for.
Stamp stamp_of(const std::string& text) {
  Stamp stamp;
  const auto dot = text.find('.');
  if (const auto seconds = whole_number(std::string_view(text).substr(0, dot)); seconds && *seconds >= 0 && *seconds < 1ll << 40) {
    std::string digits = dot == text.npos ? std::string{} : text.substr(dot + 1, 6);
    digits.resize(6, '0');
    stamp.monotonic = *seconds * 1'000'000 + whole_number(digits).value_or(0);
    return stamp;
  }
  return parse_rfc3339(text).value_or(stamp);
}

void add_entry(const LooseJson& json, std::uint32_t node, const Stamp& stamp, std::size_t value_at,
               std::vector<WholeRecord>& records, SourceContext& context) {
  const auto message = json.child(node, "msg");
  const auto facility = index_of(facilities, json.text(node, "fac"));
  Event speaker;
  speaker.facility = facility.value_or(0);
  if (const auto level = index_of(levels, json.text(node, "pri"))) speaker.severity = static_cast<Severity>(*level);
  if (const auto pri = whole_number(json.text(node, "pri")); pri && *pri >= 0) speaker.severity = static_cast<Severity>(*pri & 7);
  const std::string whole = json.text(message);
  const std::string first = whole.substr(0, whole.find('\n'));
  describe_kernel_record(first, facility, Trust::kernel, speaker);
  std::size_t tag = first.size() - speaker.message.size();   // of the first line
  WholeRecord model;
  model.stamp = stamp;
  model.identifier = speaker.identifier;
  model.pid = speaker.pid;
  model.trust = speaker.trust;
  model.severity = speaker.severity;
  model.facility = speaker.facility;
  model.decoded = true;
  if (const std::string caller = json.text(node, "caller"); !caller.empty()) model.fields["caller"] = caller;
  for (const std::string_view raw : escaped_lines(json[message].value)) {
    if (raw.empty()) {
      ++context.account.records;
      context.skip("empty-message");
      continue;
    }
    WholeRecord record = model;
    record.message = unescape_json(raw.substr(0, max_record));
    record.tag = std::exchange(tag, 0);
    record.place = {json[message].line, value_at + static_cast<std::size_t>(raw.data() - json[message].value.data()), raw.size()};
    records.push_back(std::move(record));
  }
}

void extract(std::string_view text, SourceContext& context, std::vector<WholeRecord>& records) {
  const LooseJson json(text, wanted);
  for (std::uint32_t i = 0; i < json.nodes().size(); ++i) {
    const auto message = json.child(i, "msg");
    if (message == LooseJson::none || json[i].kind == LooseJson::Kind::array) continue;
    if (json[message].kind != LooseJson::Kind::string) continue;
    const auto value_at = static_cast<std::size_t>(json[message].value.data() - text.data());
    const bool last = json[message].end == text.size();
    if (last && json.cut() && text[text.size() - 1] != '"')
      context.diagnose(json[message].line, "truncated-record", "the last message is cut off");
    add_entry(json, i, stamp_of(json.text(i, "time")), value_at, records, context);
  }
  if (json.cut()) context.diagnose(json.open_line(), "truncated-record", "the document ends in the middle");
  if (json.too_many()) context.diagnose(json.lines(), "too-large", "the rest of the document was not read");
}

}  // namespace

int sniff_dmesg_json(std::string_view, std::string_view head) {
  const auto start = head.find_first_not_of(" \t\r\n");
  if (start == head.npos || head[start] != '{') return 0;
  const auto begin = head.substr(start, 64);
  const bool titled = begin.find("\"dmesg\"") != begin.npos;
  const bool entry = head.find("\"msg\"") != head.npos && head.find("\"pri\"") != head.npos;
  return titled ? 97 : entry && head.find("\"time\"") != head.npos && head.find("hostname") == head.npos ? 40 : 0;
}

std::unique_ptr<Reader> open_dmesg_json(ByteSource& bytes, SourceContext& context) {
  return open_whole(bytes, context, extract, SilentLines::ignored);
}

}  // namespace forensics
