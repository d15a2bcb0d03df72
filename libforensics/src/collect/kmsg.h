// The live kernel ring buffer.
//
//   6,1437,2113893,-;prog[97]: segfault at 10 ip 000000000040180b ...
//    SUBSYSTEM=pci                                      further lines of one record
//
// Each read() of the device returns one record; EAGAIN is the end, EPIPE says that records were overwritten meanwhile.
#pragma once

#include <string>

#include "timeline/pipeline.h"

namespace forensics {

/// False if it is closed to us or not there; then `why` is the reason and `hint` says what opens it.
bool collect_kmsg(const std::string& path, Pipeline& pipeline, std::string& why, std::string& hint);

}  // namespace forensics
