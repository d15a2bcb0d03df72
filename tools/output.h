// Standard output and standard error of the tool.
#pragma once

#include <string>
#include <string_view>

#include "forensics/error.h"

namespace why_died {

/// Writes all of it. A reader that went away is no error, nobody is left to tell: then false. Throws: OutputError.
bool print(std::string_view text);

/// Standard output could not be written: a full disk, a closed descriptor.
class OutputError : public forensics::Error {
 public:
  explicit OutputError(std::string reason) : Error(forensics::ErrorCode::io, "standard output", std::move(reason)) {}
};

/// why-died: error: where / reason / hint
std::string shaped(const forensics::Error& error, std::string_view level = "error");

/// To standard error; never fails.
void complain(const forensics::Error& error, std::string_view level = "error");

}  // namespace why_died
