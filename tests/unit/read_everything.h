// Runs a reader over bytes as the pipeline does, and parses every record.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "read/reader.h"

namespace forensics::test {

struct Everything {
  SourceContext context;
  std::vector<Event> events;
  std::vector<Stamp> stamps;

  std::uint64_t skipped() const {
    std::uint64_t n = 0;
    for (const auto& [reason, count] : context.account.skipped) n += count;
    return n;
  }
  bool adds_up() const { return context.account.records == events.size() + skipped(); }
  const Diagnostic* diagnostic(std::string_view code) const {
    for (const auto& d : context.diagnostics)
      if (d.code == code) return &d;
    return nullptr;
  }
};

/// Hands out at most `step` bytes at a time.
class DrippingSource final : public ByteSource {
 public:
  DrippingSource(std::string_view bytes, std::size_t step) : rest_(bytes), step_(step) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t n = rest_.copy(out, std::min(size, step_));
    rest_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view rest_;
  std::size_t step_;
};

template <typename Open>
Everything read_everything(Open open, std::string_view bytes, std::string_view name = "sample",
                           std::size_t step = std::size_t(-1)) {
  Everything all;
  all.context.account.name = name;
  DrippingSource source(bytes, step);
  const std::unique_ptr<Reader> reader = open(source, all.context);
  Batch batch;
  batch.clear();
  while (reader->next(batch)) {
    for (const Record& record : batch.records) {
      Event event;
      all.stamps.push_back(reader->parse(batch, record, event));
      all.events.push_back(std::move(event));
    }
    batch.clear();
  }
  return all;
}

/// Every cut of the sample, from the front and from the back: nothing may crash, and the account adds up.
template <typename Open>
bool cuts_add_up(Open open, std::string_view bytes, std::string_view name = "sample") {
  for (std::size_t i = 0; i <= bytes.size(); ++i) {
    if (!read_everything(open, bytes.substr(0, i), name).adds_up()) return false;
    if (!read_everything(open, bytes.substr(i), name).adds_up()) return false;
  }
  return true;
}

}  // namespace forensics::test
