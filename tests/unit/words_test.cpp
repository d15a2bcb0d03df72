#include "rules/words.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "dumps/dump.h"

using namespace forensics;

TEST_CASE("every kind of dump has its facts listed, and no other") {
  for (const DumpKind& kind : dump_kinds())
    CHECK_MESSAGE(find_dump_facts(kind.name), "no facts are listed for ", kind.name);
  for (const DumpFacts& row : dump_facts())
    CHECK_MESSAGE(std::any_of(dump_kinds().begin(), dump_kinds().end(),
                              [&](const DumpKind& kind) { return kind.name == row.dump; }),
                  "no such dump: ", row.dump);
}

TEST_CASE("nearest_word: a slip of the keyboard, not another word") {
  CHECK(nearest_word("remedys", {"remedies", "references"}) == "remedies");
  CHECK(nearest_word("kernle", {"kernel", "state"}) == "kernel");
  CHECK(nearest_word("contians", {"contains", "origin"}) == "contains");
  CHECK(nearest_word("priority", {"title", "cause", "role"}).empty());
  CHECK(nearest_word("", {"title"}).empty());
  CHECK(nearest_word(std::string(10000, 'x'), {"title"}).empty());
}
