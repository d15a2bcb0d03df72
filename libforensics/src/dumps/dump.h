// Dumps: consecutive records of one origin that describe one incident. One table lists the kinds.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "forensics/verdict.h"

namespace forensics {

/// A dump read whole: typed facts and the records worth quoting.
struct Dump {
  std::string kind;                       ///< "oom", "oops", "panic", "hung-task", "ata", ...
  std::map<std::string, Fact, std::less<>> facts;   ///< only what the text says; absent is unknown
  std::vector<std::uint32_t> quotes;      ///< the telling records, most telling first: indices into the lines given
  bool complete = true;                   ///< false: cut, interleaved, or the rate limit took lines
};

/// One line of a dump: the message, and its time since boot or wall time in µs (whatever the source has; -1: none).
struct DumpLine {
  std::string_view message;
  std::int64_t at = -1;
};

struct DumpKind {
  std::string_view name;
  /// Any of these in a kernel message opens a dump (they are literals of the one scan, too).
  std::vector<std::string_view> openers;
  /// Really an opening line? (the literal is only a hint)
  bool (*opens)(std::string_view message);
  /// Does this line, `count` lines after the opening, still belong? Lines of other processes in between are tolerated
  /// by the collector (it stops after 10,000 lines, `most_gap`, or 64 strangers in a row).
  bool (*belongs)(std::string_view message, std::size_t count);
  /// Is this the last line? (kept)
  bool (*closes)(std::string_view message);
  /// The facts. Lines that did not belong are not among them.
  Dump (*extract)(const std::vector<DumpLine>& lines);
  /// Longest time between two lines of one dump, µs.
  std::int64_t most_gap = 2'000'000;
};

const std::vector<DumpKind>& dump_kinds();

}  // namespace forensics
