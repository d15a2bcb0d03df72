#include "read/loose_json.h"

#include <algorithm>

#include "read/message_text.h"

namespace forensics {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\0'; }

bool ends_word(char c, bool is_value) {
  constexpr std::string_view always = "{}[],\n\"`";
  if (always.find(c) != always.npos) return true;
  return !is_value && (blank(c) || c == ':' || c == '=' || c == '>');
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// The four digits behind \u, or -1.
int code_unit(std::string_view digits) {
  if (digits.size() < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_digit(digits[static_cast<std::size_t>(i)]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/// \uXXXX at the front of `raw` (and its second half, if it has one); the length used, 0 if it is broken.
std::size_t unescape_unit(std::string_view raw, std::string& out) {
  const int unit = raw.size() >= 6 ? code_unit(raw.substr(2)) : -1;
  if (unit < 0) return 0;
  auto c = static_cast<std::uint32_t>(unit);
  if (c >= 0xD800 && c <= 0xDBFF && raw.size() >= 12 && raw[6] == '\\' && raw[7] == 'u') {
    const int low = code_unit(raw.substr(8));
    if (low >= 0xDC00 && low <= 0xDFFF) {
      append_utf8(out, 0x10000 + ((c - 0xD800) << 10) + (static_cast<std::uint32_t>(low) - 0xDC00));
      return 12;
    }
  }
  if (c >= 0xD800 && c <= 0xDFFF) c = 0xFFFD;
  append_utf8(out, c);
  return 6;
}

}  // namespace

std::string unescape_json(std::string_view raw) {
  constexpr std::string_view letters = "bfnrt", meant = "\b\f\n\r\t";
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size();) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      out += raw[i++];
      continue;
    }
    const char c = raw[i + 1];
    if (c == 'u') {
      if (const std::size_t n = unescape_unit(raw.substr(i), out)) {
        i += n;
        continue;
      }
      out += raw[i++];
    } else if (const auto letter = letters.find(c); letter != letters.npos) {
      out += meant[letter], i += 2;
    } else if (c == '"' || c == '\\' || c == '/' || c == '\'') {
      out += c, i += 2;
    } else {
      out += raw[i++];
    }
  }
  return out;
}

LooseJson::LooseJson(std::string_view text, bool (*wanted)(std::string_view)) : text_(text), wanted_(wanted) {
  nodes_.push_back({});
  open_.push_back(0);
  read();
  if (too_many_) torn_line_ = 0;
  cut_ = !too_many_ && (open_.size() > 1 || torn_line_ > 0);
  if (cut_) open_line_ = torn_line_ > 0 ? torn_line_ : nodes_[open_.back()].line;
  for (const std::uint32_t node : open_) nodes_[node].end = text_.size();
}

void LooseJson::read() {
  while (at_ < text_.size() && !too_many_) {
    const char c = text_[at_];
    switch (c) {
      case '\n': ++line_, ++at_; break;
      case '{': open(Kind::object, at_, {}, line_), ++at_; break;
      case '[': open(Kind::array, at_, {}, line_), ++at_; break;
      case '}': ++at_, close(Kind::object); break;
      case ']': ++at_, close(Kind::array); break;
      case ',': case ':': case '=': case '`': case '>': ++at_; break;
      default:
        if (blank(c)) {
          ++at_;
        } else {
          read_key_or_value();
        }
    }
    if (nodes_.size() >= most_nodes) too_many_ = true;
  }
  if (!text_.empty() && text_.back() != '\n') ++line_;
}

void LooseJson::read_key_or_value() {
  const std::size_t begin = at_;
  const std::uint64_t line = line_;
  const char c = text_[at_];
  const bool quoted = c == '"' || c == '\'';
  const std::string_view word = quoted ? read_string(c) : read_word(false);
  const std::size_t end = at_;
  if (blank_to_colon()) {
    read_value(begin, word, line);
    return;
  }
  at_ = end;
  if (torn(quoted, line)) return;
  const Node& parent = nodes_[open_.back()];
  if (parent.kind == Kind::array && !parent.key.empty() && wanted_(parent.key))
    add({quoted ? Kind::string : Kind::word, {}, word, begin, end, line, none, none, none, none, none});
}

/// Past blanks and a ':' (or a '=' without blanks); false if there is none on this line.
bool LooseJson::blank_to_colon() {
  std::size_t i = at_;
  while (i < text_.size() && blank(text_[i])) ++i;
  if (i == text_.size() || (text_[i] != ':' && !(text_[i] == '=' && i == at_))) return false;
  at_ = i + 1;
  return true;
}

void LooseJson::read_value(std::size_t key_begin, std::string_view key, std::uint64_t line) {
  const std::size_t colon = at_;
  while (at_ < text_.size() && blank(text_[at_])) ++at_;
  if (at_ > colon && wanted_key(at_)) return;   // `Error: ExitCode:137`
  if (at_ == text_.size() || text_[at_] == '\n' || text_[at_] == ',' || text_[at_] == '}' || text_[at_] == ']') return;
  const char c = text_[at_];
  if (c == '{' || c == '[') {
    open(c == '{' ? Kind::object : Kind::array, key_begin, key, line);
    ++at_;
    return;
  }
  const bool quoted = c == '"' || c == '\'';
  const std::string_view value = quoted ? read_string(c) : read_word(true);
  if (!quoted && value.empty()) ++at_;   // a stray character
  if (torn(quoted, line)) return;
  if (wanted_(key)) add({quoted ? Kind::string : Kind::word, key, value, key_begin, at_, line, none, none, none, none, none});
}

/// The text ends inside what was just read: half a word is a wrong word (13 of 137, and "oom" of "oom-main").
bool LooseJson::torn(bool quoted, std::uint64_t line) {
  if (at_ < text_.size() || (quoted ? closed_ : open_.size() == 1)) return false;
  torn_line_ = line;
  return true;
}

/// Without its quotes. A string does not run over the end of its line: an open quote costs one line, not the file.
std::string_view LooseJson::read_string(char quote) {
  const std::size_t begin = ++at_;
  while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
    at_ += text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
  }
  const std::string_view value = text_.substr(begin, at_ - begin);
  closed_ = at_ < text_.size();   // by its quote, or by the end of its line
  if (closed_ && text_[at_] == quote) ++at_;
  return value;
}

