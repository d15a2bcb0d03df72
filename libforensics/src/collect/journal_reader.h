// Entries of sd-journal as records.
#pragma once

#include <systemd/sd-journal.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "read/reader.h"

namespace forensics {

struct JournalCloser {
  void operator()(sd_journal* journal) const noexcept { ::sd_journal_close(journal); }
};
using Journal = std::unique_ptr<sd_journal, JournalCloser>;

/// Reads from where `walk` stands to its end. `find` is a second handle on the same files, which parse() moves about.
class JournalReader final : public Reader {
 public:
  struct Options {
    std::uint64_t expected = 0;     ///< entries by the header; 0: unknown
    bool damaged_tail = false;      ///< expected is set: read backwards from the end if the way forward breaks off
  };
  JournalReader(Journal walk, Journal find, SourceContext& context, Options options);
  ~JournalReader() override;

  bool next(Batch& batch) override;
  Stamp parse(const Batch& batch, const Record& record, Event& event) const override;

 private:
  struct Entry {
    std::string cursor;
    Stamp stamp;
  };
  bool step();
  bool jump_the_gap();
  void take(Batch& batch);
  void add_lines(Batch& batch, std::string_view message, std::uint32_t entry);

  Journal walk_, find_;
  SourceContext& context_;
  Options options_;
  std::vector<Entry> entries_;          // of the batch at hand; Record::aux names one
  std::string text_, last_cursor_;
  std::uint64_t seen_ = 0;
  bool jumped_ = false, ended_ = false;
};

}  // namespace forensics
