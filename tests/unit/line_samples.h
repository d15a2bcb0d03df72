// Reads text as the pipeline would: by the format table, every record parsed.
#pragma once

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "read/reader.h"

namespace forensics {

struct ReadEvent {
  Event event;
  Stamp stamp;
  std::string scanned;   // the record's part of Batch::text
};

struct ReadText {
  std::string format;
  std::vector<ReadEvent> events;
  SourceContext context;
};

inline ReadText read_text(const std::string& text, const std::string& name = "log.txt") {
  ReadText out;
  const FormatDef* format = sniff_format(name, std::string_view(text).substr(0, sniff_size));
  if (format == nullptr) return out;
  out.format = format->name;
  out.context.account.name = name;
  MemorySource bytes(text);
  const auto reader = format->open(bytes, out.context);
  Batch batch;
  for (batch.clear(); reader->next(batch); batch.clear()) {
    for (const Record& record : batch.records) {
      ReadEvent& e = out.events.emplace_back();
      e.stamp = reader->parse(batch, record, e.event);
      e.scanned = batch.text.substr(record.begin, record.length);
      CHECK(e.scanned.find('\n') == std::string::npos);
      CHECK(e.event.message.find('\n') == std::string::npos);
      CHECK(e.event.text == show(std::string_view(text).substr(e.event.where.offset, e.event.where.length)));
    }
  }
  const Source& account = out.context.account;
  const std::uint64_t skipped = std::accumulate(account.skipped.begin(), account.skipped.end(), std::uint64_t{0},
                                                [](std::uint64_t n, const auto& reason) { return n + reason.second; });
  CHECK(account.records == out.events.size() + skipped);
  CHECK(account.bytes == text.size());
  return out;
}

inline std::vector<std::string> messages(const ReadText& read) {
  std::vector<std::string> out;
  for (const ReadEvent& e : read.events) out.push_back(e.event.message);
  return out;
}

inline std::int64_t at(int year, unsigned month, unsigned day, int hour, int minute, double second) {
  const std::chrono::sys_days date = std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day);
  return std::int64_t{date.time_since_epoch().count()} * 86'400'000'000 + (hour * 60 + minute) * std::int64_t{60'000'000} +
         static_cast<std::int64_t>(second * 1e6 + 0.5);
}

}  // namespace forensics
