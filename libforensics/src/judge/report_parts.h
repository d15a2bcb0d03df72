// Parts of the report beside the verdict.
#pragma once

#include <vector>

#include "judge/case.h"
#include "judge/subject.h"

namespace forensics {

/// Does a kernel log reach from before this moment until after it? (`trusted`: one that only the kernel can write)
bool kernel_covers(const Case& c, RealTime time);
bool trusted_kernel_covers(const Case& c, RealTime time);

/// Whether each source reaches over the death: by its times, or because it holds a finding about it.
std::vector<Coverage> coverage_of(const Case& c, const DeathCase* death);

/// What would have to be there to say more, and the command that gets it.
std::vector<Missing> find_missing(const Case& c, const Choice& choice, const DeathCase* death, const Finding& verdict);

std::vector<Contradiction> find_contradictions(const Case& c, const DeathCase* death);

}  // namespace forensics
