// Dumps out of plain dmesg text, collected as the pipeline collects them, for the tests of the extractors.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "dumps/dump.h"

namespace forensics::test {

inline const DumpKind& dump_kind(std::string_view name) {
  for (const DumpKind& kind : dump_kinds())
    if (kind.name == name) return kind;
  std::abort();
}

/// Lines of dmesg; a line without a stamp continues the record above and has its time.
inline std::vector<DumpLine> dmesg_lines(std::string_view text) {
  std::vector<DumpLine> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::int64_t at = lines.empty() ? -1 : lines.back().at;
    const std::size_t close = line.find("] ");
    if (line.starts_with('[') && close < 20 && line.find('.') < close) {
      at = static_cast<std::int64_t>(std::strtod(std::string(line.substr(1, close - 1)).c_str(), nullptr) * 1e6);
      line.remove_prefix(close + 2);
    }
    lines.push_back({line, at});
  }
  return lines;
}

/// The lines of each dump of this kind.
inline std::vector<std::vector<DumpLine>> split_dumps(std::string_view name, const std::vector<DumpLine>& lines) {
  const DumpKind& kind = dump_kind(name);
  std::vector<std::vector<DumpLine>> dumps;
  bool open = false;
  for (const DumpLine& line : lines) {
    if (open && line.at - dumps.back().back().at <= kind.most_gap && kind.belongs(line.message, dumps.back().size())) {
      dumps.back().push_back(line);
    } else if (bool hinted = false; true) {
      for (const std::string_view literal : kind.openers) hinted |= line.message.find(literal) != std::string_view::npos;
      if (!hinted || !kind.opens(line.message)) continue;
      dumps.push_back({line});
      open = true;
    }
    if (kind.closes(line.message)) open = false;
  }
  return dumps;
}

inline std::vector<Dump> read_dumps(std::string_view kind, std::string_view text) {
  std::vector<Dump> dumps;
  for (const auto& lines : split_dumps(kind, dmesg_lines(text))) dumps.push_back(dump_kind(kind).extract(lines));
  return dumps;
}

inline std::string recorded(std::string_view name) {
  std::ifstream file(std::string(FORENSICS_SOURCE_DIR "/tests/unit/dumps/") + std::string(name));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A fact as text; "-" if it is absent.
inline std::string fact(const Dump& dump, std::string_view name) {
  const auto it = dump.facts.find(name);
  if (it == dump.facts.end()) return "-";
  if (const auto* number = std::get_if<std::int64_t>(&it->second)) return std::to_string(*number);
  if (const auto* flag = std::get_if<bool>(&it->second)) return *flag ? "true" : "false";
  return std::get<std::string>(it->second);
}

/// What a dump cut behind any of its lines says must not contradict the whole one. Empty: it never does.
inline std::string contradiction(std::string_view kind, const std::vector<DumpLine>& lines) {
  const Dump whole = dump_kind(kind).extract(lines);
  for (std::size_t n = 1; n < lines.size(); ++n) {
    const Dump part = dump_kind(kind).extract({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(n)});
    for (const auto& [name, value] : part.facts) {
      const auto it = whole.facts.find(name);
      if (name == "killed" || it == whole.facts.end() || it->second == value) continue;
      return name + " after " + std::to_string(n) + " lines: " + fact(part, name) + ", in all: " + fact(whole, name);
    }
    for (const std::uint32_t quote : part.quotes)
      if (quote >= n) return "quotes line " + std::to_string(quote) + " of " + std::to_string(n);
  }
  return {};
}

/// The same for every dump of a recording.
inline std::string contradiction_in(std::string_view kind, std::string_view recording) {
  const std::string text = recorded(recording);
  for (const auto& lines : split_dumps(kind, dmesg_lines(text)))
    if (std::string found = contradiction(kind, lines); !found.empty()) return found;
  return {};
}

}  // namespace forensics::test
