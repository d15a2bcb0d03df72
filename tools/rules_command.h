// why-died rules list|show|check|test
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace why_died {

/// `args` are the words after `rules`:
///
///   list [--causes] [--rules DIR]   show ID [--rules DIR]   check DIR   test DIR
///
/// Returns the exit status: 0, or 2 if the words or a rule are wrong; then the faults stand on `err`, all of them.
int rules_command(const std::vector<std::string>& args, std::ostream& out, std::ostream& err);

}  // namespace why_died
