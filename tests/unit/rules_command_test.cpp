#include "rules_command.h"

#include <doctest/doctest.h>
#include <sstream>

namespace {

struct Run {
  std::ostringstream out, err;
  int status;
  explicit Run(const std::vector<std::string>& args) : status(why_died::rules_command(args, out, err)) {}
};

bool holds(const std::ostringstream& stream, std::string_view text) {
  return stream.str().find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("rules list") {
  const Run rules({"list"});
  CHECK(rules.status == 0);
  CHECK(holds(rules.out, "oom/cgroup-limit"));
  CHECK(rules.err.str().empty());
  const Run causes({"list", "--causes"});
  CHECK(causes.status == 0);
  CHECK(holds(causes.out, "oom-kill             a memory killer killed it\n"));
}

TEST_CASE("rules show") {
  const Run rule({"show", "oom/cgroup-limit"});
  CHECK(rule.status == 0);
  CHECK(holds(rule.out, "oom/cgroup-limit: "));
  CHECK(holds(rule.out, "cause          oom-kill (a memory killer killed it)"));
  const Run unknown({"show", "oom/cgruop-limit"});
  CHECK(unknown.status == 2);
  CHECK(unknown.err.str() ==
        "why-died: error: oom/cgruop-limit: there is no such rule\n  hint:   did you mean oom/cgroup-limit?\n");
}

TEST_CASE("rules check tells every fault") {
  const Run bad({"check", FORENSICS_SOURCE_DIR "/tests/bad_rules"});
  CHECK(bad.status == 2);
  CHECK(holds(bad.err, "unknown-key.toml:6:1: a rule has no key \"priorty\"\n  hint:   the keys are "));
  CHECK(holds(bad.err, "short-literal.toml"));
  CHECK(holds(bad.out, " faults\n"));
  CHECK(Run({"check", "/nowhere"}).status == 2);
}

TEST_CASE("rules: wrong words") {
  for (const auto& args :
       std::vector<std::vector<std::string>>{{}, {"lst"}, {"show"}, {"check"}, {"list", "x"}, {"list", "--couses"}}) {
    const Run run(args);
    CHECK(run.status == 2);
    CHECK(run.out.str().empty());
    CHECK(run.err.str().starts_with("why-died: error: "));
  }
}
