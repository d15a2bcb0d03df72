// Native journal files and the live journal through libsystemd (sd-journal).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "timeline/pipeline.h"

namespace forensics {

/// True if the file starts with the journal's signature "LPKSHHRH".
bool is_native_journal(const std::filesystem::path& path);

/// A file that is not the live host's: copied with pread to an unlinked temporary file, extended to the size in its
/// header, then read. Diagnostics: "journal-damaged" with the number of entries lost, "unreadable", "journal-unsupported"
/// if built without libsystemd.
void collect_native_journal(const std::filesystem::path& path, const std::string& name, Pipeline& pipeline);

/// The live journal (or a folder of one) from `since` to now: the kernel's and the daemons' entries that rules' origins
/// name, by matches. False if it cannot be opened or shows no system entries for lack of permission; then `why` says so.
bool collect_live_journal(const std::string& folder, std::optional<RealTime> since, Pipeline& pipeline, std::string& why);

}  // namespace forensics
