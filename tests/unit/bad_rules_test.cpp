// Each file of tests/bad_rules says in its first lines what must be said about it:
//
//   # error: 6:1: a rule has no key "priorty"     line, column and the beginning of the reason
//   # hint: the keys are                          a part of the hint; optional
//
// Files called chains-* are tables of chains. What only the examples show is found by running them.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "forensics/error.h"
#include "rules/examples.h"
#include "rules/rule.h"

using namespace forensics;

namespace {

std::string expected(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == text.npos) return {};
  const std::size_t begin = at + key.size();
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

std::optional<Error> fault_of(const std::string& stem, std::string_view text) {
  try {
    if (stem.starts_with("chains-")) {
      parse_chains(text, "bad.toml");
      return std::nullopt;
    }
    const RuleDef rule = parse_rule("bad", text, "bad.toml");
    const auto faults = find_example_faults(make_rule_set({rule}, {}), rule);
    if (!faults.empty()) return faults.front();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("each bad rule is refused with its message") {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(FORENSICS_SOURCE_DIR "/tests/bad_rules"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  CHECK(files.size() > 50);
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    CAPTURE(file.stem().string());
    const auto fault = fault_of(file.stem().string(), text);
    REQUIRE_MESSAGE(fault, "nothing was found");
    CHECK(fault->code() == ErrorCode::rule);
    const std::string what = fault->what(), wanted = "bad.toml:" + expected(text, "# error: ");
    CHECK(what.substr(0, wanted.size()) == wanted);
    const std::string hint = expected(text, "# hint: ");
    CHECK_MESSAGE(fault->hint().find(hint) != std::string::npos, "the hint is: ", fault->hint(),
                  " and should hold: ", hint);
  }
}
