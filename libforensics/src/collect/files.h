// Files, folders and standard input as sources.
#pragma once

#include <filesystem>
#include <vector>

#include "timeline/pipeline.h"

namespace forensics {

/// Adds every readable regular file below `path` ("-": standard input), in name order. Native journals (*.journal, *.journal~)
/// go to collect/native_journal.h. What cannot be read is a Diagnostic: "unreadable", "empty-file", "binary-file",
/// "no-log". Returns false if nothing at all could be read from it.
bool collect_path(const std::filesystem::path& path, Pipeline& pipeline);

}  // namespace forensics
