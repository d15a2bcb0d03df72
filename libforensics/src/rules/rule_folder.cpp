#include "rules/rule_folder.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iterator>

namespace forensics {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> rule_files(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error))
    throw Error(ErrorCode::io, directory.string(), "this is no folder that can be read",
                "name the folder of the rules, like rules/");
  std::vector<fs::path> files;
  fs::recursive_directory_iterator it(directory, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error))
    if (it->path().extension() == ".toml" && it->is_regular_file(error)) files.push_back(it->path());
  if (error) throw Error(ErrorCode::io, directory.string(), error.message());
  std::sort(files.begin(), files.end(),
            [](const fs::path& a, const fs::path& b) { return a.generic_string() < b.generic_string(); });
  return files;
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad() || !in.is_open()) throw Error(ErrorCode::io, file.string(), "the file cannot be read");
  return text;
}

void check_id(const std::string& id, const std::string& file) {
  const bool good = std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '/';
  });
  if (!good)
    throw Error(ErrorCode::rule, file + ":1:1", fmt::format("\"{}\" is no rule id", show(id)),
                "name files in lower case, digits and -");
}

}  // namespace

RuleFolder read_rule_folder(const fs::path& directory, std::vector<Error>* errors) {
  RuleFolder folder;
  const auto attempt = [&](const std::function<void()>& step) {
    try {
      step();
    } catch (const Error& error) {
      if (!errors) throw;
      errors->push_back(error);
    }
  };
  for (const fs::path& file : rule_files(directory)) {
    attempt([&] {
      const std::string text = read_text(file);
      std::string id = file.lexically_relative(directory).replace_extension().generic_string();
      if (id == "chains") {
        folder.chains = parse_chains(text, file.string());
        return;
      }
      check_id(id, file.string());
      folder.rules.push_back(parse_rule(id, text, file.string()));
    });
  }
  std::sort(folder.rules.begin(), folder.rules.end(), [](const RuleDef& a, const RuleDef& b) { return a.id < b.id; });
  // With a rule missing, every rule that supersedes it would be blamed.
  if (!errors || errors->empty()) attempt([&] { check_set(folder.rules); });
  return folder;
}

}  // namespace forensics
