#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "forensics/error.h"
#include "rules/pattern.h"
#include "rules/regex_cache.h"
#include "rules/rule.h"

using namespace forensics;

namespace {

constexpr std::string_view good = R"(
title      = "A card stopped answering"
cause      = "mmc-error"
role       = "contributing"
confidence = "medium"
explain    = "{device} did not answer[ for {seconds} s]."
remedies   = ["Replace {device}.", "Wait."]
references = ["https://example.org"]
supersedes = ["mmc/other"]
within     = "90s"
facts      = { kind = "timeout", errno = 110 }

[[all]]
origin   = "kernel"
contains = ["timed out", "no answer"]
pattern  = '''^(?<device>mmc\d+): timed out(?: after (?<seconds>\d+))?'''

[[none]]
origin   = ["dockerd", "docker-*"]
contains = "hello"

[[example]]
name   = "one"
text   = '''
[    1.000000] mmc0: timed out
'''
expect = { device = "mmc0", errno = 110 }

[[counterexample]]
name   = "two"
file   = "kern.log"
format = "dmesg"
text   = "nothing"
)";

RuleDef parse(std::string_view text) { return parse_rule("mmc/one", text, "mmc/one.toml"); }

RuleDef parse_clause(std::string_view clause) {
  return parse(
      fmt::format("title = 'x'\ncause = 'io-error'\nexplain = 'x'\n[[all]]\n{}\n[[example]]\nname = 'a'\ntext = 'a'\n"
                  "[[counterexample]]\nname = 'b'\ntext = 'b'\n",
                  clause));
}

}  // namespace

TEST_CASE("parse_rule: everything arrives") {
  const RuleDef rule = parse(good);
  CHECK(rule.id == "mmc/one");
  CHECK(rule.title == "A card stopped answering");
  CHECK(rule.cause == "mmc-error");
  CHECK(rule.role == Role::contributing);
  CHECK(rule.confidence == Confidence::medium);
  CHECK(rule.remedies.size() == 2);
  CHECK(rule.supersedes == std::vector<std::string>{"mmc/other"});
  CHECK(rule.within == std::chrono::seconds(90));
  CHECK(rule.facts.at("kind") == Fact(std::string("timeout")));
  CHECK(rule.facts.at("errno") == Fact(std::int64_t{110}));
  REQUIRE(rule.all.size() == 1);
  CHECK(rule.all[0].origin == Origin::kernel);
  CHECK(rule.all[0].contains.size() == 2);
  CHECK(rule.none.at(0).origin == Origin::identifier);
  CHECK(rule.none.at(0).identifiers == std::vector<std::string>{"dockerd", "docker-*"});
  CHECK(rule.examples.at(0).text == "[    1.000000] mmc0: timed out\n");
  CHECK(rule.examples.at(0).expect.at("errno") == "110");
  CHECK(rule.examples.at(0).place == "mmc/one.toml:22:1");
  CHECK(rule.counterexamples.at(0).file_name == "kern.log");
  CHECK(rule.counterexamples.at(0).format == "dmesg");
}

TEST_CASE("parse_rule: defaults") {
  const RuleDef rule = parse_clause("origin = 'kernel'\ncontains = 'abc'");
  CHECK(rule.role == Role::verdict);
  CHECK(rule.confidence == Confidence::high);
  CHECK(rule.within == std::chrono::seconds(30));
  CHECK(rule.all.at(0).pattern.empty());
}

TEST_CASE("parse_rule: origins") {
  CHECK(parse_clause("origin = 'container'\ncontains = 'abc'").all[0].origin == Origin::container);
  CHECK(parse_clause("origin = 'state'\ncontains = 'abc'").all[0].origin == Origin::state);
  CHECK(parse_clause("origin = 'any'\ncontains = 'abc'").all[0].origin == Origin::any);
  for (const std::string_view daemon :
       {"containerd", "dockerd", "systemd-*", "kubelet", "k3s", "docker-events", "podman"})
    CHECK(parse_clause(fmt::format("origin = '{}'\ncontains = 'abc'", daemon)).all[0].identifiers.at(0) == daemon);
  CHECK_THROWS_AS(parse_clause("origin = 'Kernel'\ncontains = 'abc'"), Error);
  CHECK_THROWS_AS(parse_clause("origin = 'a*b'\ncontains = 'abc'"), Error);
  CHECK_THROWS_AS(parse_clause("origin = ''\ncontains = 'abc'"), Error);
}

