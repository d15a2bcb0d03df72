#include <doctest/doctest.h>

#include "read/utf16.h"
#include "read_everything.h"

using namespace forensics;
using namespace std::string_literals;

namespace {

std::string encoded(std::u16string_view text, ByteOrder order) {
  std::string out;
  for (const char16_t unit : text) {
    const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
    out += order == ByteOrder::little ? low : high;
    out += order == ByteOrder::little ? high : low;
  }
  return out;
}

std::string decoded(std::string_view bytes, ByteOrder order, std::size_t step = std::size_t(-1)) {
  test::DrippingSource source(bytes, step);
  Utf16Source text(source, order);
  std::string out;
  char block[7];
  while (const std::size_t n = text.read(block, sizeof block)) out.append(block, n);
  return out;
}

}  // namespace

TEST_CASE("utf16: known by its mark, or by its zeros") {
  CHECK(utf16_order("\xFF\xFEx\0"s) == ByteOrder::little);
  CHECK(utf16_order("\xFE\xFF\0x"s) == ByteOrder::big);
  CHECK(utf16_order(encoded(u"[    1.000000] text\n", ByteOrder::little)) == ByteOrder::little);
  CHECK(utf16_order(encoded(u"[    1.000000] text\n", ByteOrder::big)) == ByteOrder::big);
  CHECK_FALSE(utf16_order(std::string(64, '\0')));
  CHECK_FALSE(utf16_order("plain text"));
  CHECK_FALSE(utf16_order(""));
  CHECK_FALSE(utf16_order("a\0b"s));
}

TEST_CASE("utf16: every character, however the bytes come") {
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    const std::string bytes = encoded(u"\xFEFF" u"a\u00e9\u20ac\U0001F600\n", order);
    for (std::size_t step = 1; step < 6; ++step) CHECK(decoded(bytes, order, step) == "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\n");
  }
}

TEST_CASE("utf16: halves of characters") {
  const std::string replacement = "\xEF\xBF\xBD";
  const std::u16string high(1, char16_t(0xD83D)), low(1, char16_t(0xDE00));
  CHECK(decoded(encoded(high, ByteOrder::little), ByteOrder::little) == replacement);
  CHECK(decoded(encoded(low + u"x", ByteOrder::little), ByteOrder::little) == replacement + "x");
  CHECK(decoded(encoded(high + u"x", ByteOrder::little), ByteOrder::little) == replacement + "x");
  CHECK(decoded(encoded(high + high + low, ByteOrder::little), ByteOrder::little) == replacement + "\xF0\x9F\x98\x80");
  CHECK(decoded("x\0y"s, ByteOrder::little) == "x" + replacement);
  CHECK(decoded("", ByteOrder::little).empty());
}
