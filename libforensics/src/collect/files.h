// Files, folders and standard input as sources.
#pragma once

#include <filesystem>
#include <vector>

#include "timeline/pipeline.h"

namespace forensics {

/// Adds every readable regular file below `path` ("-": standard input), in name order. Native journals (*.journal, *.journal~)
/// go to collect/native_journal.h, the members of archives and compressed files are sources of their own (collect/archive.h);
/// an archive that is named itself is like a folder. What cannot be read is a Diagnostic: "unreadable", "empty-file", "binary-file",
/// "no-log". Returns false if nothing at all could be read from it.
/// `spool`: folder for a nameless copy of what can be read once only (pipes, standard input), so that all of it can be read
/// again; empty: no copy is made. The pipeline must outlive the readers that are opened again.
bool collect_path(const std::filesystem::path& path, Pipeline& pipeline, const std::filesystem::path& spool = {});

/// Nothing could be read of them. Throws: Error (io) with the first reason, if there is one.
void throw_unreadable(const std::vector<std::filesystem::path>& paths, const std::vector<Diagnostic>& diagnostics);

}  // namespace forensics
