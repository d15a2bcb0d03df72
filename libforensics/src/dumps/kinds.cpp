#include "dumps/kinds.h"

namespace forensics {

const std::vector<DumpKind>& dump_kinds() {
  static const std::vector<DumpKind> kinds = {oom_dump(),       oops_dump(), panic_dump(),
                                              hung_task_dump(), ata_dump(),  lockup_dump()};
  return kinds;
}

}  // namespace forensics
