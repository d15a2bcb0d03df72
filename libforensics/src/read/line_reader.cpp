#include "read/line_reader.h"

#include <algorithm>
#include <cstring>

#include "read/line_message.h"
#include "read/time_parse.h"

namespace forensics {

namespace {

constexpr std::size_t block_size = 256 * 1024;

const char* find_byte(const char* from, const char* end, char c) {
  const void* at = from < end ? std::memchr(from, c, static_cast<std::size_t>(end - from)) : nullptr;
  return at ? static_cast<const char*>(at) : end;
}

bool blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

}  // namespace

LineReader::LineReader(ByteSource& bytes, SourceContext& context, LineFamily family, LineHints hints)
    : bytes_(bytes), context_(context), family_(family), hints_(std::move(hints)) {
  buffer_.resize(block_size);
}

/// Moves the unfinished line to the front and reads a block behind it. False if there is nothing left.
bool LineReader::fill() {
  remember_head();
  if (carry_ > 0) std::memmove(buffer_.data(), buffer_.data() + (size_ - carry_), carry_);
  base_ += size_ - carry_;
  size_ = carry_;
  carry_ = 0;
  while (!end_ && size_ < buffer_.size()) {
    const std::size_t n = bytes_.read(buffer_.data() + size_, buffer_.size() - size_);
    if (n == 0) end_ = true;
    size_ += n;
    context_.account.bytes += n;
  }
  begin_ = 0;
  if (first_ && std::string_view(buffer_.data(), size_).starts_with("\xEF\xBB\xBF")) begin_ = 3;
  first_ = false;
  return size_ > 0;
}

/// The head of continuation lines may stand in the block that is about to go.
void LineReader::remember_head() {
  if (head_ == nullptr || head_ == head_copy_.data()) return;
  head_copy_.assign(head_, head_size_);
  head_ = head_copy_.data();
}

bool LineReader::next(Batch& batch) {
  rewriting_ = false;
  stamp_index_ = 0;
  template_is_current_ = false;
  templates_.clear();
  if ((end_ && carry_ == 0) || !fill()) return false;
  if (skipping_) skip_rest_of_line();
  if (!skipping_) frame(batch);
  batch.text = rewriting_ ? std::string_view(text_) : std::string_view(buffer_.data(), size_ - carry_);
  return true;
}

void LineReader::skip_rest_of_line() {
  const char* begin = buffer_.data() + begin_;
  const char* end = buffer_.data() + size_;
  const char* newline = find_byte(begin, end, '\n');
  if (newline == end) {
    begin_ = size_;
    if (end_) skipping_ = false;
    return;
  }
  begin_ = static_cast<std::size_t>(newline + 1 - buffer_.data());
  skipping_ = false;
}

/// Finds again whatever lies before `from`.
void LineReader::look_for_special(const char* from, Special& special) const {
  const char* end = buffer_.data() + size_;
  if (special.null < from) special.null = find_byte(from, end, '\0');
  if (special.escape < from) special.escape = find_byte(from, end, '\x1b');
  if (special.backslash < from) special.backslash = find_byte(from, end, '\\');
  if (special.hash < from) special.hash = find_byte(from, end, '#');
  special.first = std::min(std::min(special.null, special.escape), std::min(special.backslash, special.hash));
}

void LineReader::frame(Batch& batch) {
  const char* at = buffer_.data() + begin_;
  const char* const end = buffer_.data() + size_;
  Special special{};
  if (family_ == LineFamily::container) special.backslash = end;   // nothing is unwrapped there
  if (family_ != LineFamily::syslog) special.hash = end;
  look_for_special(at, special);
  const bool reuse = family_ != LineFamily::kernel;   // a kernel line may hold a second record
  while (at < end) {
    const char* newline = find_byte(at, end, '\n');
    auto length = static_cast<std::size_t>(newline - at);
    if (newline == end && !end_) {
      if (length < buffer_.size()) {   // unfinished: to be continued in the next block
        carry_ = length;
        return;
      }
      skipping_ = true;
    }
    ++line_;
    ++context_.account.lines;
    if (length > 0 && at[length - 1] == '\r') --length;
    if (length > max_record) {
      context_.diagnose(line_, "long-line", "a line of more than 64 KiB: its beginning is used, the rest is skipped");
      skip("long-line");
      length = max_record;
    }
    const bool is_special = special.first < at + length;
    if (reuse && key_size_ > 0 && length > key_size_ && std::memcmp(at, key_, key_size_) == 0 &&
        !(is_special && (std::memchr(at, '\0', length) || needs_decoding({at, length})))) {
      head_ = at, head_size_ = length, head_width_ = key_size_, head_line_ = line_;
      template_is_current_ = false;
      add(batch, at, length, 0, nullptr);
    } else {
      line(batch, at, length, is_special);
    }
    at = newline == end ? end : newline + 1;
    if (special.first < at) look_for_special(at, special);
  }
}

void LineReader::skip(std::string_view reason) {
  context_.skip(reason);
  ++context_.account.records;
}

std::uint32_t LineReader::current_stamp(Batch& batch) {
  if (!has_stamp_) return 0;
  if (stamp_index_ == 0) {
    stamp_index_ = static_cast<std::uint32_t>(batch.stamps.size());
    batch.stamps.push_back(stamp_);
  }
  return stamp_index_;
}

void LineReader::add(Batch& batch, const char* begin, std::size_t length, std::uint32_t aux, const std::string* decoded) {
  Record& record = batch.records.emplace_back();
  record.begin = static_cast<std::uint32_t>(begin - buffer_.data());
  record.length = static_cast<std::uint32_t>(length);
  record.stamp = current_stamp(batch);
  record.aux = aux;
  record.line = line_;
  record.offset = base_ + record.begin;
  record.raw_length = length;
  ++context_.account.records;
  if (decoded && !rewriting_) {   // from here on the batch's text is our own
    rewriting_ = true;
    text_.assign(buffer_.data(), record.begin);
  }
  if (!rewriting_) return;
  const std::string_view text = decoded ? std::string_view(*decoded) : std::string_view(begin, length);
  record.begin = static_cast<std::uint32_t>(text_.size());
  record.length = static_cast<std::uint32_t>(text.size());
  text_ += text;
  text_ += '\n';
}

bool LineReader::needs_decoding(std::string_view line) const {
  if (line.find('\x1b') != line.npos) return true;
  if (family_ == LineFamily::kmsg) return line.find("\\x") != line.npos;
  if (family_ != LineFamily::container && family_ != LineFamily::kernel && line.find("\\\"") != line.npos) return true;
  return family_ == LineFamily::syslog && line.find("#0") != line.npos;
}

void LineReader::line(Batch& batch, const char* begin, std::size_t length, bool special) {
  if (special && std::memchr(begin, '\0', length) != nullptr) {   // a power cut leaves runs of them
    context_.diagnose(line_, "binary-bytes", "NUL bytes, as a power cut leaves them");
    while (length > 0 && *begin == '\0') ++begin, --length;
    while (length > 0 && begin[length - 1] == '\0') --length;
    if (length == 0 || std::memchr(begin, '\0', length) != nullptr) return skip("binary-bytes");
  }
  std::string_view text(begin, length);
  if (blank(text)) return skip("blank");
  std::string clean;
  if (special && text.find('\x1b') != text.npos) text = clean = without_terminal_sequences(text);
  if (is_separator(text)) return skip("separator");
  if (family_ == LineFamily::kmsg && text[0] == ' ' && text.find('=') != text.npos) return skip("kmsg-dictionary");
  LinePrefix prefix;
  if (read_stamp(family_, text, prefix)) return stamped(batch, text, begin, length, prefix);
  unstamped(batch, text, begin, length);
}

void LineReader::set_stamp(Batch& batch, const LinePrefix& prefix) {
  if (!prefix.has_stamp) return;
  if (prefix.relative) {   // dmesg -e: so long after the record before it
    if (!has_stamp_ || !stamp_.wall) return;
    *stamp_.wall += prefix.stamp.monotonic.value_or(0);
  } else {
    stamp_ = prefix.stamp;
  }
  has_stamp_ = true;
  stamp_index_ = 0;
  current_stamp(batch);
}

void LineReader::stamped(Batch& batch, std::string_view text, const char* begin, std::size_t length, LinePrefix& prefix) {
  key_size_ = 0;
  set_stamp(batch, prefix);
  if (prefix.style == LineStyle::wall_header) {
    wall_host_ = prefix.host;
    return skip("separator");
  }
  const bool raw_text = text.data() == begin;
  head_ = begin, head_size_ = length, head_line_ = line_;
  head_width_ = static_cast<std::size_t>(prefix.rest.data() - text.data());
  template_is_current_ = false;
  if (raw_text && prefix.has_stamp && !prefix.relative && prefix.key > 0 && prefix.key <= sizeof key_) {
    key_size_ = prefix.key;
    std::memcpy(key_, begin, key_size_);
  }
  if (needs_decoding(std::string_view(begin, length))) return add_decoded(batch, begin, length);
  if (family_ == LineFamily::kernel && prefix.style == LineStyle::dmesg) return split_kernel_line(batch, begin, length, text);
  add(batch, begin, length, 0, nullptr);
}

/// A second CPU starts in mid line, or a paste lost its newlines: each stamp starts a record of its own.
void LineReader::split_kernel_line(Batch& batch, const char* begin, std::size_t length, std::string_view text) {
  const std::size_t own = find_kernel_stamp(text, 0);
  std::size_t next = own == text.npos ? text.npos : find_kernel_stamp(text, own + 8);
  if (next == text.npos || own > head_width_) return add(batch, begin, length, 0, nullptr);
  std::size_t from = 0;
  while (true) {
    std::size_t to = std::min(next, length);
    while (to > from && begin[to - 1] == ' ') --to;
    add(batch, begin + from, to - from, 0, nullptr);
    if (next == text.npos) return;
    from = next;
    next = find_kernel_stamp(text, from + 8);
    LinePrefix prefix;
    if (read_stamp(family_, text.substr(from), prefix)) set_stamp(batch, prefix);
  }
}

/// The batch's text gets what the message really says; one record of /dev/kmsg may say several lines.
void LineReader::add_decoded(Batch& batch, const char* begin, std::size_t length) {
  const std::string_view line(begin, length);
  std::size_t pieces = 1;
  if (family_ == LineFamily::kmsg)
    for (std::size_t at = line.find("\\x0a"); at != line.npos; at = line.find("\\x0a", at + 4)) ++pieces;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    Event event;
    describe(line, piece, event);
    if (piece > 0 && event.message.empty()) {
      skip("blank");
      continue;
    }
    std::replace(event.message.begin(), event.message.end(), '\n', ' ');
    add(batch, begin, length, static_cast<std::uint32_t>(piece << 1), &event.message);
  }
}

std::string_view LineReader::raw(const Record& record) const {
  return std::string_view(buffer_).substr(record.offset - base_, record.raw_length);
}

}  // namespace forensics
