// Every rule file: strict reading, examples, counterexamples, and the cross table. `rules-test [DIR]`.
#include <iostream>

#include "rules_command.h"

int main(int argc, char** argv) {
  return why_died::rules_command({"test", argc > 1 ? argv[1] : FORENSICS_SOURCE_DIR "/rules"}, std::cout, std::cerr);
}
