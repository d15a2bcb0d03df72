// Lines without a stamp: what goes on with the line before it, and the block that `systemctl status` prints.
#include <algorithm>

#include "read/line_message.h"
#include "read/line_reader.h"

namespace forensics {

namespace {

/// Indentation from which on a line without a stamp goes on with the line before it.
constexpr std::size_t least_indent = 2;

std::size_t indentation(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at == line.npos ? line.size() : at;
}

bool host_wide(LineFamily family) {
  return family == LineFamily::kernel || family == LineFamily::syslog || family == LineFamily::monotonic;
}

}  // namespace

/// A line of `systemctl status` that says how the unit ended, as an event of systemd's.
void LineReader::add_status(Batch& batch, const char* begin, std::size_t length) {
  Template& made = templates_.emplace_back();
  made.whole = true;
  made.event.identifier = "systemd";
  made.event.trust = Trust::daemon_text;
  made.event.unit = status_.unit();
  made.event.message = status_.message();
  template_is_current_ = false;
  const Stamp before = stamp_;
  const bool had_stamp = has_stamp_;
  const std::uint32_t index = stamp_index_;
  if (status_.since()) stamp_ = *status_.since(), has_stamp_ = true, stamp_index_ = 0;
  add(batch, begin, length, static_cast<std::uint32_t>((templates_.size() - 1) << 1 | 1), &made.event.message);
  stamp_ = before, has_stamp_ = had_stamp, stamp_index_ = index;
}

/// "Nov 30 14:03:22 host systemd[1]:" at the end of a line: the paste was broken there, the text is on the next one.
bool LineReader::follows_a_bare_tag() const {
  if (!host_wide(family_) || head_ == nullptr || line_ != head_line_ + 1) return false;
  std::string_view head(head_, head_size_);
  while (head.ends_with(' ')) head.remove_suffix(1);
  return head.ends_with("]:");
}

void LineReader::unstamped(Batch& batch, std::string_view text, const char* begin, std::size_t length) {
  if (!host_wide(family_) || family_ == LineFamily::syslog) {
    if (status_.look(text)) return add_status(batch, begin, length);
  }
  const std::size_t indent = indentation(text);
  const bool indented = indent >= std::max(least_indent, head_width_);
  const bool continues = (host_wide(family_) && head_ != nullptr && indented) || follows_a_bare_tag();
  const bool decode = needs_decoding(std::string_view(begin, length));
  if (!continues) {
    if (decode) return add_decoded(batch, begin, length);
    return add(batch, begin, length, 0, nullptr);
  }
  if (!template_is_current_) {
    Template& made = templates_.emplace_back();
    made.width = message_column({head_, head_size_});
    describe({head_, head_size_}, 0, made.event);
    template_is_current_ = true;
  }
  const auto aux = static_cast<std::uint32_t>((templates_.size() - 1) << 1 | 1);
  const std::string decoded(decode ? text : std::string_view{});
  add(batch, begin, length, aux, decode ? &decoded : nullptr);
}

/// Where the message of a line starts: what continues it is indented so far.
std::size_t LineReader::message_column(std::string_view line) const {
  const std::string clean = without_terminal_sequences(line);
  LinePrefix prefix;
  if (!read_stamp(family_, clean, prefix)) return 0;
  read_tag(family_, prefix);
  return static_cast<std::size_t>(prefix.rest.data() - clean.data());
}

}  // namespace forensics
