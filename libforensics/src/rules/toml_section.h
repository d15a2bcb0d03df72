// Strict reading of TOML: every key is known, every value has its type, and every complaint has file, line and column.
// Only the two readers of rule files include this (it is heavy).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

#include "forensics/error.h"

namespace forensics {

/// One file: its text and its name in messages.
struct TomlFile {
  std::string_view text, name;
};

[[noreturn]] void fail_at(const TomlFile& file, toml::source_position at, std::string reason, std::string hint = {});
/// `file:line:column`
std::string place(const TomlFile& file, toml::source_position at);
/// Throws: Error (rule) for what is not TOML.
toml::table parse_toml(const TomlFile& file);
/// Where byte `offset` of a string value stands: exact for strings written raw and on one line, else the value's start.
toml::source_position inside(const TomlFile& file, const toml::node& value, std::size_t offset);

/// One table of a file.
class Section {
 public:
  /// `what` names it in messages: "a rule", "a clause". Throws: Error (rule) if it holds a key that is not in `keys`.
  Section(const TomlFile& file, const toml::table& table, std::string what, std::vector<std::string_view> keys);

  const TomlFile& file() const noexcept { return *file_; }
  toml::source_position begin() const { return table_->source().begin; }
  const toml::node* find(std::string_view key) const { return table_->get(key); }
  const toml::table& table() const noexcept { return *table_; }

  /// A text that is there and not empty.
  std::string required_text(std::string_view key) const;
  /// Empty if the key is absent.
  std::string text(std::string_view key) const;
  /// A text or a list of texts; empty if the key is absent.
  std::vector<std::string> texts(std::string_view key) const;
  /// A list of texts; empty if the key is absent.
  std::vector<std::string> list(std::string_view key) const;
  /// The tables of `[[key]]`.
  std::vector<const toml::table*> tables(std::string_view key) const;
  /// The table of `key = { ... }`, or nullptr.
  const toml::table* inner(std::string_view key) const;
  /// A text that is one of `words`; empty if the key is absent.
  std::string word(std::string_view key, const std::vector<std::string_view>& words) const;
  /// A duration like `30s` in µs.
  std::optional<std::int64_t> duration(std::string_view key) const;

  [[noreturn]] void fail(std::string_view key, std::string reason, std::string hint = {}) const;

 private:
  const TomlFile* file_;
  const toml::table* table_;
  std::string what_;
};

/// The text of a node, or an Error that says what it is instead.
std::string node_text(const TomlFile& file, const toml::node& node, std::string_view key);

}  // namespace forensics
