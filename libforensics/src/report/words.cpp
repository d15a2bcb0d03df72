// The words of the verdict's enumerations: text, JSON and SQLite use the same.
#include "forensics/verdict.h"

namespace forensics {

std::string_view to_string(Confidence confidence) noexcept {
  constexpr std::string_view words[] = {"low", "medium", "high"};
  return words[static_cast<unsigned>(confidence) % 3];
}

std::string_view to_string(SubjectKind kind) noexcept {
  constexpr std::string_view words[] = {"last-death", "container", "unit", "pid", "host"};
  return words[static_cast<unsigned>(kind) % 5];
}

}  // namespace forensics
