#include "read/line_prefix.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "read/time_parse.h"

namespace forensics {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

bool read_undamaged(LineFamily family, std::string_view line, LinePrefix& prefix) {
  switch (family) {
    case LineFamily::kernel: return read_kernel_stamp(line, prefix);
    case LineFamily::kmsg: return read_kmsg_stamp(line, prefix);
    case LineFamily::syslog: return read_syslog_stamp(line, prefix);
    case LineFamily::monotonic: return read_kernel_stamp(line, prefix);
    case LineFamily::logcat: return read_logcat_stamp(line, prefix);
    case LineFamily::klog: return read_klog_stamp(line, prefix);
    case LineFamily::logfmt: return read_logfmt_stamp(line, prefix);
    case LineFamily::container: return read_container_stamp(line, prefix);
  }
  return false;
}

/// People paste several logs into one file: a line of the other host-wide family is read with its own grammar.
bool read_other_family(LineFamily family, std::string_view line, LinePrefix& prefix) {
  if (family == LineFamily::kernel && read_syslog_stamp(line, prefix)) {
    LinePrefix probe = prefix;
    read_syslog_tag(probe);
    if (!probe.identifier.empty()) return true;
    prefix = LinePrefix{};
    return false;
  }
  return family == LineFamily::syslog && read_kernel_stamp(line, prefix);
}

}  // namespace

bool read_stamp(LineFamily family, std::string_view line, LinePrefix& prefix) {
  prefix = LinePrefix{};
  prefix.rest = line;
  if (read_undamaged(family, line, prefix)) {
    prefix.key = static_cast<std::size_t>(prefix.rest.data() - line.data());
    return true;
  }
  if (family == LineFamily::container || family == LineFamily::kmsg) return false;
  if (read_other_family(family, line, prefix)) return true;
  std::string_view rest = line;
  while (take_damage(rest))
    if (read_undamaged(family, rest, prefix) || read_other_family(family, rest, prefix)) return true;
  if (family != LineFamily::kernel) return false;
  const std::size_t glued = find_kernel_stamp(line, 1);
  return glued != line.npos && read_kernel_stamp(line.substr(glued), prefix);
}

void read_tag(LineFamily family, LinePrefix& prefix) {
  switch (prefix.style) {
    case LineStyle::rfc3164:
    case LineStyle::syslog_iso:
    case LineStyle::rfc5424:
    case LineStyle::syslog_pri:
    case LineStyle::short_full:
    case LineStyle::short_unix:
    case LineStyle::bare_tag: return read_syslog_tag(prefix);
    case LineStyle::dmesg:
      if (family == LineFamily::monotonic) return read_syslog_tag(prefix);
      return;
    default: return;
  }
}

std::optional<int> severity_of(std::string_view word) {
  struct Word {
    std::string_view word;
    int severity;
  };
  constexpr std::array<Word, 29> words = {{{"emerg", 0}, {"emergency", 0}, {"panic", 0}, {"alert", 1}, {"crit", 2}, {"critical", 2},
      {"fatal", 2}, {"err", 3}, {"error", 3}, {"warn", 4}, {"warning", 4}, {"notice", 5}, {"info", 6}, {"debug", 7}, {"trace", 7},
      {"EMERG", 0}, {"ALERT", 1}, {"CRIT", 2}, {"CRITICAL", 2}, {"FATAL", 2}, {"ERR", 3}, {"ERROR", 3}, {"ERRO", 3}, {"WARN", 4},
      {"WARNING", 4}, {"NOTICE", 5}, {"INFO", 6}, {"DEBUG", 7}, {"DEBU", 7}}};
  const auto found = std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.word == word; });
  return found == words.end() ? std::nullopt : std::optional(found->severity);
}

std::optional<int> facility_of(std::string_view word) {
  constexpr std::array<std::string_view, 24> words = {
      "kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp",
      "ntp", "audit", "alert", "clock", "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7"};
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? std::nullopt : std::optional(static_cast<int>(found - words.begin()));
}

std::optional<int> take_priority(std::string_view& rest) {
  std::string_view probe = rest;
  if (!take_char(probe, '<')) return std::nullopt;
  const auto number = take_number(probe);
  if (!number || *number > 191 || !take_char(probe, '>')) return std::nullopt;
  rest = probe;
  return static_cast<int>(*number);
}

