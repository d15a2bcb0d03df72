#include <doctest/doctest.h>

#include <string>

#include "read/unknown.h"

using namespace forensics;
using namespace std::string_literals;
using namespace std::string_view_literals;

TEST_CASE("unknown: says what a file is that is no log") {
  CHECK(unknown_kind("\x1f\x8b\x08\0"sv).code == "compressed");
  CHECK(unknown_kind("PK\x03\x04"sv).code == "compressed");
  CHECK(unknown_kind(std::string(257, '\0') + "ustar\0"s + "00").code == "compressed");
  CHECK(unknown_kind("\x7f" "ELF\x02"sv).message.find("core dump") != std::string_view::npos);
  CHECK(unknown_kind("\xff\xd8\xff\xe0"sv).message.find("picture") != std::string_view::npos);
  CHECK(unknown_kind("\0\0\0"sv).code == "unknown-format");
  CHECK(unknown_kind("").code == "unknown-format");
}

TEST_CASE("unknown: JSON that is cut off before it shows what it is") {
  for (const std::string_view cut : {"[", "{", "[\n    {\n        \"Id\": \"5c", "\xEF\xBB\xBF{\"a\"", "  {\"a\":\"}", "[{}", "{\"a\\\"}"})
    CHECK(unread_json(cut, true).code == "truncated-record");
}

TEST_CASE("unknown: a JSON document of some other kind") {
  CHECK(unread_json("{\n\"Name\": \"bridge\"\n}\n", true).code == "unknown-json");
  CHECK(unread_json("[\n{\"Name\": \"bridge\"", false).code == "unknown-json");
}

TEST_CASE("unknown: logs that begin like JSON") {
  for (const std::string_view log : {"[   12.345678] text", "[ERROR] text", "{\"level\":\"info\"}\n{\"level\":\"info\"}\n", "{\"level\":\"info\"}\n",
                                     "{\n\"a\": 1\n}\nthen text\n", "plain", "", "{abc", "{\"a\":\"}\"}\n{\"cut"})
    CHECK(unread_json(log, true).code.empty());
}
