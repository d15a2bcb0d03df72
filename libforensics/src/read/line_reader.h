// One reader for everything that is a line: frames physical lines out of blocks, and makes events of them on request.
//
// The block read is the batch: nothing is copied. Only if a block holds escapes that hide what the message says (terminal
// sequences, rsyslog's #011, \" in logfmt, \x5c of /dev/kmsg) the batch's text is put together anew, with the decoded message
// in the place of such a line; Record::offset and raw_length always name the physical bytes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "read/line_prefix.h"
#include "read/reader.h"
#include "read/systemctl_status.h"

namespace forensics {

/// What the file as a whole says about lines that do not say it themselves.
struct LineHints {
  std::string identifier;          ///< of logfmt and klog lines
  Trust trust = Trust::claimed;    ///< of the same
  bool plain_is_kernel = false;    ///< every line without a stamp is the kernel's: dmesg -t
};

class LineReader final : public Reader {
 public:
  LineReader(ByteSource& bytes, SourceContext& context, LineFamily family, LineHints hints);
  bool next(Batch& batch) override;
  Stamp parse(const Batch& batch, const Record& record, Event& event) const override;

 private:
  /// Positions of the next bytes that may need more than framing; each is looked for once per block.
  struct Special {
    const char *null, *escape, *backslash, *hash;
    const char* first = nullptr;
  };

  bool fill();
  void frame(Batch& batch);
  void skip_rest_of_line();
  void look_for_special(const char* from, Special& special) const;
  void line(Batch& batch, const char* begin, std::size_t length, bool special);
  void stamped(Batch& batch, std::string_view text, const char* begin, std::size_t length, LinePrefix& prefix);
  void unstamped(Batch& batch, std::string_view text, const char* begin, std::size_t length);
  void split_kernel_line(Batch& batch, const char* begin, std::size_t length, std::string_view clean);
  /// Appends the record; `decoded` stands for it in the text if it is not the bytes themselves.
  void add(Batch& batch, const char* begin, std::size_t length, std::uint32_t aux, const std::string* decoded);
  void add_status(Batch& batch, const char* begin, std::size_t length);
  void add_decoded(Batch& batch, const char* begin, std::size_t length);
  void set_stamp(Batch& batch, const LinePrefix& prefix);
  std::uint32_t current_stamp(Batch& batch);
  void skip(std::string_view reason);
  bool needs_decoding(std::string_view line) const;
  std::string_view raw(const Record& record) const;
  std::size_t message_column(std::string_view line) const;
  /// Everything about a whole physical line but where, text and stamp. Returns the printk stamp behind a tag, if any.
  std::optional<std::int64_t> describe(std::string_view line, std::size_t piece, Event& event) const;
  void describe_kernel(const LinePrefix& prefix, Event& event) const;
  std::optional<std::int64_t> describe_tagged_line(const LinePrefix& prefix, Event& event) const;
  void describe_application(const LinePrefix& prefix, Event& event) const;
  void describe_unstamped(std::string_view line, Event& event) const;
  void remember_head();
  bool follows_a_bare_tag() const;

  ByteSource& bytes_;
  SourceContext& context_;
  LineFamily family_;
  LineHints hints_;

  std::string buffer_;                     // the block; its first carry_ bytes are the end of the one before
  std::size_t size_ = 0, carry_ = 0, begin_ = 0;
  std::uint64_t base_ = 0;                 // offset of buffer_[0] in the source
  bool end_ = false, skipping_ = false, first_ = true;
  std::uint64_t line_ = 0;
  std::string text_;                       // the batch's text where it is not the block
  bool rewriting_ = false;

  Stamp stamp_;                            // the last one read, which lines without one share
  bool has_stamp_ = false;
  std::uint32_t stamp_index_ = 0;          // in the batch at hand; 0: not in it yet
  char key_[64];                           // bytes that gave it: a line that starts with them has the same
  std::size_t key_size_ = 0;

  const char* head_ = nullptr;             // the last line with a stamp: what continues it is said by the same program
  std::size_t head_size_ = 0, head_width_ = 0;
  std::string head_copy_;                  // the same, once its block is gone
  std::uint64_t head_line_ = 0;
  struct Template {
    Event event;
    std::size_t width;                     // of the head's stamp: continuation lines are indented by it
    bool whole = false;                    // the event says it all: the line is only quoted
  };
  std::vector<Template> templates_;        // per run of continuation lines; Record::aux names one
  bool template_is_current_ = false;
  SystemctlStatus status_;                 // the block of `systemctl status` at hand
  std::string wall_host_;                  // "Message from syslogd@HOST at ...", for the lines below it
};

}  // namespace forensics
