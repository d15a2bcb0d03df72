// The closed word lists of rule files, for strict loading and for "did you mean". Meanings: rules/README.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace forensics {

enum class FactType { text, integer, boolean };

struct FactDef {
  std::string_view name;
  FactType type;
};

struct DumpFacts {
  std::string_view dump;
  std::vector<FactDef> facts;
};

/// The kinds of dumps and the facts that their extractors give.
const std::vector<DumpFacts>& dump_facts();
const DumpFacts* find_dump_facts(std::string_view dump);

/// What a rule's constant `facts` may be called.
const std::vector<FactDef>& constant_facts();

/// What may be shared by two links of a chain.
const std::vector<std::string_view>& shared_words();

/// The known word that is nearest to `word`; empty if none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string_view>& known);

/// `a, b, c`
std::string list_words(const std::vector<std::string_view>& words);

}  // namespace forensics