TEST_CASE("parse_rule: durations") {
  const auto within = [](std::string_view text) {
    std::string rule(good);
    const std::size_t at = rule.find("90s");
    return parse(rule.replace(at, 3, text)).within;
  };
  CHECK(within("5us") == std::chrono::microseconds(5));
  CHECK(within("5ms") == std::chrono::milliseconds(5));
  CHECK(within("2m") == std::chrono::minutes(2));
  CHECK(within("24h") == std::chrono::hours(24));
  for (const std::string_view bad :
       {"", "s", "5", "-5s", "5 s", "5d", "0s", "1.5s", "99999999999999999999s", "9223372036854775807h"})
    CHECK_THROWS_AS(within(bad), Error);
}

TEST_CASE("parse_rule: the place of an error in a pattern is exact") {
  try {
    parse_clause("origin = 'kernel'\ncontains = 'abc'\npattern  = '''abc(de'''");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::rule);
    CHECK(error.where() == "mmc/one.toml:7:21");
    CHECK(error.reason().starts_with("the pattern does not compile: "));
  }
}

TEST_CASE("parse_chains") {
  const auto chains = parse_chains(
      "[[link]]\nfrom = 'under-voltage'\nto = 'mmc-error'\nwithin = '10m'\nshared = 'host'\n", "chains.toml");
  REQUIRE(chains.size() == 1);
  CHECK(chains[0].from == "under-voltage");
  CHECK(chains[0].to == "mmc-error");
  CHECK(chains[0].within == std::chrono::minutes(10));
  CHECK(chains[0].shared == "host");
  CHECK(parse_chains("", "chains.toml").empty());
}

TEST_CASE("check_set: supersedes") {
  RuleDef a = parse(good), b = parse(good), c = parse(good);
  a.id = "a", b.id = "b", c.id = "c";
  a.supersedes = {"b", "c"}, b.supersedes = {"c"}, c.supersedes = {};
  CHECK_NOTHROW(check_set({a, b, c}));
  c.supersedes = {"a"};
  CHECK_THROWS_WITH(check_set({a, b, c}), doctest::Contains("runs in a circle: a -> b -> c -> a"));
  c.supersedes = {"c"};
  CHECK_THROWS_WITH(check_set({a, b, c}), doctest::Contains("runs in a circle: c -> c"));
  c.supersedes = {"d"};
  CHECK_THROWS_WITH(check_set({a, b, c}), doctest::Contains("no such rule"));
  CHECK_THROWS_WITH(check_set({a, a}), doctest::Contains("two rules"));
}

TEST_CASE("capture_names: groups by name, not what looks like one") {
  using Names = std::vector<std::string>;
  CHECK(capture_names("(?<b>x)(?<a>y)") == Names{"a", "b"});
  CHECK(capture_names("(?<a>x)|(?<a>y)") == Names{"a"});
  CHECK(capture_names(R"(\(?<a>x)").empty());
  CHECK(capture_names("[(?<a>]").empty());
  CHECK(capture_names("[](?<a>]").empty());
  CHECK(capture_names("(?<=a)(?<!b)(?:c)").empty());
  CHECK(capture_names("(?<a").empty());
}

TEST_CASE("match_pattern: captures, absence, run-away") {
  const RuleSet set =
      make_rule_set({parse(good), parse_clause("origin = 'any'\ncontains = 'aaa'\npattern = '(a|aa)+$'")}, {});
  const auto find = [&](std::string_view pattern) {
    for (std::size_t i = 0; i < set.rules().size(); ++i)
      if (set.rules()[i].all[0].pattern.find(pattern) != std::string::npos) return i;
    return set.rules().size();
  };
  std::map<std::string, Fact, std::less<>> captures;
  CHECK(match_pattern(set.impl(), find("mmc"), 0, 0, "mmc1: timed out", captures).matched);
  CHECK(captures.at("device") == Fact(std::string("mmc1")));
  CHECK_FALSE(captures.contains("seconds"));
  CHECK(match_pattern(set.impl(), find("mmc"), 0, 0, "mmc1: timed out after 7", captures).matched);
  CHECK(captures.at("seconds") == Fact(std::string("7")));
  captures.clear();
  CHECK_FALSE(match_pattern(set.impl(), find("mmc"), 0, 0, "x mmc1: timed out", captures).matched);
  CHECK(captures.empty());
  const PatternResult result = match_pattern(set.impl(), find("(a|aa)"), 0, 0, std::string(5000, 'a') + "b", captures);
  CHECK(result.ran_away);
  CHECK_FALSE(result.matched);
}

TEST_CASE("the built-in set") {
  const RuleSet set = RuleSet::builtin();
  CHECK(std::is_sorted(set.rules().begin(), set.rules().end(),
                       [](const RuleDef& a, const RuleDef& b) { return a.id < b.id; }));
  for (const RuleDef& rule : set.rules()) CHECK(find_cause(rule.cause) != nullptr);
}
