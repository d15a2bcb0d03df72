// Which death the question is about.
#pragma once

#include <string>
#include <vector>

#include "judge/case.h"

namespace forensics {

/// The subject as found, and its death.
struct Choice {
  Subject subject;                      ///< name, id and image filled in as far as known
  std::vector<std::size_t> containers;  ///< that bear the name (recreated ones: all of them)
  std::optional<std::size_t> death;     ///< index into Case::deaths; empty: it did not die, or nothing is known of it
  bool known = true;                    ///< false: no source knows the name that was asked for
};

/// Throws: Error (usage) if several containers are meant; the reason lists them.
Choice choose_death(const Case& c, const Subject& asked);

/// The subject of any death: for the list of all others.
Subject subject_of(const Case& c, const DeathCase& death);

}  // namespace forensics
