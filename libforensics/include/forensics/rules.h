// Rules: data files that recognise one thing in a log and explain it. rules/README.md is the language.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace forensics {

struct RuleDef;   // private: the loaded form

/// An immutable set of rules. Cheap to copy; may be used from several threads at once.
class RuleSet {
 public:
  /// The rules built into the library. No file is read.
  static RuleSet builtin();

  /// Every *.toml below `directory` (chains.toml apart); a rule's id is its path without the ending. Checks each
  /// rule and each of its examples. Throws: Error (rule) with file:line:column; Error (io).
  static RuleSet load(const std::filesystem::path& directory);

  /// All rules, sorted by id. Valid as long as any copy of this set.
  const std::vector<RuleDef>& rules() const noexcept;

  struct Impl;
  explicit RuleSet(std::shared_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}
  const Impl& impl() const noexcept { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace forensics
