// Native journal files and the live journal through libsystemd (sd-journal).
#pragma once

#include <filesystem>
#include <memory>
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
/// `file` stays alive as long as the source can be read again.
void collect_native_journal(const std::filesystem::path& path, const std::string& name, Pipeline& pipeline,
                            std::shared_ptr<const void> file = {});

struct LiveJournal {
  bool read = false;               ///< false: not opened, or without the system's entries
  std::string why;                 ///< then: the reason; empty if this host keeps no journal
  std::optional<RealTime> from;    ///< the oldest entry there is
};

/// The live journal (or a folder of one; empty: the host's own) from `since` to now: the kernel's and audit's entries and
/// those of `identifiers` (exact, or a prefix ending in '*'), by matches.
LiveJournal collect_live_journal(const std::string& folder, std::optional<RealTime> since,
                                 const std::vector<std::string>& identifiers, Pipeline& pipeline);

}  // namespace forensics
