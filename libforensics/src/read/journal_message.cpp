#include "read/journal_message.h"

#include <optional>

#include "read/line_message.h"
#include "read/message_text.h"

namespace forensics {

std::uint32_t append_journal_message(std::string& text, std::string_view line) {
  const std::size_t begin = text.size();
  const std::uint32_t length = append_message(text, line);
  const std::string_view message = std::string_view(text).substr(begin, length);
  if (message.find("\\\"") == message.npos) return length;
  std::string unwrapped;
  std::optional<int> severity;
  if (!unwrap_logfmt(message, unwrapped, severity) && !unwrap_klog(message, unwrapped, severity)) return length;
  text += unwrapped;
  text += '\n';
  return static_cast<std::uint32_t>(text.size() - begin) - 1;
}

void read_journal_message(std::string_view record, Event& event) {
  event.message = record.substr(0, record.find('\n'));
  event.text = show(event.message);
  unwrap_daemon_message(event);
}

}  // namespace forensics
