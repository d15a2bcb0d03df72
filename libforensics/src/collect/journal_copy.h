// A private copy of a native journal file, whole enough for sd-journal to open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "collect/spool.h"
#include "timeline/pipeline.h"

namespace forensics {

/// What the header of a journal file says of itself.
struct JournalHeader {
  std::uint64_t size = 0;         ///< of the file, by its header
  std::uint64_t entries = 0;
};
/// Empty: not a header. `bytes` are the first 272 or more.
std::optional<JournalHeader> journal_header(std::string_view bytes);

/// Copies block by block; blocks that cannot be read are zeros. False, with a diagnostic, if nothing came of it.
bool copy_journal(const std::filesystem::path& from, const std::string& name, TemporaryFile& to, JournalHeader& header,
                  Pipeline& pipeline);

}  // namespace forensics
