// The patterns of rules: Boost.Regex, Perl syntax. Nothing else of the library knows which engine it is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forensics {

/// What is wrong with a pattern, and at which byte of it.
struct PatternFault {
  std::string message;
  std::size_t position = 0;
};

/// Empty if the pattern compiles.
std::optional<PatternFault> find_pattern_fault(const std::string& pattern);

/// The names of its groups, `(?<name>...)`, sorted, each once.
std::vector<std::string> capture_names(std::string_view pattern);

}  // namespace forensics
