// One journal in every output style of journalctl. The export format says most.
#include <algorithm>
#include <doctest/doctest.h>
#include <set>

#include "compare.h"

using namespace forensics;
using namespace forensics::styles;

namespace {

constexpr std::int64_t second = 1'000'000;

/// What journalctl does with a message on its way out.
enum class Shown : std::uint8_t {
  all,     ///< export, json --all
  short_,  ///< json: null from 4 KiB on
  text,    ///< verbose: "[12B blob data]" for what is no text
  line,    ///< the same, and a message that is empty is an empty line
};

struct JournalStyle {
  Style style;
  Shown shown;
};

constexpr JournalStyle journal_styles[] = {
    // file, format, clock, precision, severity, facility, tags, unit
    {{"export", "journal-export", Clock::utc, 1, true, true}, Shown::all},
    {{"json", "journal-json", Clock::utc, 1, true, true}, Shown::short_},
    {{"json-all", "journal-json", Clock::utc, 1, true, true}, Shown::all},
    {{"json-pretty", "journal-json", Clock::utc, 1, true, true}, Shown::short_},
    {{"json-seq", "journal-json", Clock::utc, 1, true, true}, Shown::short_},
    {{"json-sse", "journal-json", Clock::utc, 1, true, true}, Shown::short_},
    {{"verbose", "journal-verbose", Clock::utc, 1, true, true}, Shown::text},
    {{"short", "syslog-rfc3164", Clock::no_year, second}, Shown::line},
    {{"short-precise", "syslog-rfc3164", Clock::no_year, 1}, Shown::line},
    {{"short-iso", "syslog-iso", Clock::utc, second}, Shown::line},
    {{"short-iso-precise", "syslog-iso", Clock::utc, 1}, Shown::line},
    {{"short-full", "journal-short-full", Clock::utc, second}, Shown::line},
    {{"with-unit", "journal-short-full", Clock::utc, second, false, false, true, true}, Shown::line},
    {{"short-unix", "journal-short-unix", Clock::utc, 1}, Shown::line},
    {{"short-monotonic", "journal-short-monotonic", Clock::boot, 1}, Shown::line},
    {{"short-delta", "journal-short-monotonic", Clock::boot, 1}, Shown::line},
};

/// What journalctl prints as it is. Colours are text for the short styles, which leave them out.
bool is_text(std::string_view raw, bool colours) {
  return std::none_of(raw.begin(), raw.end(), [&](char c) {
    return (c >= 0 && c < ' ' && c != '\t' && !(colours && c == '\x1b')) || c == '\xff';
  });
}

/// The short styles print a tab as eight blanks.
std::string without_tabs(std::string text) {
  for (std::size_t at = text.find('\t'); at != text.npos; at = text.find('\t', at)) text.replace(at, 1, 8, ' ');
  return text;
}

std::vector<Expected> expectations(const Reading& richest, const std::string& bytes, const JournalStyle& style) {
  std::vector<Expected> out;
  for (const Said& said : richest.said) {
    Expected e = expected_of(said);
    const bool as_null = e.message.size() + std::string_view("MESSAGE=").size() >= 4096;
    if (style.shown == Shown::short_ && as_null) continue;
    const std::string_view raw = std::string_view(bytes).substr(said.event.where.offset, said.event.where.length);
    const bool blob = !is_text(raw, style.shown == Shown::line);
    if (style.shown == Shown::text && blob) continue;
    if (style.shown == Shown::line && blob) e.message = "[" + std::to_string(e.message.size()) + "B blob data]";
    if (style.shown == Shown::line) e.message = without_tabs(e.message);
    out.push_back(std::move(e));
  }
  return out;
}

}  // namespace

TEST_CASE("journal: all styles of journalctl say the same") {
  for (const std::string start : {"journal/out.", "vm/systemd-docker/j."}) {
    const std::string bytes = slurp(start + "export");
    const Reading richest = read_recording(start + "export");
    for (const JournalStyle& style : journal_styles) {
      const std::string path = start + std::string(style.style.file);
      if (!exists(path)) continue;
      Reading reading = read_recording(path);
      std::erase_if(reading.said, [](const Said& said) { return said.event.message.empty(); });  // no record elsewhere
      compare(style.style, reading, expectations(richest, bytes, style));
    }
  }
}

TEST_CASE("journal: -o cat says the words and nothing else, and nobody vouches for them") {
  const Reading richest = read_recording("vm/systemd-docker/j.export"), cat = read_recording("vm/systemd-docker/j.cat");
  CHECK(cat.format == "container-log");
  REQUIRE(cat.said.size() == richest.said.size());
  for (std::size_t i = 0; i < cat.said.size(); ++i) {
    CHECK(cat.said[i].event.text == richest.said[i].event.text);
    CHECK(cat.said[i].event.trust == Trust::claimed);
    CHECK(cat.said[i].event.identifier.empty());
  }
}
