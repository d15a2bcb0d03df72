// The rules built into the library, as constant tables: the build writes builtin_rules.cpp from rules/
// (embed_rules.cpp). Plain data compiles in no time and costs nothing until it is asked for.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "rules/rule.h"

namespace forensics::builtin {

struct Constant {
  enum class Type : std::uint8_t { integer, boolean, text };
  std::string_view name;
  Type type;
  std::int64_t number;  ///< of an integer or a boolean
  std::string_view text;
};

struct Where {
  std::string_view fact;
  std::span<const std::string_view> allowed;
};

struct ClauseRow {
  Origin origin;
  std::span<const std::string_view> identifiers, contains;
  std::string_view pattern;
};

struct RuleRow {
  std::string_view id, title, cause;
  Role role;
  Confidence confidence;
  std::string_view explain;
  std::span<const std::string_view> remedies, references, supersedes;
  std::int64_t within_us;
  std::string_view dump;
  std::span<const Where> where;
  std::span<const Constant> facts;
  std::span<const ClauseRow> all, any, none;
};

struct ChainRow {
  std::string_view from, to;
  std::int64_t within_us;
  std::string_view shared;
};

std::span<const RuleRow> rules();
std::span<const ChainRow> chains();

}  // namespace forensics::builtin
