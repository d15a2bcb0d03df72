// The one exception of the library.
//
// Input never throws: what is wrong with the bytes of a source is a Diagnostic. An Error is raised for the
// environment (a named file that cannot be read, a database that is locked) and for the caller's own mistakes
// (a bad rule, a bad option).
#pragma once

#include <stdexcept>
#include <string>

namespace forensics {

enum class ErrorCode { io, rule, store, usage };

class Error : public std::runtime_error {
 public:
  /// `where` is a path, `file:line:column` or an option; `reason` says what is wrong; `hint` (may be empty) says
  /// what to do about it. what() joins the first two.
  Error(ErrorCode code, std::string where, std::string reason, std::string hint = {})
      : std::runtime_error(where.empty() ? reason : where + ": " + reason),
        code_(code), where_(std::move(where)), reason_(std::move(reason)), hint_(std::move(hint)) {}

  ErrorCode code() const noexcept { return code_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& reason() const noexcept { return reason_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  ErrorCode code_;
  std::string where_, reason_, hint_;
};

}  // namespace forensics
