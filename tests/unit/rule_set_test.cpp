#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

#include "forensics/error.h"
#include "rules/regex_cache.h"
#include "rules/rule.h"
#include "rules/rule_folder.h"

using namespace forensics;

namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(fs::temp_directory_path() / ("forensics-rules-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  void write(const std::string& name, std::string_view text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }

 private:
  fs::path path_;
};

constexpr std::string_view rule_text = R"(title = "A card stopped answering"
cause = "mmc-error"
explain = "{device} did not answer."
[[all]]
origin = "kernel"
contains = "timed out"
pattern = '^(?<device>mmc\d+): timed out'
[[example]]
name = "one"
text = "[    1.000000] mmc0: timed out\n"
[[counterexample]]
name = "two"
text = "[    1.000000] sda: timed out\n"
)";

bool same(const std::vector<Clause>& a, const std::vector<Clause>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Clause& x, const Clause& y) {
    return x.origin == y.origin && x.identifiers == y.identifiers && x.contains == y.contains && x.pattern == y.pattern;
  });
}

}  // namespace

TEST_CASE("the built-in rules are the files, but for the examples") {
  const RuleSet set = RuleSet::builtin();
  const RuleFolder folder = read_rule_folder(FORENSICS_SOURCE_DIR "/rules");
  REQUIRE(set.rules().size() == folder.rules.size());
  CHECK(set.rules().size() >= 50);
  for (std::size_t i = 0; i < folder.rules.size(); ++i) {
    const RuleDef &a = set.rules()[i], &b = folder.rules[i];
    CAPTURE(b.id);
    CHECK(a.id == b.id);
    CHECK(a.title == b.title);
    CHECK(a.cause == b.cause);
    CHECK(a.role == b.role);
    CHECK(a.confidence == b.confidence);
    CHECK(a.explain == b.explain);
    CHECK(a.remedies == b.remedies);
    CHECK(a.references == b.references);
    CHECK(a.supersedes == b.supersedes);
    CHECK(a.within == b.within);
    CHECK(a.dump == b.dump);
    CHECK(a.where == b.where);
    CHECK(a.facts == b.facts);
    CHECK(same(a.all, b.all));
    CHECK(same(a.any, b.any));
    CHECK(same(a.none, b.none));
    CHECK(a.examples.empty());
  }
  REQUIRE(set.impl().chains.size() == folder.chains.size());
  for (std::size_t i = 0; i < folder.chains.size(); ++i) {
    CHECK(set.impl().chains[i].from == folder.chains[i].from);
    CHECK(set.impl().chains[i].to == folder.chains[i].to);
    CHECK(set.impl().chains[i].within == folder.chains[i].within);
    CHECK(set.impl().chains[i].shared == folder.chains[i].shared);
  }
}

TEST_CASE("load: ids are paths, other files are left alone") {
  const TemporaryFolder folder;
  CHECK(RuleSet::load(folder.path()).rules().empty());
  folder.write("mmc/b.toml", rule_text);
  folder.write("mmc/a.toml", rule_text);
  folder.write("README.md", "not a rule");
  folder.write("chains.toml", "[[link]]\nfrom = 'under-voltage'\nto = 'mmc-error'\nwithin = '10m'\nshared = 'host'\n");
  const RuleSet set = RuleSet::load(folder.path());
  REQUIRE(set.rules().size() == 2);
  CHECK(set.rules()[0].id == "mmc/a");
  CHECK(set.rules()[1].id == "mmc/b");
  CHECK(set.impl().chains.size() == 1);
}

TEST_CASE("load: what is wrong is thrown with its place") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(RuleSet::load(folder.path() / "none"), doctest::Contains("no folder"), Error);
  folder.write("a.toml", "tittle = 'x'\n");
  CHECK_THROWS_WITH_AS(RuleSet::load(folder.path()), doctest::Contains("a.toml:1:1: a rule has no key \"tittle\""),
                       Error);
  std::string text(rule_text);
  folder.write("a.toml", text.replace(text.find("mmc0: timed"), 4, "sdaa"));
  CHECK_THROWS_WITH_AS(RuleSet::load(folder.path()),
                       doctest::Contains("a.toml:8:1: the example \"one\" does not match"), Error);
  folder.write("a.toml", "supersedes = ['b']\n" + std::string(rule_text));
  CHECK_THROWS_WITH_AS(RuleSet::load(folder.path()), doctest::Contains("a.toml:1:14: \"supersedes\" names \"b\""),
                       Error);
  folder.write("a.toml", rule_text);
  folder.write("Bad Name.toml", rule_text);
  CHECK_THROWS_WITH_AS(RuleSet::load(folder.path()), doctest::Contains("no rule id"), Error);
}

TEST_CASE("one set may be used from several threads") {
  const RuleSet set = make_rule_set({parse_rule("a", rule_text, "a.toml"), parse_rule("b", rule_text, "b.toml")}, {});
  std::vector<int> found(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        std::map<std::string, Fact, std::less<>> captures;
        found[t] +=
            match_pattern(set.impl(), static_cast<std::size_t>(i % 2), 0, 0, "mmc3: timed out", captures).matched;
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const int count : found) CHECK(count == 200);
}
