// A tolerant reader of "key: value" text that knows where everything stands: JSON, pieces cut out of JSON at any place,
// JSON without quotes, several documents one after another, all of it quoted with "> " or among other text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forensics {

class LooseJson {
 public:
  enum class Kind : std::uint8_t { object, array, string, word };
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  struct Node {
    Kind kind = Kind::object;
    std::string_view key;       ///< as printed, without quotes; empty: none
    std::string_view value;     ///< of a string or word, raw: see text()
    std::size_t begin = 0;      ///< first byte of the key, or of the value if it has none
    std::size_t end = 0;        ///< behind the value
    std::uint64_t line = 1;     ///< of begin, from 1
    std::uint32_t parent = none, first = none, last = none, next = none, previous = none;
  };

  /// Reads all of `text`, which must outlive this. Only scalars whose key is wanted are kept; `wanted` may be asked
  /// for any key. Node 0 is the text as a whole, an object.
  LooseJson(std::string_view text, bool (*wanted)(std::string_view key));

  const std::vector<Node>& nodes() const noexcept { return nodes_; }
  const Node& operator[](std::uint32_t node) const { return nodes_[node]; }

  /// The child of that name, or none.
  std::uint32_t child(std::uint32_t node, std::string_view key) const;
  /// The scalar child's value, unescaped; empty if there is none or it is null.
  std::string text(std::uint32_t node, std::string_view key) const;
  /// A scalar's value, unescaped.
  std::string text(std::uint32_t node) const;

  std::uint64_t lines() const noexcept { return line_ - 1; }
  bool cut() const noexcept { return cut_; }               ///< something is open at the end; a scalar that is, is left out
  bool too_many() const noexcept { return too_many_; }     ///< the rest was not read
  std::uint64_t open_line() const noexcept { return open_line_; }

 private:
  void read();
  void read_value(std::size_t key_begin, std::string_view key, std::uint64_t line);
  void read_key_or_value();
  std::string_view read_string(char quote);
  std::string_view read_word(bool is_value);
  bool wanted_key(std::size_t at) const;
  bool blank_to_colon();
  void open(Kind kind, std::size_t begin, std::string_view key, std::uint64_t line);
  void close(Kind kind);
  void wrap(Kind kind, std::uint32_t first, std::size_t end);
  void forget(std::uint32_t node);
  bool repeats(std::string_view key) const;
  std::uint32_t find(std::uint32_t first, std::string_view key) const;
  bool torn(bool quoted, std::uint64_t line);
  void add(const Node& node);
  std::uint32_t place(const Node& node);

  static constexpr std::size_t most_nodes = 200'000;
  static constexpr std::size_t most_keys = 256;       // looked at in one object
  static constexpr std::size_t deepest = 256;

  std::string_view text_;
  bool (*wanted_)(std::string_view);
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> open_;   // innermost last; never empty
  std::uint32_t piece_ = none;        // the last child of the top that belongs to the piece before this one
  std::size_t at_ = 0, too_deep_ = 0, wraps_ = 0;
  std::uint64_t line_ = 1, open_line_ = 0, torn_line_ = 0;
  bool cut_ = false, too_many_ = false, closed_ = false;   // closed_: the string read last
};

/// Undoes the escapes of a JSON string. Broken ones stay as they are.
std::string unescape_json(std::string_view raw);

}  // namespace forensics
