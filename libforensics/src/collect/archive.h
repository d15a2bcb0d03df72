// Archives and compressed files: every member is a source, read as it is decompressed; nothing is written to disk.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "timeline/pipeline.h"

namespace forensics {

/// gzip, bzip2, xz, zstd, lz4, compress, tar, zip, 7z by their first bytes; 512 of them are enough.
bool looks_like_archive(std::string_view head);

/// A file of an archive. `path` is empty if the file is only compressed; `newest`: its modification time.
using TakeMember = std::function<void(const std::string& path, ByteSource& bytes, std::optional<RealTime> newest)>;

/// What one archive, with those inside it, may come to: a few kilobytes can decompress to petabytes.
struct ArchiveBudget {
  std::uint64_t bytes = std::uint64_t{64} << 30;
  std::uint64_t members = 1'000'000;
  bool reported = false;
};

/// Hands every regular file of the archive to `take`, in the order of the archive. `inside`: what the names of its members
/// begin with in diagnostics. `fd`: the same bytes as a seekable file
/// (7z needs that), or -1. False if nothing could be read from it. Diagnostics: "unreadable" (then), "archive-damaged",
/// "archive-too-large", "no-log".
bool read_archive(const std::string& name, const std::string& inside, ByteSource& bytes, int fd, ArchiveBudget& budget, Pipeline& pipeline, const TakeMember& take);

}  // namespace forensics
