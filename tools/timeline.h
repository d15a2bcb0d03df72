// why-died timeline: the merged records of a bundle, each with a mark where something was found.
#pragma once

#include "options.h"

namespace why_died {

/// Returns the exit status: 0 records were printed, 1 none.
int timeline(const Options& options);

}  // namespace why_died
