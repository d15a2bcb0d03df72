#include "read/unknown.h"

#include <array>

namespace forensics {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  Unknown meaning;
};

constexpr Unknown packed = {"compressed", "compressed or an archive: unpack it first"};
constexpr Unknown picture = {"unknown-format", "a picture, not a log: the text that it shows is needed"};

constexpr std::array magics = {
    Magic{"\x1f\x8b"sv, packed},
    Magic{"\xfd" "7zXZ\0"sv, packed},
    Magic{"\x28\xb5\x2f\xfd"sv, packed},
    Magic{"BZh"sv, packed},
    Magic{"PK\x03\x04"sv, packed},
    Magic{"7z\xbc\xaf\x27\x1c"sv, packed},
    Magic{"\x04\x22\x4d\x18"sv, packed},
    Magic{"\x7f" "ELF"sv, {"unknown-format", "a program or a core dump (ELF), not a log"}},
    Magic{"LPKSHHRH"sv, {"unknown-format", "a native journal can only be read from a file: name it with --in"}},
    Magic{"\xff\xd8\xff"sv, picture},
    Magic{"\x89PNG"sv, picture},
    Magic{"GIF8"sv, picture},
    Magic{"%PDF"sv, {"unknown-format", "a PDF, not a log: save its text"}},
    Magic{"SQLite format 3\0"sv, {"unknown-format", "an SQLite database, not a log"}},
};

constexpr std::string_view blanks = " \t\r\n";

/// Behind the last byte of the JSON value at the front of `text`; npos: it does not close in it.
std::size_t json_end(std::string_view text) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      else if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return text.npos;
}

}  // namespace

Unknown unknown_kind(std::string_view head) {
  for (const Magic& magic : magics)
    if (head.starts_with(magic.bytes)) return magic.meaning;
  if (head.size() > 262 && head.substr(257, 5) == "ustar") return packed;
  return {"unknown-format", "no log format that is known here, or binary"};
}

Unknown unread_json(std::string_view head, bool whole) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t begin = head.find_first_not_of(blanks);
  if (begin == head.npos || (head[begin] != '{' && head[begin] != '[')) return {};
  head.remove_prefix(begin);
  const std::size_t next = head.find_first_not_of(blanks, 1);   // [ 12.345] and [ERROR] are no JSON
  if (next != head.npos && std::string_view("\"{[]}").find(head[next]) == std::string_view::npos) return {};
  const std::size_t end = json_end(head);
  if (end == head.npos && whole)
    return {"truncated-record", "a JSON document that is cut off before it shows what it is"};
  constexpr Unknown unknown = {"unknown-json", "a JSON document of no kind that is known here: read as lines of text"};
  if (end == head.npos) return unknown;
  const bool only = whole && head.find_first_not_of(blanks, end) == head.npos;
  return only && head.substr(0, end).find('\n') != head.npos ? unknown : Unknown{};
}

}  // namespace forensics
