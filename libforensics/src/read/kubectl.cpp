// kubectl: what `kubectl describe pod`, `get events` and `get pods` print.
//
//     Last State:     Terminated
//       Reason:       OOMKilled
//       Exit Code:    137
//       Started:      Thu, 14 Mar 2024 05:11:38 +0100
//       Finished:     Thu, 14 Mar 2024 05:13:41 +0100
//
//   Type     Reason   Age                From             Message
//   Warning  Evicted  18m (x2 over 18m)  kubelet, rack2-n7  The node was low on resource: memory. ...
//   LAST SEEN   TYPE      REASON    OBJECT        MESSAGE
//   4m11s       Warning   Evicted   pod/cart-7c9   The node was low on resource: memory. ...
//   NAME      READY   STATUS    RESTARTS   AGE
//   cart-7c9   0/1     Evicted   0          102d
//
// Indentation is often lost in a paste, so only the words count. Ages are no times.
#include <algorithm>
#include <array>

#include "read/journal_fields.h"
#include "read/rfc3339.h"
#include "read/state_readers.h"
#include "read/state_records.h"
#include "read/text_lines.h"

namespace forensics {
namespace {

struct KeyValue {
  std::string_view key, value;
};

KeyValue key_value(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == line.npos) return {};
  return {line.substr(0, colon), trim(line.substr(colon + 1))};
}

/// The name of a container stands alone on its line, with a colon or without.
bool container_name(std::string_view line) {
  if (line.ends_with(':')) line.remove_suffix(1);
  if (line.empty() || line.size() > 63 || line.front() == '-' || line.back() == '-') return false;
  return std::all_of(line.begin(), line.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

/// 18m, 4m11s, 102d, <invalid>
bool is_age(std::string_view word) {
  return word == "<invalid>" || word == "<unknown>" ||
         (word.size() > 1 && word[0] >= '0' && word[0] <= '9' && word.find_first_not_of("0123456789ydhms") == word.npos);
}

bool reason_word(std::string_view word) {
  return word.size() > 2 && word[0] >= 'A' && word[0] <= 'Z' &&
         std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

struct EventRow {
  std::string_view reason, object, message;
};

/// A row of the events that describe or `get events` prints.
bool parse_event_row(std::string_view line, EventRow& row) {
  const auto words = split_words(line);
  std::size_t i = 0;
  while (i < words.size() && i < 4 && words[i] != "Normal" && words[i] != "Warning") ++i;
  if (i + 3 >= words.size() || (words[i] != "Normal" && words[i] != "Warning") || !reason_word(words[i + 1])) return false;
  row.reason = words[i + 1];
  std::size_t next = i + 2;
  if (i > 0 && words[next].find('/') != words[next].npos) {
    if (!is_age(words[i - 1]) && !words[i - 1].ends_with(')')) return false;
    row.object = words[next++];
  } else {
    if (i > 0 || !is_age(words[next++])) return false;
    if (next < words.size() && words[next].starts_with("(x")) {
      while (next < words.size() && !words[next].ends_with(')')) ++next;
      ++next;
    }
    const bool with_node = next < words.size() && words[next].ends_with(',');
    next += with_node ? 2 : 1;
  }
  if (next >= words.size()) return false;
  row.message = line.substr(static_cast<std::size_t>(words[next].data() - line.data()));
  return true;
}

/// A row of `get pods` whose status is a reason for an end.
bool parse_pod_row(std::string_view line, std::string_view& pod, std::string_view& status) {
  constexpr std::array<std::string_view, 9> ends = {"CrashLoopBackOff", "ContainerCannotRun", "ContainerStatusUnknown",
                                                    "CreateContainerError", "DeadlineExceeded", "Error", "Evicted",
                                                    "OOMKilled", "StartError"};
  const auto words = split_words(line);
  std::size_t ready = 1;
  while (ready < words.size() && ready < 3) {
    const auto slash = words[ready].find('/');
    if (slash != words[ready].npos && whole_number(words[ready].substr(0, slash)) && whole_number(words[ready].substr(slash + 1))) break;
    ++ready;
  }
  if (ready + 1 >= words.size() || ready > 2 || std::find(ends.begin(), ends.end(), words[ready + 1]) == ends.end()) return false;
  pod = words[ready - 1];
  status = words[ready + 1];
  return true;
}

/// Goes through the lines once.
class Describer {
 public:
  Describer(SourceContext& context, std::vector<WholeRecord>& records) : context_(context), records_(records) {}

  void take(const TextLine& line) {
    EventRow row;
    std::string_view pod, status;
    if (parse_event_row(line.text, row)) {
      close_block();
      add_event(line, row);
    } else if (parse_pod_row(line.text, pod, status)) {
      add_pod(line, pod, status);
    } else if (container_name(line.text)) {
      close_block();
      section_ = Section{};
      section_.name = line.text.substr(0, line.text.size() - (line.text.ends_with(':') ? 1 : 0));
    } else {
      take_key(line, key_value(line.text));
    }
  }
  void finish() {
    close_block();
    flush_pod_reason();
  }

 private:
  struct Section {
    std::string name, id, image;
    bool ended_now = false;      ///< its State is an end, so Last State is the one before
    std::size_t container = 0;   ///< what it gave to the context; number from 1
  };
  enum class Block : std::uint8_t { none, other, waiting, ended };

  static Place place(const TextLine& line) { return {line.line, line.offset, line.text.size()}; }
  void take_key(const TextLine& line, const KeyValue& pair);
  void take_block_key(const TextLine& line, const KeyValue& pair);
  void open_block(const TextLine& line, const KeyValue& pair);
  void close_block();
  void add_event(const TextLine& line, const EventRow& row);
  void add_pod(const TextLine& line, std::string_view pod, std::string_view status);
  void flush_pod_reason();
  void add(const TextLine& line, std::string message, std::string_view identifier);
  std::string pod() const { return pod_.empty() ? std::string{} : (namespace_.empty() ? "default" : namespace_) + "/" + pod_; }

  SourceContext& context_;
  std::vector<WholeRecord>& records_;
  Section section_;
  Block block_ = Block::none;
  bool last_ = false;
  StatedContainer stated_;
  std::string pod_, namespace_, pod_reason_;
  TextLine pod_reason_line_;
};

void Describer::add(const TextLine& line, std::string message, std::string_view identifier) {
  WholeRecord record;
  record.message = std::move(message);
  record.place = place(line);
  record.identifier = identifier;
  record.trust = Trust::daemon_text;
  if (!pod_.empty()) record.fields["pod"] = pod();
  records_.push_back(std::move(record));
}

void Describer::add_event(const TextLine& line, const EventRow& row) {
  add(line, "reason=" + std::string(row.reason) + " message=" + std::string(row.message), "kubernetes-events");
  if (!row.object.empty()) records_.back().fields["object"] = row.object;
}

void Describer::add_pod(const TextLine& line, std::string_view pod, std::string_view status) {
  add(line, "reason=" + std::string(status), "container-state");
  records_.back().container_name = pod;
  records_.back().fields["pod"] = pod;
}

void Describer::flush_pod_reason() {
  if (!pod_reason_.empty()) add(pod_reason_line_, "reason=" + pod_reason_, "container-state");
  pod_reason_.clear();
}

void Describer::take_key(const TextLine& line, const KeyValue& pair) {
  if (pair.key == "State" || pair.key == "Last State") {
    close_block();
    open_block(line, pair);
  } else if (block_ != Block::none &&
             (pair.key == "Reason" || pair.key == "Exit Code" || pair.key == "Started" || pair.key == "Finished" ||
              pair.key == "Message" || pair.key == "Signal")) {
    take_block_key(line, pair);
  } else if (!pair.key.empty()) {
    close_block();
    if (pair.key == "Reason" && reason_word(pair.value)) {
      flush_pod_reason();
      pod_reason_ = pair.value;
      pod_reason_line_ = line;
    } else if (pair.key == "Message" && !pair.value.empty()) {
      const std::string reason = pod_reason_.empty() ? std::string{} : "reason=" + pod_reason_ + " ";
      add(line, reason + "message=" + std::string(pair.value), "kubernetes-events");
    } else if (pair.key == "Name" || pair.key == "Pod") {
      flush_pod_reason();
      pod_ = pair.value;
    } else if (pair.key == "Namespace") {
      namespace_ = pair.value;
    } else if (pair.key == "Container ID") {
      section_.id = pair.value.substr(pair.value.find("://") == pair.value.npos ? 0 : pair.value.find("://") + 3);
    } else if (pair.key == "Image") {
      section_.image = pair.value;
    } else if (pair.key == "Restart Count" && section_.container > 0) {
      context_.containers[section_.container - 1].restart_count = whole_number(pair.value).value_or(0);
    }
  }
}

void Describer::open_block(const TextLine& line, const KeyValue& pair) {
  last_ = pair.key == "Last State";
  stated_ = StatedContainer{};
  stated_.anywhere = place(line);
  block_ = pair.value == "Terminated" ? Block::ended : pair.value == "Waiting" ? Block::waiting : Block::other;
}

void Describer::take_block_key(const TextLine& line, const KeyValue& pair) {
  Container& c = stated_.container;
  if (pair.key == "Reason") {
    stated_.reason_word = pair.value;
    stated_.reason = place(line);
  } else if (pair.key == "Message") {
    stated_.reason_message = pair.value;
  } else if (pair.key == "Exit Code") {
    if (const auto code = whole_number(pair.value)) {
      c.exit_code = static_cast<int>(*code);
      stated_.has_exit_code = true;
      stated_.exit_code = place(line);
    }
  } else if (const auto stamp = parse_rfc1123(pair.value); pair.key == "Finished" && moment(stamp)) {
    c.finished_at = moment(stamp);
    stated_.finished = *stamp;
  } else if (pair.key == "Started" && moment(stamp)) {
    c.started_at = moment(stamp);
    stated_.started = *stamp;
  }
}

void Describer::close_block() {
  const Block block = block_;
  block_ = Block::none;
  if (block != Block::ended && block != Block::waiting) return;
  Container& c = stated_.container;
  c.name = section_.name;
  c.service = section_.name;
  c.id = last_ && !section_.ended_now ? std::string{} : section_.id;   // the id is that of the run now
  c.image = section_.image;
  c.pod = pod();
  c.status = block == Block::ended ? "exited" : "waiting";
  if (block == Block::ended) c.oom_killed = stated_.reason_word == "OOMKilled";
  c.where = {context_.index, stated_.anywhere.line, stated_.anywhere.offset, stated_.anywhere.length};
  const std::size_t first = records_.size();
  add_state(stated_, context_, records_);
  for (std::size_t i = first; i < records_.size(); ++i) {
    records_[i].trust = Trust::daemon_text;
    if (!pod_.empty()) records_[i].fields["pod"] = pod();
  }
  if (block == Block::waiting || (last_ && section_.ended_now)) {
    context_.containers.pop_back();
  } else {
    section_.container = context_.containers.size();
  }
  if (block == Block::ended && !last_) section_.ended_now = true;
}

void extract(std::string_view text, SourceContext& context, std::vector<WholeRecord>& records) {
  Describer describer(context, records);
  for (const TextLine& line : split_lines(text)) describer.take(line);
  describer.finish();
}

}  // namespace

/// Counts what only kubectl prints, against all lines: such a table may stand inside a longer text.
int sniff_kubectl(std::string_view, std::string_view head) {
  int marks = 0, lines = 0;
  for (const TextLine& line : split_lines(head)) {
    if (line.text.empty() || ++lines > 400) continue;
    EventRow row;
    std::string_view pod, status;
    const auto cells = split_cells(line.text);
    const auto has = [&](std::string_view word) { return std::find(cells.begin(), cells.end(), word) != cells.end(); };
    const bool header = (has("READY") && has("STATUS") && has("RESTARTS")) || (has("REASON") && has("OBJECT")) ||
                        (has("Reason") && has("From") && has("Message"));
    const KeyValue pair = key_value(line.text);
    const bool state = pair.key == "Last State" || (pair.key == "Exit Code" && whole_number(pair.value)) ||
                       (pair.key == "State" && (pair.value == "Terminated" || pair.value == "Waiting" || pair.value == "Running")) ||
                       (pair.key == "Container ID" && pair.value.find("://") != pair.value.npos);
    if (header || state) marks += 2;
    if (parse_event_row(line.text, row) || parse_pod_row(line.text, pod, status)) ++marks;
  }
  if (marks == 0) return 0;
  return marks * 8 >= lines ? 82 : 35;
}

std::unique_ptr<Reader> open_kubectl(ByteSource& bytes, SourceContext& context) {
  return open_whole(bytes, context, extract, SilentLines::text, 4 * 1024 * 1024);
}

}  // namespace forensics
