// The rows that the line reader has in the format table: their sniffers and their makers.
#pragma once

#include <memory>
#include <string_view>

#include "read/reader.h"

namespace forensics {

enum class LineFormat : std::uint8_t {
  none,
  dmesg, dmesg_ctime, dmesg_iso, dmesg_reltime, dmesg_level, dmesg_raw, dmesg_plain, kmsg,
  rfc3164, syslog_iso, rfc5424, syslog_pri, syslog_wall, short_full, short_unix, short_monotonic,
  logcat, klog, logfmt, container,
};

/// What most of the head's lines are, and how sure that is (0 to 100).
struct LineGuess {
  LineFormat format = LineFormat::none;
  int score = 0;
};
LineGuess guess_line_format(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_line_format(LineFormat format, ByteSource& bytes, SourceContext& context);

template <LineFormat format>
int sniff_line(std::string_view name, std::string_view head) {
  const LineGuess guess = guess_line_format(name, head);
  return guess.format == format ? guess.score : 0;
}
template <LineFormat format>
std::unique_ptr<Reader> open_line(ByteSource& bytes, SourceContext& context) {
  return open_line_format(format, bytes, context);
}

}  // namespace forensics
