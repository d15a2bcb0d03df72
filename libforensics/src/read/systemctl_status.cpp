#include "read/systemctl_status.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "read/time_parse.h"

namespace forensics {

namespace {

constexpr int block_lines = 24;

bool is_unit(std::string_view word) {
  constexpr std::array<std::string_view, 7> kinds = {".service", ".scope", ".mount", ".socket",
                                                     ".swap",    ".slice", ".automount"};
  if (word.size() > 255) return false;
  return std::any_of(kinds.begin(), kinds.end(), [&](std::string_view kind) {
    return word.size() > kind.size() && word.ends_with(kind);
  });
}

/// The text between `open` and `close`.
std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t at = text.find(open);
  if (at == text.npos) return {};
  text.remove_prefix(at + open.size());
  return text.substr(0, text.find(close));
}

/// 9/KILL from KILL, as the journal prints it.
std::string numbered(std::string_view signal) {
  struct Signal {
    std::string_view name;
    int number;
  };
  constexpr std::array<Signal, 14> signals = {{{"HUP", 1}, {"INT", 2}, {"QUIT", 3}, {"ILL", 4}, {"TRAP", 5},
                                               {"ABRT", 6}, {"BUS", 7}, {"FPE", 8}, {"KILL", 9}, {"SEGV", 11},
                                               {"PIPE", 13}, {"TERM", 15}, {"XCPU", 24}, {"SYS", 31}}};
  if (signal.starts_with("SIG")) signal.remove_prefix(3);
  const auto found = std::find_if(signals.begin(), signals.end(), [&](const Signal& s) { return s.name == signal; });
  return found == signals.end() ? std::string() : fmt::format("{}/{}", found->number, found->name);
}

std::optional<Stamp> take_since(std::string_view value) {
  constexpr std::string_view word = " since ";
  const std::size_t at = value.find(word);
  if (at == value.npos) return std::nullopt;
  std::string_view rest = value.substr(at + word.size());
  if (take_weekday(rest)) take_blanks(rest);
  return take_iso_stamp(rest);
}

}  // namespace

bool SystemctlStatus::look(std::string_view line) {
  std::size_t start = line.find_first_not_of(" \t>|");
  if (start == line.npos) return false;
  line.remove_prefix(start);
  if (take_header(line) || lines_left_ == 0) return false;
  --lines_left_;
  if (line.starts_with("Active: ")) return take_active(line.substr(8));
  if (!failed_) return false;
  if (line.starts_with("Main PID: ")) return take_process(line.substr(10), true);
  return line.starts_with("Process: ") && take_process(line.substr(9), false);
}

bool SystemctlStatus::take_header(std::string_view line) {
  const std::string_view first = line.substr(0, line.find(' '));
  if (!is_unit(first)) {   // a bullet: ● × ○ ↻ * x
    if (first.empty() || first.size() > 4 || first.size() == line.size()) return false;
    line.remove_prefix(first.size() + 1);
  }
  const std::string_view unit = line.substr(0, line.find(' '));
  const std::string_view behind = line.substr(unit.size());
  if (!is_unit(unit) || !(behind.empty() || behind.starts_with(" - "))) return false;
  unit_ = unit;
  since_.reset();
  failed_ = false;
  lines_left_ = block_lines;
  return true;
}

bool SystemctlStatus::take_active(std::string_view value) {
  const std::string_view result = between(value, "(Result: ", ")");
  failed_ = !result.empty() && result != "success";
  since_ = take_since(value);
  if (!failed_) return false;
  message_ = fmt::format("{}: Failed with result '{}'.", unit_, result);
  return true;
}

bool SystemctlStatus::take_process(std::string_view value, bool main) {
  const std::string_view code = between(value, "(code=", ",");
  const std::string_view signal = between(value, ", signal=", ")");
  std::string status(between(value, ", status=", ")"));
  if (!signal.empty()) status = numbered(signal);
  if (code.empty() || status.empty() || status == "0/SUCCESS" || status == "0") return false;
  // How the commands that stop or reload it ended is not how it ended.
  const bool start = value.find(" ExecStart=") != value.npos;
  const bool control = value.find(" ExecStartPre=") != value.npos || value.find(" ExecStartPost=") != value.npos ||
                       value.find(" ExecCondition=") != value.npos;
  if (!main && !start && !control) return false;
  message_ = fmt::format("{}: {} process exited, code={}, status={}", unit_, control ? "Control" : "Main", code, status);
  return true;
}

}  // namespace forensics
