#include "read/whole_reader.h"

#include <algorithm>

#include "read/message_text.h"

namespace forensics {
namespace {

/// Holds the text and what was found in it.
class WholeReader final : public Reader {
 public:
  WholeReader(ByteSource& bytes, SourceContext& context, Extract extract, SilentLines silent, std::size_t largest)
      : bytes_(bytes), context_(context), extract_(extract), silent_(silent), largest_(largest) {}

  bool next(Batch& batch) override {
    if (!loaded_) load();
    messages_.clear();
    for (; next_ < records_.size() && messages_.size() < batch_text; ++next_) add(batch, next_);
    batch.text = messages_;
    return !batch.records.empty();
  }

  Stamp parse(const Batch& batch, const Record& record, Event& event) const override {
    const WholeRecord& state = records_[record.aux];
    event.severity = state.severity;
    event.facility = state.facility;
    event.pid = state.pid;
    event.where = {context_.index, record.line, record.offset, record.raw_length};
    event.trust = state.trust;
    event.identifier = state.identifier;
    event.container_id = state.container_id;
    event.container_name = state.container_name;
    event.fields = state.fields;
    const std::string_view whole = batch.text.substr(record.begin, record.length);
    event.message = whole.substr(std::min(state.tag, whole.size()));
    const std::string_view raw = std::string_view(text_).substr(record.offset, record.raw_length);
    event.text = show(raw);
    return batch.stamps[record.stamp];
  }

 private:
  void load();
  void end_at_a_line();
  void add_text_lines();
  void account(std::uint64_t lines);
  void add(Batch& batch, std::size_t index);

  ByteSource& bytes_;
  SourceContext& context_;
  Extract extract_;
  std::string text_, messages_;
  std::vector<WholeRecord> records_;
  std::size_t next_ = 0;
  SilentLines silent_;
  std::size_t largest_;
  bool loaded_ = false;
};

void WholeReader::load() {
  loaded_ = true;
  constexpr std::size_t step = 128 * 1024;
  std::uint64_t lines = 0;
  std::uint64_t beyond = 0;
  std::string block(step, '\0');
  char last = '\n';
  while (const std::size_t n = bytes_.read(block.data(), step)) {
    context_.account.bytes += n;
    lines += static_cast<std::uint64_t>(std::count(block.data(), block.data() + n, '\n'));
    last = block[n - 1];
    const std::size_t fits = std::min(n, largest_ - text_.size());
    text_.append(block, 0, fits);
    beyond += n - fits;
  }
  if (last != '\n') ++lines;
  if (beyond > 0) end_at_a_line();
  extract_(text_, context_, records_);
  if (beyond > 0)   // it was cut here, not where it came from
    std::erase_if(context_.diagnostics, [](const Diagnostic& d) { return d.code == "truncated-record"; });
  if (silent_ == SilentLines::text) add_text_lines();
  std::stable_sort(records_.begin(), records_.end(),
                   [](const WholeRecord& a, const WholeRecord& b) { return a.place.offset < b.place.offset; });
  account(lines);
}

void WholeReader::end_at_a_line() {
  context_.diagnose(0, "too-large", "the file is too large for what it looks like: the rest was not read");
  const std::size_t newline = text_.rfind('\n');
  if (newline != text_.npos && text_.size() - newline <= max_record) text_.resize(newline + 1);   // else a document on one line
}

/// Other text may stand around what an engine says.
void WholeReader::add_text_lines() {
  std::vector<std::uint64_t> told;
  for (const WholeRecord& record : records_) told.push_back(record.place.line);
  std::sort(told.begin(), told.end());
  std::uint64_t line = 0;
  for (std::size_t at = 0; at < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    const std::string_view text(text_.data() + at, std::min(end - at, max_record));
    if (!std::binary_search(told.begin(), told.end(), ++line) && text.find_first_not_of(" \t\r") != text.npos) {
      WholeRecord record;
      record.message = text;
      record.place = {line, at, text.size() - (text.ends_with('\r') ? 1 : 0)};
      record.identifier.clear();
      record.trust = Trust::claimed;
      records_.push_back(std::move(record));
    }
    at = end + 1;
  }
}

/// A line without a record of its own is one that was looked at for nothing.
void WholeReader::account(std::uint64_t lines) {
  context_.account.lines = lines;
  std::uint64_t told = 0, line = 0;
  for (const WholeRecord& record : records_) {
    if (record.place.line != line) ++told;
    line = record.place.line;
  }
  const std::uint64_t silent = lines > told ? lines - told : 0;
  context_.account.records += records_.size() + silent;
  if (silent > 0) context_.skip("no-event", silent);
}

void WholeReader::add(Batch& batch, std::size_t index) {
  const WholeRecord& state = records_[index];
  Record record;
  record.begin = static_cast<std::uint32_t>(messages_.size());
  record.length = append_message(messages_, state.message);
  record.aux = static_cast<std::uint32_t>(index);
  record.line = state.place.line;
  record.offset = state.place.offset;
  record.raw_length = state.place.length;
  if (state.stamp.wall || state.stamp.monotonic) {
    record.stamp = static_cast<std::uint32_t>(batch.stamps.size());
    batch.stamps.push_back(state.stamp);
  }
  batch.records.push_back(record);
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::unique_ptr<Reader> open_whole(ByteSource& bytes, SourceContext& context, Extract extract, SilentLines silent,
                                   std::size_t largest) {
  return std::make_unique<WholeReader>(bytes, context, extract, silent, largest);
}

}  // namespace forensics
