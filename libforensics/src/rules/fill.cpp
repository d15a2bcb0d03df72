// Values of a match put into the sentences of its rule.
#include <charconv>
#include <fmt/format.h>

#include "rules/rule.h"
#include "rules/sentence.h"

namespace forensics {

namespace {

/// A capture may be a whole hostile line; a sentence shows no more of it than this.
constexpr std::size_t longest_value = 200;

std::string cut(std::string_view value) {
  if (value.size() <= longest_value) return show(value);
  std::size_t end = longest_value;
  while (end > longest_value - 4 && (static_cast<unsigned char>(value[end]) & 0xC0) == 0x80) --end;
  return show(value.substr(0, end)) + "...";
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::int64_t kib = 1024, mib = kib * 1024, gib = mib * 1024;
  if (bytes < kib) return fmt::format("{} bytes", bytes);
  const auto [unit, word] = bytes >= gib   ? std::pair(gib, "GiB")
                            : bytes >= mib ? std::pair(mib, "MiB")
                                           : std::pair(kib, "KiB");
  if (bytes % unit == 0) return fmt::format("{} {}", bytes / unit, word);
  return fmt::format("{:.1f} {}", static_cast<double>(bytes) / static_cast<double>(unit), word);
}

std::string value_text(std::string_view name, const Fact& fact) {
  const auto* number = std::get_if<std::int64_t>(&fact);
  std::int64_t parsed = 0;
  if (const auto* text = std::get_if<std::string>(&fact)) {
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), parsed);
    if (!name.ends_with("_bytes") || error != std::errc() || end != text->data() + text->size()) return cut(*text);
    number = &parsed;
  }
  if (number) return name.ends_with("_bytes") ? bytes_text(*number) : fmt::format("{}", *number);
  return std::get<bool>(fact) ? "yes" : "no";
}

struct Segment {
  std::string text;
  bool dropped = false;
};

}  // namespace

std::string fill(std::string_view text, const std::map<std::string, Fact, std::less<>>& values) {
  std::vector<Segment> open(1);
  const auto close = [&] {
    Segment segment = std::move(open.back());
    open.pop_back();
    if (!segment.dropped) open.back().text += segment.text;
  };
  for (const SentencePart& part : split_sentence(text)) {
    switch (part.kind) {
      case SentencePart::Kind::text:
        open.back().text += part.text;
        break;
      case SentencePart::Kind::open:
        open.emplace_back();
        break;
      case SentencePart::Kind::close:
        if (open.size() > 1)
          close();
        else
          open.back().text += part.text;
        break;
      case SentencePart::Kind::name: {
        const auto it = values.find(part.text);
        const std::string value = it == values.end() ? std::string() : value_text(part.text, it->second);
        if (value.empty()) open.back().dropped = true;
        open.back().text += value.empty() ? "(unknown)" : value;
      }
    }
  }
  while (open.size() > 1) close();
  return std::move(open.front().text);  // `dropped` of the sentence itself means nothing: it cannot be left out
}

}  // namespace forensics
