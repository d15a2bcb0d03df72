// Sources that are small by nature and are held as a whole: what engines say about their containers.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "read/reader.h"

namespace forensics {

/// Where a field stands. Length 0: there is no such field.
struct Place {
  std::uint64_t line = 0, offset = 0, length = 0;
  explicit operator bool() const noexcept { return length > 0; }
};

/// One record of a source that is read as a whole.
struct WholeRecord {
  std::string message;
  std::size_t tag = 0;              ///< so many of its first bytes say who wrote it
  Stamp stamp;
  Place place;
  std::string container_id, container_name;
  std::string identifier = "container-state";
  Trust trust = Trust::daemon;
  std::optional<Severity> severity;
  std::optional<int> facility;
  std::optional<std::int64_t> pid;
  std::map<std::string, std::string, std::less<>> fields;
};

/// Text on one line, without control characters that would break a message.
std::string one_line(std::string_view text);

/// Takes a source's whole text apart; `records` may come in any order.
using Extract = void (*)(std::string_view text, SourceContext& context, std::vector<WholeRecord>& records);

/// What a line is that yields no record.
enum class SilentLines : std::uint8_t {
  skipped,   ///< a record that was skipped ("no-event")
  text,      ///< a record of its own: text that nobody vouches for
};

/// A reader that holds the whole source (up to `largest` bytes; the rest is "too-large") and has it taken apart.
std::unique_ptr<Reader> open_whole(ByteSource& bytes, SourceContext& context, Extract extract,
                                   SilentLines silent = SilentLines::skipped, std::size_t largest = 16 * 1024 * 1024);

}  // namespace forensics
