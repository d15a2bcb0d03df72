// Whole lines of a source in blocks, for formats that have one JSON document a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "read/reader.h"

namespace forensics {

class LineBlocks {
 public:
  struct Line {
    std::string_view text;          ///< without its end
    std::uint64_t number = 0, offset = 0;
    bool whole = true;              ///< false: the source ends inside it
  };
  /// Readable bytes behind every line (vectors read past the end).
  static constexpr std::size_t padding = 128;

  /// A line that is longer than `longest` is skipped ("long-line").
  LineBlocks(ByteSource& bytes, SourceContext& context, std::size_t longest = max_record);

  /// What stands at the source's front, before the first block is taken.
  std::string_view peek();
  /// Blocks end behind this text (which ends in '\n'), so that a document of several lines is never torn.
  void keep_together(std::string_view last_line) { boundary_ = last_line; }
  /// Takes the next block; lines of the one before are gone. False at the end. Counts bytes and lines.
  bool next_block();
  /// The next line of the block; false if there is none.
  bool next_line(Line& line);

 private:
  void fill();
  std::size_t pull(std::size_t size);
  void skip_long_line();

  static constexpr std::size_t block_size = 128 * 1024;

  ByteSource& bytes_;
  SourceContext& context_;
  std::size_t longest_;
  std::string_view boundary_ = "\n";
  std::string buffer_;
  std::size_t filled_ = 0, at_ = 0, lines_end_ = 0;   // bytes held, next line, behind the block's last line
  std::uint64_t base_ = 0, line_ = 1;
  bool ended_ = false;
};

}  // namespace forensics
