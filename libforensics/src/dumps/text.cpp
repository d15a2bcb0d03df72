#include "dumps/text.h"

#include <charconv>

namespace forensics {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool contains(std::string_view text, std::string_view what) { return text.find(what) != std::string_view::npos; }

std::optional<std::int64_t> take_integer(std::string_view& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<std::int64_t> number_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  const auto value = take_integer(text);
  if (text.empty()) return {};
  return value;
}

std::optional<std::int64_t> kilobytes_after(std::string_view text, std::string_view key) {
  constexpr std::int64_t unlimited = std::int64_t{1} << 53;
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  const auto value = take_integer(text);
  if (!value || *value < 0 || *value >= unlimited / 1024 || !text.starts_with("kB")) return {};
  return *value * 1024;
}

std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t at = text.find(open);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + open.size());
  const std::size_t end = text.find(close);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

std::string_view hex_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text = text.substr(at + key.size());
  if (text.starts_with("0x")) text.remove_prefix(2);
  const std::size_t end = text.find_first_not_of("0123456789abcdefABCDEF");
  return text.substr(0, end);
}

}  // namespace forensics
