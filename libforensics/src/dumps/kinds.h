// The rows of the table of dumps (kinds.cpp); each stands in the file of its name.
#pragma once

#include "dumps/dump.h"

namespace forensics {

DumpKind oom_dump();
DumpKind oops_dump();
DumpKind panic_dump();
DumpKind hung_task_dump();
DumpKind ata_dump();
DumpKind lockup_dump();

}  // namespace forensics
