#include "rules/pattern.h"

#include <algorithm>
#include <boost/regex.hpp>

namespace forensics {

std::optional<PatternFault> find_pattern_fault(const std::string& pattern) {
  if (const std::size_t at = pattern.find("(?P<"); at != pattern.npos)
    return PatternFault{"(?P<name>...) is another engine's syntax: write (?<name>...)", at};
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '\\') continue;
    if (pattern[++i] == '\'' || pattern[i] == '`')
      return PatternFault{
          std::string("\\") + pattern[i] + " is the border of the text, not a quote: leave the backslash out", i - 1};
  }
  try {
    boost::regex compiled(pattern, boost::regex::perl);
    return std::nullopt;
  } catch (const boost::regex_error& error) {
    std::string message = error.what();
    // The engine repeats the pattern with a marker; the caller shows the place itself.
    if (const std::size_t tail = message.find("  The error occurred"); tail != message.npos) message.resize(tail);
    while (!message.empty() && (message.back() == '.' || message.back() == ' ')) message.pop_back();
    const auto position = std::clamp<std::ptrdiff_t>(error.position(), 0, static_cast<std::ptrdiff_t>(pattern.size()));
    return PatternFault{message, static_cast<std::size_t>(position)};
  } catch (const std::runtime_error& error) {
    return PatternFault{error.what(), 0};
  }
}

std::vector<std::string> capture_names(std::string_view pattern) {
  std::vector<std::string> names;
  bool in_set = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (in_set) {
      in_set = pattern[i] != ']';
    } else if (pattern[i] == '[') {
      in_set = true;
      if (pattern.substr(i + 1, 1) == "^") ++i;
      if (pattern.substr(i + 1, 1) == "]") ++i;  // a bracket that stands first is one of the set
    } else if (pattern.substr(i, 3) == "(?<" && pattern.substr(i + 3, 1) != "=" && pattern.substr(i + 3, 1) != "!") {
      const std::size_t end = pattern.find('>', i);
      if (end == pattern.npos) break;
      names.emplace_back(pattern.substr(i + 3, end - i - 3));
      i = end;
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace forensics
