// A folder of rule files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "forensics/error.h"
#include "rules/rule.h"

namespace forensics {

struct RuleFolder {
  std::vector<RuleDef> rules;  ///< sorted by id
  std::vector<ChainLink> chains;
};

/// Reads every *.toml below `directory`, and chains.toml in it, and checks the set; runs no example. What is wrong is
/// added to `errors` and the rest goes on; without `errors` the first is thrown. Throws: Error (io, rule).
RuleFolder read_rule_folder(const std::filesystem::path& directory, std::vector<Error>* errors = nullptr);

}  // namespace forensics