bool take_damage(std::string_view& rest) {
  const std::string_view before = rest;
  if (take_blanks(rest) > 0) return true;
  if (rest.empty()) return false;
  const char c = rest[0];
  if (c == '>' || c == '`' || c == '|' || c == '*' || c == '\'' || c == '"') {
    rest.remove_prefix(1);
    return true;
  }
  if (rest.starts_with("Line ") || rest.starts_with("line ")) {
    rest.remove_prefix(5);
    take_blanks(rest);
    if (take_number(rest) && take_char(rest, ':')) return true;
    rest = before;
    return false;
  }
  if (digit(c)) {   // "32789 ", "17:", "17-" (grep -n with context), "17\t" (cat -n)
    const auto number = take_number(rest);
    if (number && !rest.empty() && (rest[0] == ' ' || rest[0] == '\t' || rest[0] == ':' || rest[0] == '-' || rest[0] == ')')) {
      rest.remove_prefix(1);
      return true;
    }
    rest = before;
    return false;
  }
  // "kern.log:", "/var/log/syslog.1-" of grep: a path that holds a dot or a slash.
  const std::size_t end = rest.find_first_of(": \t");
  if (end == rest.npos || end < 3 || rest[end] != ':') return false;
  if (rest.substr(0, end).find_first_of("./") == rest.npos) return false;
  rest.remove_prefix(end + 1);
  return true;
}

bool is_separator(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  if (line == "--" || line == "---" || line == "..." || line == "…" || line == "[...]" || line == "[…]" || line == "<...>" ||
      line == "<snip>" || line == "[snip]" || line == "<...snip...>" || line == "```" || line == "(...)")
    return true;
  if (line.starts_with("==> ") && line.ends_with(" <==")) return true;
  if (!line.starts_with("-- ")) return false;
  return line.ends_with(" --") || line.starts_with("-- Logs begin at ") || line.starts_with("-- Journal begins at ");
}

bool looks_like_kernel(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  constexpr std::array starts = {
      std::string_view("Out of memory: "), std::string_view("Memory cgroup "), std::string_view("oom-kill:"), std::string_view("oom_reaper: "),
      std::string_view("Killed process "), std::string_view("INFO: task "), std::string_view("INFO: rcu"), std::string_view("rcu: "),
      std::string_view("BUG: "), std::string_view("Kernel panic - "), std::string_view("NMI watchdog: "), std::string_view("watchdog: "),
      std::string_view("EXT4-fs "), std::string_view("EXT3-fs "), std::string_view("EXT2-fs "), std::string_view("XFS ("), std::string_view("BTRFS"),
      std::string_view("F2FS-fs "), std::string_view("FAT-fs "), std::string_view("UBIFS "), std::string_view("UBI "), std::string_view("SQUASHFS error"),
      std::string_view("JBD2: "), std::string_view("Aborting journal "), std::string_view("I/O error, dev "), std::string_view("Buffer I/O error "),
      std::string_view("blk_update_request: "), std::string_view("print_req_error: "), std::string_view("end_request: "),
      std::string_view("cgroup: "), std::string_view("Linux version "), std::string_view("Command line: "), std::string_view("Call Trace:"), std::string_view("Call trace:"),
      std::string_view("RIP: "), std::string_view("CPU: "), std::string_view("Modules linked in:"), std::string_view("Hardware name: "),
      std::string_view("mce: "), std::string_view("EDAC "), std::string_view("[Hardware Error]"), std::string_view("{1}[Hardware Error]"),
      std::string_view("thermal thermal_zone"), std::string_view("Under-voltage detected!"), std::string_view("Voltage normalised"),
      std::string_view("hwmon hwmon"), std::string_view("nvme nvme"), std::string_view("usb "), std::string_view("scsi "), std::string_view("traps: "),
      std::string_view("audit: type="), std::string_view("general protection fault"), std::string_view("Unable to handle kernel "),
      std::string_view("NVRM: "), std::string_view("nfs: server "), std::string_view("device-mapper: "), std::string_view("md/raid"),
      std::string_view("ACPI: "), std::string_view("pci 0000:"), std::string_view("Mem-Info:"), std::string_view("SLUB: "), std::string_view("systemd[1]: ")};
  if (std::any_of(starts.begin(), starts.end(), [&](std::string_view s) { return text.starts_with(s); })) return true;
  // mmc0: , mmcblk0: , ata1.00: , sd 0:0:0:0: [sda]
  for (const std::string_view name : {"mmcblk", "mmc", "ata", "sd "})
    if (text.starts_with(name) && text.size() > name.size() && digit(text[name.size()])) return text.find(": ") < 24;
  constexpr std::array inside = {std::string_view(" invoked oom-killer: "), std::string_view("]: segfault at "), std::string_view(" blocked for more than "),
                                 std::string_view(": page allocation failure"), std::string_view("] general protection fault ip:")};
  return std::any_of(inside.begin(), inside.end(), [&](std::string_view s) { return text.find(s) != text.npos; });
}

}  // namespace forensics
