#include <doctest/doctest.h>

#include "rules/rule.h"
#include "rules/sentence.h"

using namespace forensics;

namespace {

using Values = std::map<std::string, Fact, std::less<>>;

const Values values = {{"comm", std::string("node")},
                       {"pid", std::int64_t{4121}},
                       {"limit_bytes", std::int64_t{536870912}},
                       {"usage_bytes", std::string("1610612736")},
                       {"killed", true},
                       {"empty", std::string()}};

}  // namespace

TEST_CASE("fill: names and segments") {
  CHECK(fill("The kernel killed {comm} (pid {pid}).", values) == "The kernel killed node (pid 4121).");
  CHECK(fill("{comm}[ of {unit}] ended", values) == "node ended");
  CHECK(fill("{comm}[ with {empty}] ended", values) == "node ended");
  CHECK(fill("{comm}[ (pid {pid}[, unit {unit}])]", values) == "node (pid 4121)");
  CHECK(fill("{comm}[ (unit {unit}[, pid {pid}])]", values) == "node");
  CHECK(fill("{unit} ended", values) == "(unknown) ended");
  CHECK(fill("killed: {killed}", values) == "killed: yes");
}

TEST_CASE("fill: sizes") {
  CHECK(fill("{limit_bytes}", values) == "512 MiB");
  CHECK(fill("{usage_bytes}", values) == "1.5 GiB");
  CHECK(fill("{n_bytes}", {{"n_bytes", std::int64_t{0}}}) == "0 bytes");
  CHECK(fill("{n_bytes}", {{"n_bytes", std::int64_t{1536}}}) == "1.5 KiB");
  CHECK(fill("{n_bytes}", {{"n_bytes", std::int64_t{-5}}}) == "-5 bytes");
  CHECK(fill("{n_bytes}", {{"n_bytes", std::string("12k")}}) == "12k");
}

TEST_CASE("fill: literal brackets and braces") {
  CHECK(fill(R"(\[{comm}\] \{x\} \\)", values) == R"([node] {x} \)");
  CHECK(fill("docker inspect -f '{{.State.Error}}' {comm}", values) == "docker inspect -f '{{.State.Error}}' node");
  CHECK(fill("{ {Comm} }", values) == "{ {Comm} }");
  CHECK(fill("C:\\temp", values) == "C:\\temp");
}

TEST_CASE("fill: never fails on what is not well formed") {
  CHECK(fill("a ] b [c {comm}", values) == "a ] b c node");
  CHECK(fill("{", values) == "{");
  CHECK(fill("{{", values) == "{{");
  CHECK(fill("\\", values) == "\\");
  CHECK(fill("", values).empty());
}

TEST_CASE("fill: captured text is shown, not printed raw, and cut") {
  CHECK(fill("{comm}", {{"comm", std::string("\x1b[31mred\n")}}) == "\\x1b[31mred\\x0a");
  CHECK(fill("{comm}", {{"comm", std::string("{pid} [x]")}}) == "{pid} [x]");
  CHECK(fill("{comm}", {{"comm", std::string(5000, 'a')}}) == std::string(200, 'a') + "...");
  std::string umlauts = "a";
  for (int i = 0; i < 300; ++i) umlauts += "\xc3\xa4";
  CHECK(fill("{comm}", {{"comm", umlauts}}) == umlauts.substr(0, 199) + "...");
}

TEST_CASE("sentence faults") {
  CHECK_FALSE(find_sentence_fault("{comm}[ (pid {pid})] \\[x\\] {{.State}}"));
  CHECK(find_sentence_fault("a [b] c")->message == "a [segment] without a {name} would always be shown");
  CHECK(find_sentence_fault("a [{b} c")->position == 2);
  CHECK(find_sentence_fault("a {b c")->message == "\"{\" opens no {name} (lower case, digits, _)");
  CHECK(find_sentence_fault("a b} c")->position == 3);
  CHECK(find_sentence_fault("a ] c")->position == 2);
  CHECK_FALSE(find_sentence_fault(""));
}
