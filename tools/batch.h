// why-died batch PATH... --out DB
#pragma once

#include "options.h"

namespace why_died {

/// Every sub-folder and file of a folder named is one bundle, a file named is one; rows in name order. Returns the exit
/// status: 0 every row could be read, 3 some could not.
int batch(const Options& options);

}  // namespace why_died
