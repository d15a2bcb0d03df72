// Built without archives: they are binary files like any other.
#include "collect/archive.h"

namespace forensics {

bool looks_like_archive(std::string_view) { return false; }

bool read_archive(const std::string&, const std::string&, ByteSource&, int, ArchiveBudget&, Pipeline&, const TakeMember&) { return false; }

}  // namespace forensics
