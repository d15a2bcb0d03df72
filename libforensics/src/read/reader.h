// The contract between readers and the pipeline.
//
// A reader frames a source exactly and forward into batches of records. A record is a span of *decoded message text*
// plus where it stands and its raw stamp. The pipeline scans the text of a whole batch at once; only candidates are
// handed back to `parse`, which makes an Event of them. So `next` must be fast and `parse` may be thorough.
//
//   - one record yields one event: a kernel record of several text lines is framed as several records
//   - `Batch::text` is what is scanned. For plain line formats it *is* the block read (records are whole physical
//     lines, stamp and tag included: parse() separates them). For structured formats it is the decoded messages, each
//     followed by '\n'. A record's own text never contains '\n', but where a journal's message hides a part of itself
//     behind escaped quotes: then it stands behind one once more, without them.
//   - every byte is accounted for: each record is framed or counted as skipped with a reason in `SourceContext`
//   - nothing throws for what the bytes contain
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forensics/event.h"
#include "forensics/timeline.h"
#include "read/byte_source.h"

namespace forensics {

/// A stamp as printed, before any clock is known.
struct Stamp {
  enum class Wall : std::uint8_t {
    none,
    utc,       ///< `wall` is µs since the epoch: the stamp had a zone, or is UTC by definition
    local,     ///< `wall` is the local date and time read as if it were UTC: no zone was printed
    no_year,   ///< as local, in the leap year 2000: month, day and time only
  };
  std::optional<std::int64_t> wall;       ///< µs
  std::optional<std::int64_t> monotonic;  ///< µs since boot
  Wall kind = Wall::none;
  std::int64_t precision = 1;             ///< µs that the last printed digit stands for
  std::int64_t delay = 0;                 ///< µs from `wall` to the moment of `monotonic`: said, and received
  bool inferred = false;                  ///< `wall` was not printed: whoever collected the source worked it out
};

struct Record {
  std::uint32_t begin = 0, length = 0;    ///< in Batch::text
  std::uint32_t stamp = 0;                ///< index into Batch::stamps; stamps[0] is always "none"
  std::uint32_t aux = 0;                  ///< the reader's own (index into its side tables, line style, ...)
  std::uint64_t line = 0;                 ///< from 1; 0: no lines
  std::uint64_t offset = 0, raw_length = 0;  ///< bytes of the source that `show(decode())` to the evidence text
};

/// Reused from call to call; owned by the pipeline, filled by the reader. Everything in it is valid until the next
/// call of `next`.
struct Batch {
  std::string_view text;
  std::vector<Record> records;
  std::vector<Stamp> stamps;              ///< consecutive records with equal stamp bytes share one

  void clear() {
    text = {};
    records.clear();
    stamps.assign(1, Stamp{});
  }
};

/// What a reader reports about its source besides records. One per source, owned by the pipeline.
struct SourceContext {
  std::uint32_t index = 0;                ///< into Timeline::sources
  Source account;                         ///< readers add to bytes, lines, records and skipped; the pipeline sets used
  std::vector<Container> containers;      ///< typed state found by inspect-like readers
  std::vector<Diagnostic> diagnostics;

  void diagnose(std::uint64_t line, std::string_view code, std::string_view message) {
    for (auto& d : diagnostics)
      if (d.code == code) { ++d.count; return; }
    diagnostics.push_back({account.name, line, std::string(code), std::string(message), 1});
  }
  void skip(std::string_view reason, std::uint64_t n = 1) {
    account.skipped[std::string(reason)] += n;
  }
};

class Reader {
 public:
  virtual ~Reader() = default;
  /// Frames the next batch (text at most about 256 KiB) into `batch`, which is already cleared. False at the end, with
  /// an empty batch. May return true with no records (all of it skipped).
  virtual bool next(Batch& batch) = 0;
  /// Makes the full event of a record of the batch that `next` returned last. Fills where, trust, severity, facility,
  /// host, identifier, pid, unit, cgroup, container_*, message, text, fields. Leaves time, monotonic, clock and boot to
  /// the timeline, but returns the complete stamp: a syslog line may hold a printk stamp behind its tag, which `next`
  /// does not look at.
  virtual Stamp parse(const Batch& batch, const Record& record, Event& event) const = 0;
};

/// For formats whose records are decoded messages: message and quotation are the record's text.
inline void quote_message(const SourceContext& context, const Batch& batch, const Record& record, Event& event) {
  event.where = {context.index, record.line, record.offset, record.raw_length};
  event.message = batch.text.substr(record.begin, record.length);
  event.text = show(event.message);
}

/// The longest record that is kept; of a longer line the rest is skipped ("long-line") up to its end.
inline constexpr std::size_t max_record = 64 * 1024;
/// How much of a source the sniffers see.
inline constexpr std::size_t sniff_size = 64 * 1024;

/// One row of the format table (read/formats.cpp): the only place that lists formats.
struct FormatDef {
  std::string_view name;                  ///< "dmesg", "journal-export", "docker-inspect", ...
  std::string_view description;           ///< one line, with the command that makes such output
  Trust trust;                            ///< the best an event of it can have
  /// 0 (no) to 100 (certain). `head` is at most sniff_size bytes; `name` is the file's name.
  int (*sniff)(std::string_view name, std::string_view head);
  std::unique_ptr<Reader> (*open)(ByteSource& bytes, SourceContext& context);
};

const std::vector<FormatDef>& formats();
/// The best row for this head, or nullptr (binary, empty).
const FormatDef* sniff_format(std::string_view name, std::string_view head);

/// A ByteSource that gives back a head already read, then the rest.
class HeadSource final : public ByteSource {
 public:
  HeadSource(std::string head, ByteSource& rest) : head_(std::move(head)), rest_(rest) {}
  std::string_view head() const noexcept { return head_; }
  std::size_t read(char* out, std::size_t size) override {
    if (pos_ < head_.size()) {
      const std::size_t n = std::string_view(head_).substr(pos_).copy(out, size);
      pos_ += n;
      return n;
    }
    return rest_.read(out, size);
  }

 private:
  std::string head_;
  std::size_t pos_ = 0;
  ByteSource& rest_;
};

}  // namespace forensics
