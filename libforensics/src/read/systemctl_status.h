// What `systemctl status UNIT` prints above the journal's lines, said again as the journal would have said it.
//
//   ● web.service - Web server                                                   header: bullet, unit[, description]
//        Active: failed (Result: signal) since Tue 2026-03-17 16:24:10 CET; 5s ago
//       Process: 128 ExecStartPre=/usr/bin/check (code=exited, status=1/FAILURE)
//      Main PID: 130 (code=killed, signal=KILL)
//
// becomes "web.service: Failed with result 'signal'." and "web.service: Main process exited, code=killed, status=9/KILL".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "read/reader.h"

namespace forensics {

class SystemctlStatus {
 public:
  /// Takes a line without a stamp. True if it says how a unit ended: then message() says it in the journal's words.
  bool look(std::string_view line);

  const std::string& message() const noexcept { return message_; }
  const std::string& unit() const noexcept { return unit_; }
  /// Since when the unit is in that state.
  const std::optional<Stamp>& since() const noexcept { return since_; }

 private:
  bool take_header(std::string_view line);
  bool take_active(std::string_view value);
  bool take_process(std::string_view value, bool main);

  std::string unit_, message_;
  std::optional<Stamp> since_;
  bool failed_ = false;
  int lines_left_ = 0;  ///< the block ends somewhere: what stands far below belongs to something else
};

}  // namespace forensics
