#include "rules/sentence.h"

#include <algorithm>

namespace forensics {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool is_special(char c) { return c == '[' || c == ']' || c == '{' || c == '}' || c == '\\'; }

}  // namespace

std::vector<SentencePart> split_sentence(std::string_view text) {
  using Kind = SentencePart::Kind;
  std::vector<SentencePart> parts;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\\' && i + 1 < text.size() && is_special(text[i + 1])) {
      parts.push_back({Kind::text, text.substr(i + 1, 1), i});
      i += 2;
    } else if (const std::size_t end = text.substr(i, 2) == "{{" ? text.find("}}", i) : text.npos; end != text.npos) {
      parts.push_back({Kind::text, text.substr(i, end + 2 - i), i});  // a template of docker's --format
      i = end + 2;
    } else if (text[i] == '[' || text[i] == ']') {
      parts.push_back({text[i] == '[' ? Kind::open : Kind::close, text.substr(i, 1), i});
      ++i;
    } else if (const std::size_t end = text[i] == '{' ? text.find('}', i) : text.npos;
               end != text.npos && is_name(text.substr(i + 1, end - i - 1))) {
      parts.push_back({Kind::name, text.substr(i + 1, end - i - 1), i});
      i = end + 1;
    } else {
      const std::size_t next = std::min(text.find_first_of("[]{}\\", i + 1), text.size());
      parts.push_back({Kind::text, text.substr(i, next - i), i});
      i = next;
    }
  }
  return parts;
}

std::optional<SentenceFault> find_sentence_fault(std::string_view text) {
  struct Open {
    std::size_t position;
    bool named = false;
  };
  std::vector<Open> open;
  for (const SentencePart& part : split_sentence(text)) {
    switch (part.kind) {
      case SentencePart::Kind::text:
        // An escaped brace is a part of its own; a stray one begins its part.
        if ((part.text[0] == '{' || part.text[0] == '}') && text[part.position] != '\\' && !part.text.starts_with("{{"))
          return SentenceFault{
              part.text[0] == '{' ? "\"{\" opens no {name} (lower case, digits, _)" : "\"}\" closes nothing",
              part.position};
        break;
      case SentencePart::Kind::name:
        for (Open& segment : open) segment.named = true;
        break;
      case SentencePart::Kind::open:
        open.push_back({part.position});
        break;
      case SentencePart::Kind::close:
        if (open.empty()) return SentenceFault{"\"]\" closes no [segment]", part.position};
        if (!open.back().named)
          return SentenceFault{"a [segment] without a {name} would always be shown", open.back().position};
        open.pop_back();
        break;
    }
  }
  if (!open.empty()) return SentenceFault{"the [segment] is not closed", open.back().position};
  return std::nullopt;
}

std::vector<SentenceName> sentence_names(std::string_view text) {
  std::vector<SentenceName> names;
  int depth = 0;
  for (const SentencePart& part : split_sentence(text)) {
    if (part.kind == SentencePart::Kind::open) ++depth;
    if (part.kind == SentencePart::Kind::close && depth > 0) --depth;
    if (part.kind == SentencePart::Kind::name) names.push_back({std::string(part.text), depth > 0, part.position});
  }
  return names;
}

}  // namespace forensics
