#include <forensics/forensics.h>

#include <iostream>

int main(int, char** argv) {
  auto rules = forensics::RuleSet::builtin();
  auto report = forensics::analyze(argv[1], rules);
  forensics::write_text(std::cout, report);
}
