#include "read/state_records.h"

#include <algorithm>

#include <fmt/format.h>

#include "read/message_text.h"
#include "read/rfc3339.h"

namespace forensics {
namespace {

constexpr std::size_t longest_text = 4096;   // of an error or a probe's output

/// `key=value` words behind one another; what is empty is left out.
class Words {
 public:
  explicit Words(std::string_view first) : text_(first) {}
  Words& add(std::string_view key, std::string_view value) {
    if (!value.empty()) text_ += fmt::format("{}{}={}", text_.empty() ? "" : " ", key, value);
    return *this;
  }
  Words& quoted(std::string_view key, std::string_view value) {
    if (!value.empty())
      text_ += fmt::format("{}{}=\"{}\"", text_.empty() ? "" : " ", key, one_line(value.substr(0, longest_text)));
    return *this;
  }
  std::string text() const { return text_; }

 private:
  std::string text_;
};

/// The last start failed. Docker then leaves the times of the run before, and writes 125 to 128 itself. For a run of a
/// moment, the start is noted after the end: so a minute must lie between them before that counts.
bool never_started(const StatedContainer& s) {
  const Container& c = s.container;
  const int code = c.exit_code.value_or(0);
  if (!c.error.empty() && code >= 125 && code <= 128) return true;
  if (s.started_known && !c.started_at) return true;
  return c.started_at && c.finished_at && *c.started_at > *c.finished_at + std::chrono::minutes(1);
}

std::string code_of(const Container& c) { return c.exit_code ? std::to_string(*c.exit_code) : std::string{}; }

StateRecord record_of(const StatedContainer& s, std::string message, const Place& place, const Stamp& stamp) {
  StateRecord record;
  record.message = std::move(message);
  record.place = place ? place : s.anywhere;
  record.stamp = stamp;
  record.container_id = s.container.id;
  record.container_name = s.container.name;
  return record;
}

/// exited, never-started or running. A container that was only created has nothing to tell.
void add_outcome(const StatedContainer& s, const Stamp& ended, std::vector<StateRecord>& records) {
  const Container& c = s.container;
  if (c.running) {
    records.push_back(record_of(s, Words("running").add("status", c.status).add("exit_code", code_of(c))
                                       .add("restart_count", std::to_string(c.restart_count)).text(),
                                s.exit_code, s.started));
  } else if (s.has_exit_code && never_started(s)) {
    if (c.exit_code.value_or(0) != 0 || !c.error.empty())
      records.push_back(record_of(s, Words("never-started").add("exit_code", code_of(c)).add("status", c.status)
                                         .quoted("error", c.error).text(), s.exit_code, ended));
  } else if (s.has_exit_code) {
    const std::string_view oom = c.oom_killed ? (*c.oom_killed ? "true" : "false") : "";
    records.push_back(record_of(s, Words("exited").add("exit_code", code_of(c)).add("oom_killed", oom)
                                       .add("status", c.status).quoted("error", c.error).text(), s.exit_code, ended));
  }
}

void add_health(const StatedContainer& s, std::vector<StateRecord>& records) {
  Stamp last;
  for (const Probe& probe : s.probes) {
    last = probe.end;
    records.push_back(record_of(s, Words("health_log").add("exit_code", probe.exit_code)
                                       .quoted("output", probe.output).text(), probe.place, probe.end));
  }
  if (s.container.health == "unhealthy")
    records.push_back(record_of(s, Words("").add("health", s.container.health).add("streak", s.health_streak).text(),
                                s.health, last));
}

/// Holds the text and what was found in it.
class WholeReader final : public Reader {
 public:
  WholeReader(ByteSource& bytes, SourceContext& context, Extract extract)
      : bytes_(bytes), context_(context), extract_(extract) {}

  bool next(Batch& batch) override {
    if (!loaded_) load();
    messages_.clear();
    for (; next_ < records_.size() && messages_.size() < batch_text; ++next_) add(batch, next_);
    batch.text = messages_;
    return !batch.records.empty();
  }

  Stamp parse(const Batch& batch, const Record& record, Event& event) const override {
    const StateRecord& state = records_[record.aux];
    event.where = {context_.index, record.line, record.offset, record.raw_length};
    event.trust = state.trust;
    event.identifier = state.identifier;
    event.container_id = state.container_id;
    event.container_name = state.container_name;
    event.fields = state.fields;
    event.message = batch.text.substr(record.begin, record.length);
    event.text = show(std::string_view(text_).substr(record.offset, record.raw_length));
    return batch.stamps[record.stamp];
  }

 private:
  void load();
  void account(std::uint64_t lines);
  void add(Batch& batch, std::size_t index);

  static constexpr std::size_t longest = 32 * 1024 * 1024;

  ByteSource& bytes_;
  SourceContext& context_;
  Extract extract_;
  std::string text_, messages_;
  std::vector<StateRecord> records_;
  std::size_t next_ = 0;
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
    const std::size_t fits = std::min(n, longest - text_.size());
    text_.append(block, 0, fits);
    beyond += n - fits;
  }
  if (last != '\n') ++lines;
  if (beyond > 0) {
    text_.resize(text_.rfind('\n') + 1);
    context_.diagnose(0, "too-large", "only the first 32 MiB of this file were read");
  }
  extract_(text_, context_, records_);
  std::stable_sort(records_.begin(), records_.end(),
                   [](const StateRecord& a, const StateRecord& b) { return a.place.offset < b.place.offset; });
  account(lines);
}

/// A line without a record of its own is one that was looked at for nothing.
void WholeReader::account(std::uint64_t lines) {
  context_.account.lines = lines;
  std::uint64_t told = 0, line = 0;
  for (const StateRecord& record : records_) {
    if (record.place.line != line) ++told;
    line = record.place.line;
  }
  const std::uint64_t silent = lines > told ? lines - told : 0;
  context_.account.records += records_.size() + silent;
  if (silent > 0) context_.skip("no-event", silent);
}

void WholeReader::add(Batch& batch, std::size_t index) {
  const StateRecord& state = records_[index];
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

void add_state(const StatedContainer& s, SourceContext& context, std::vector<StateRecord>& records) {
  const Container& c = s.container;
  Stamp ended;
  if (c.finished_at) {
    ended = s.finished;
  } else if (never_started(s) && c.created_at) {
    ended = s.created;
  }
  add_outcome(s, ended, records);
  const Stamp unless_running = c.running ? Stamp{} : ended;
  if (c.oom_killed.value_or(false) && s.oom_killed)
    records.push_back(record_of(s, Words("oom_killed=true").add("exit_code", code_of(c)).add("status", c.status).text(),
                                s.oom_killed, unless_running));
  if (!c.error.empty() && s.error)
    records.push_back(record_of(s, Words("").quoted("error", c.error).add("exit_code", code_of(c))
                                       .add("status", c.status).text(), s.error, unless_running));
  if (!s.reason_word.empty())
    records.push_back(record_of(s, Words("").add("reason", s.reason_word).add("exit_code", code_of(c))
                                       .quoted("message", s.reason_message).text(), s.reason, unless_running));
  add_health(s, records);
  context.containers.push_back(c);
}

std::unique_ptr<Reader> open_whole(ByteSource& bytes, SourceContext& context, Extract extract) {
  return std::make_unique<WholeReader>(bytes, context, extract);
}

}  // namespace forensics