/// True if a bare key that is wanted stands there.
bool LooseJson::wanted_key(std::size_t at) const {
  std::size_t end = at;
  while (end < text_.size() && !ends_word(text_[end], false)) ++end;
  return end > at && end < text_.size() && text_[end] == ':' && wanted_(text_.substr(at, end - at));
}

/// A bare value may hold blanks and colons; it ends where a key that is wanted follows: `Error: ExitCode:137`.
std::string_view LooseJson::read_word(bool is_value) {
  const std::size_t begin = at_;
  while (at_ < text_.size() && !ends_word(text_[at_], is_value)) {
    if (is_value && blank(text_[at_]) && wanted_key(at_ + 1)) break;
    ++at_;
  }
  std::size_t end = at_;
  while (end > begin && (blank(text_[end - 1]) || text_[end - 1] == '>')) --end;
  if (!is_value && at_ == begin) ++at_;
  if (is_value) at_ = std::max(begin, end);
  return text_.substr(begin, end - begin);
}

void LooseJson::open(Kind kind, std::size_t begin, std::string_view key, std::uint64_t line) {
  if (open_.size() >= deepest) {
    ++too_deep_;
    return;
  }
  open_.push_back(place({kind, key, {}, begin, 0, line, none, none, none, none, none}));
}

/// Closes the innermost that is open of that kind. If nothing is, the text was cut off in front: what was read so far
/// stood inside.
void LooseJson::close(Kind kind) {
  if (too_deep_ > 0) {
    --too_deep_;
    return;
  }
  for (std::size_t i = open_.size(); i-- > 1;) {
    if (nodes_[open_[i]].kind != kind) continue;
    for (std::size_t k = i; k < open_.size(); ++k) nodes_[open_[k]].end = at_;
    const std::uint32_t closed = open_[i];
    open_.resize(i);
    forget(closed);
    return;
  }
  if (open_.size() == 1 && nodes_[0].first != none && wraps_ < deepest) {
    ++wraps_;
    wrap(kind, nodes_[0].first, at_);
    piece_ = none;
  }
}

/// Takes the last node out again if nothing of interest is inside.
void LooseJson::forget(std::uint32_t node) {
  const Node& n = nodes_[node];
  if (node + 1 != nodes_.size() || n.first != none || wanted_(n.key)) return;
  Node& parent = nodes_[n.parent];
  parent.last = n.previous;
  if (n.previous == none) {
    parent.first = none;
  } else {
    nodes_[n.previous].next = none;
  }
  nodes_.pop_back();
}

/// What stands at the top from `first` on moves into a new node.
void LooseJson::wrap(Kind kind, std::uint32_t first, std::size_t end) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  Node inner;
  inner.kind = kind;
  inner.begin = nodes_[first].begin;
  inner.line = nodes_[first].line;
  inner.end = end;
  inner.parent = 0;
  inner.first = first;
  inner.last = nodes_[0].last;
  inner.previous = nodes_[first].previous;
  nodes_.push_back(inner);
  (inner.previous == none ? nodes_[0].first : nodes_[inner.previous].next) = index;
  nodes_[0].last = index;
  nodes_[first].previous = none;
  for (std::uint32_t i = first; i != none; i = nodes_[i].next) nodes_[i].parent = index;
}

bool LooseJson::repeats(std::string_view key) const { return find(piece_ == none ? nodes_[0].first : nodes_[piece_].next, key) != none; }

/// A key that comes again at the top starts the next of several pieces, as `inspect | grep` leaves them.
void LooseJson::add(const Node& node) {
  if (open_.back() == 0 && !node.key.empty() && repeats(node.key)) {
    wrap(Kind::object, piece_ == none ? nodes_[0].first : nodes_[piece_].next, node.begin);
    piece_ = nodes_[0].last;
  }
  place(node);
}

std::uint32_t LooseJson::place(const Node& node) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  const std::uint32_t parent = open_.back();
  nodes_.push_back(node);
  nodes_.back().parent = parent;
  if (nodes_[parent].last == none) {
    nodes_[parent].first = index;
  } else {
    nodes_[nodes_[parent].last].next = index;
    nodes_[index].previous = nodes_[parent].last;
  }
  nodes_[parent].last = index;
  return index;
}

std::uint32_t LooseJson::child(std::uint32_t node, std::string_view key) const {
  return node == none ? none : find(nodes_[node].first, key);
}

/// Among `first` and those behind it. No object has so many keys of interest: looking on would only cost time.
std::uint32_t LooseJson::find(std::uint32_t first, std::string_view key) const {
  std::size_t steps = 0;
  for (std::uint32_t i = first; i != none && steps < most_keys; i = nodes_[i].next, ++steps)
    if (nodes_[i].key == key) return i;
  return none;
}

std::string LooseJson::text(std::uint32_t node) const {
  if (node == none) return {};
  const Node& n = nodes_[node];
  if (n.kind == Kind::string) return unescape_json(n.value);
  return n.kind == Kind::word && n.value != "null" && n.value != "<nil>" ? std::string(n.value) : std::string{};
}

std::string LooseJson::text(std::uint32_t node, std::string_view key) const { return text(child(node, key)); }

}  // namespace forensics
