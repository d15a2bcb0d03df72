#include "read/line_blocks.h"

#include <algorithm>
#include <cstring>

namespace forensics {

LineBlocks::LineBlocks(ByteSource& bytes, SourceContext& context, std::size_t longest)
    : bytes_(bytes), context_(context), longest_(longest), buffer_(block_size + padding, '\0') {}

std::size_t LineBlocks::pull(std::size_t size) {
  const std::size_t n = ended_ ? 0 : bytes_.read(buffer_.data() + filled_, size);
  if (n == 0) ended_ = true;
  filled_ += n;
  context_.account.bytes += n;
  return n;
}

void LineBlocks::fill() {
  while (filled_ < buffer_.size() - padding && pull(buffer_.size() - padding - filled_) > 0) {}
}

std::string_view LineBlocks::peek() {
  fill();
  return {buffer_.data(), filled_};
}

bool LineBlocks::next_block() {
  std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
  base_ += at_;
  filled_ -= at_;
  at_ = lines_end_ = 0;
  while (true) {
    fill();
    const std::size_t end = std::string_view(buffer_.data(), filled_).rfind(boundary_);
    if (end != std::string_view::npos) {
      lines_end_ = end + boundary_.size();
      return true;
    }
    if (ended_) {
      lines_end_ = filled_;
      return filled_ > 0;
    }
    if (filled_ <= longest_) {
      buffer_.resize(buffer_.size() * 2);
    } else {
      skip_long_line();
    }
  }
}

/// What is held has no end and is too long: on to behind the next end of a line.
void LineBlocks::skip_long_line() {
  context_.diagnose(line_, "long-line", "a line was too long and was skipped");
  context_.skip("long-line");
  ++context_.account.records;
  ++context_.account.lines;
  ++line_;
  while (true) {
    const auto* const end = static_cast<const char*>(std::memchr(buffer_.data(), '\n', filled_));
    const std::size_t waste = end == nullptr ? filled_ : static_cast<std::size_t>(end - buffer_.data()) + 1;
    std::memmove(buffer_.data(), buffer_.data() + waste, filled_ - waste);
    base_ += waste;
    filled_ -= waste;
    if (end != nullptr || pull(block_size) == 0) return;
  }
}

bool LineBlocks::next_line(Line& line) {
  if (at_ >= lines_end_) return false;
  const std::string_view rest(buffer_.data() + at_, lines_end_ - at_);
  const std::size_t end = rest.find('\n');
  line.whole = end != rest.npos;
  line.text = rest.substr(0, line.whole ? end : rest.size());
  if (line.text.ends_with('\r')) line.text.remove_suffix(1);
  line.number = line_++;
  line.offset = base_ + at_;
  at_ += line.whole ? end + 1 : rest.size();
  ++context_.account.lines;
  return true;
}

}  // namespace forensics
