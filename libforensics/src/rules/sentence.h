// The little language of `explain` and `remedies`:
//
//   {comm}[ (pid {pid})] used [up to {limit_bytes} of ]memory   \[ \] \{ \} \\ stand for themselves
//
// {{...}} stands for itself, too: docker's --format '{{.State.Error}}' is what remedies quote. A [segment] is left out
// if a name in it is absent or empty. Segments may stand inside segments.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forensics {

struct SentencePart {
  enum class Kind { text, name, open, close };
  Kind kind = Kind::text;
  std::string_view text;  ///< of `text` and `name`
  std::size_t position = 0;
};

/// Splits; never fails: a stray brace is text.
std::vector<SentencePart> split_sentence(std::string_view text);

struct SentenceFault {
  std::string message;
  std::size_t position = 0;
};

/// Braces and brackets that do not pair, a name that is none, a segment without a name.
std::optional<SentenceFault> find_sentence_fault(std::string_view text);

struct SentenceName {
  std::string name;
  bool optional = false;  ///< stands in a [segment]
  std::size_t position = 0;
};

std::vector<SentenceName> sentence_names(std::string_view text);

}  // namespace forensics
