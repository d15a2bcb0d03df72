#include "rules/toml_section.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>

#include "rules/words.h"

namespace forensics {

namespace {

std::string_view type_word(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

/// The `n`-th line, from 1.
std::string_view line_of(std::string_view text, std::size_t n) {
  for (; n > 1; --n) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string place(const TomlFile& file, toml::source_position at) {
  return fmt::format("{}:{}:{}", file.name, at.line, at.column);
}

void fail_at(const TomlFile& file, toml::source_position at, std::string reason, std::string hint) {
  throw Error(ErrorCode::rule, place(file, at), std::move(reason), std::move(hint));
}

toml::table parse_toml(const TomlFile& file) {
  try {
    return toml::parse(file.text);
  } catch (const toml::parse_error& error) {
    fail_at(file, error.source().begin, fmt::format("this is not TOML: {}", error.description()),
            "log lines and patterns stand between ''' and '''; see rules/README.md");
  }
}

toml::source_position inside(const TomlFile& file, const toml::node& value, std::size_t offset) {
  toml::source_position at = value.source().begin;
  const std::string_view line = line_of(file.text, at.line);
  if (at.column == 0 || at.column > line.size()) return at;
  const std::string_view rest = line.substr(at.column - 1);
  const std::size_t quote = rest.starts_with("'''") ? 3 : rest.starts_with("'") ? 1 : 0;
  if (quote != 0 && rest.find(rest.substr(0, quote), quote) != rest.npos)
    at.column += static_cast<toml::source_index>(quote + offset);
  return at;
}

std::string node_text(const TomlFile& file, const toml::node& node, std::string_view key) {
  if (const auto* text = node.as_string()) return text->get();
  fail_at(file, node.source().begin, fmt::format("\"{}\" must be a text, not {}", key, type_word(node)),
          node.is_integer() || node.is_boolean() ? "put it in quotes" : "");
}

Section::Section(const TomlFile& file, const toml::table& table, std::string what, std::vector<std::string_view> keys)
    : file_(&file), table_(&table), what_(std::move(what)) {
  for (const auto& [key, value] : table) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    const std::string near = nearest_word(key.str(), keys);
    fail_at(file, key.source().begin, fmt::format("{} has no key \"{}\"", what_, key.str()),
            fmt::format("{}the keys are {}", near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near),
                        list_words(keys)));
  }
}

void Section::fail(std::string_view key, std::string reason, std::string hint) const {
  const toml::node* node = find(key);
  fail_at(*file_, node ? node->source().begin : begin(), std::move(reason), std::move(hint));
}

std::string Section::required_text(std::string_view key) const {
  if (!find(key)) fail_at(*file_, begin(), fmt::format("{} needs \"{}\"", what_, key));
  std::string value = text(key);
  if (value.empty()) fail(key, fmt::format("\"{}\" is empty", key));
  return value;
}

std::string Section::text(std::string_view key) const {
  const toml::node* node = find(key);
  return node ? node_text(*file_, *node, key) : std::string();
}

std::vector<std::string> Section::texts(std::string_view key) const {
  const toml::node* node = find(key);
  if (node && node->is_string()) return {text(key)};
  if (node && !node->is_array())
    fail(key, fmt::format("\"{}\" must be a text or a list of texts, not {}", key, type_word(*node)));
  return list(key);
}

std::vector<std::string> Section::list(std::string_view key) const {
  const toml::node* node = find(key);
  if (!node) return {};
  const auto* array = node->as_array();
  if (!array)
    fail(key, fmt::format("\"{}\" must be a list of texts, not {}", key, type_word(*node)), "write [\"...\"]");
  if (array->empty()) fail(key, fmt::format("\"{}\" is an empty list", key), "leave it out");
  std::vector<std::string> out;
  for (const toml::node& item : *array) out.push_back(node_text(*file_, item, key));
  return out;
}

std::vector<const toml::table*> Section::tables(std::string_view key) const {
  const toml::node* node = find(key);
  if (!node) return {};
  const auto* array = node->as_array();
  if (!array)
    fail(key, fmt::format("\"{}\" must be a list of tables, not {}", key, type_word(*node)),
         fmt::format("write [[{}]]", key));
  std::vector<const toml::table*> out;
  for (const toml::node& item : *array) {
    if (!item.is_table())
      fail_at(*file_, item.source().begin, fmt::format("\"{}\" must hold tables", key),
              fmt::format("write [[{}]]", key));
    out.push_back(item.as_table());
  }
  return out;
}

const toml::table* Section::inner(std::string_view key) const {
  const toml::node* node = find(key);
  if (!node) return nullptr;
  if (!node->is_table())
    fail(key, fmt::format("\"{}\" must be a table, not {}", key, type_word(*node)),
         fmt::format("write {} = {{ name = \"value\" }}", key));
  return node->as_table();
}

std::string Section::word(std::string_view key, const std::vector<std::string_view>& words) const {
  const std::string value = text(key);
  if (!find(key) || std::find(words.begin(), words.end(), value) != words.end()) return value;
  const std::string near = nearest_word(value, words);
  fail(key, fmt::format("unknown {} \"{}\"", key, value),
       fmt::format("{}it is one of {}", near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near),
                   list_words(words)));
}

std::optional<std::int64_t> Section::duration(std::string_view key) const {
  if (!find(key)) return std::nullopt;
  const std::string value = text(key);
  std::int64_t count = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, count);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const std::int64_t factor = unit == "us"   ? 1
                              : unit == "ms" ? 1'000
                              : unit == "s"  ? 1'000'000
                              : unit == "m"  ? 60'000'000
                              : unit == "h"  ? 3'600'000'000
                                             : 0;
  constexpr std::int64_t longest = std::int64_t{366} * 24 * 3'600'000'000;
  if (error != std::errc() || factor == 0 || count <= 0 || count > longest / factor)
    fail(key, fmt::format("\"{}\" is no duration", value), "a whole number and us, ms, s, m or h, like \"30s\"");
  return count * factor;
}

}  // namespace forensics
