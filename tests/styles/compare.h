// Holds what one style said against what the richest style of its group said.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "read_style.h"

namespace forensics::styles {

/// What must be read out of a style, record by record. Made from the richest style by taking away what this one does
/// not print.
struct Expected {
  std::string message, identifier, host;
  std::optional<std::int64_t> pid, monotonic;
  std::optional<std::int64_t> wall;  ///< µs, UTC
  std::optional<Severity> severity;
  bool severity_lost = false;  ///< what is printed is not the severity, and nothing tells
  std::optional<int> facility;
  bool kernel = false;  ///< the kernel said it
};

Expected expected_of(const Said& richest);

/// The same moment as a stamp without its year: in the leap year 2000.
std::int64_t without_year(std::int64_t utc);

/// Checks message, who said it, severity, facility and time of every record, in order and one by one.
void compare(const Style& style, const Reading& reading, const std::vector<Expected>& expected);

}  // namespace forensics::styles
