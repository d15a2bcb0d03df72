#include "judge/words.h"

#include <array>
#include <charconv>
#include <fmt/format.h>

namespace forensics {

namespace {

constexpr std::array<std::string_view, 32> signals = {
    "",     "HUP",  "INT",  "QUIT", "ILL",    "TRAP",   "ABRT",  "BUS",  "FPE",  "KILL", "USR1",
    "SEGV", "USR2", "PIPE", "ALRM", "TERM",   "STKFLT", "CHLD",  "CONT", "STOP", "TSTP", "TTIN",
    "TTOU", "URG",  "XCPU", "XFSZ", "VTALRM", "PROF",   "WINCH", "IO",   "PWR",  "SYS"};

bool digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t n = 0;
  while (at + n < text.size() && digit(text[at + n])) ++n;
  return n;
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return n;
}

/// sda2, vdb1, xvda, hda: the letters after the kind
std::string scsi_like(std::string_view name) {
  for (std::string_view kind : {"sd", "vd", "xvd", "hd"}) {
    if (!name.starts_with(kind)) continue;
    std::size_t end = kind.size();
    while (end < name.size() && name[end] >= 'a' && name[end] <= 'z') ++end;
    if (end > kind.size() && end + digits_at(name, end) == name.size()) return std::string(name.substr(0, end));
  }
  return {};
}

}  // namespace

std::string signal_name(int number) {
  if (number <= 0) return {};
  if (number < static_cast<int>(signals.size())) return "SIG" + std::string(signals[static_cast<std::size_t>(number)]);
  return number >= 34 && number <= 64 ? fmt::format("SIGRTMIN+{}", number - 34) : std::string();
}

int signal_number(std::string_view word) {
  if (const auto slash = word.find('/'); slash != word.npos) word = word.substr(0, slash);
  if (const auto number = parse_number(word)) return *number > 0 && *number <= 64 ? static_cast<int>(*number) : 0;
  if (word.starts_with("SIG")) word.remove_prefix(3);
  for (std::size_t i = 1; i < signals.size(); ++i)
    if (signals[i] == word) return static_cast<int>(i);
  return 0;
}

std::string disk_of(std::string_view device) {
  if (device.starts_with("/dev/")) device.remove_prefix(5);
  std::string_view number = device;
  for (std::string_view kind : {"mmcblk", "mmc", "nvme", "md", "nbd", "loop", "zram", "rbd"}) {
    if (!device.starts_with(kind)) continue;
    number = device.substr(kind.size());
    const std::size_t n = digits_at(number, 0);
    if (n == 0) break;
    return std::string(kind == "mmcblk" ? "mmc" : kind) + std::string(number.substr(0, n));
  }
  if (std::string disk = scsi_like(device); !disk.empty()) return disk;
  return std::string(device);
}

std::string text_of(const Values& values, std::string_view name) {
  const auto it = values.find(name);
  if (it == values.end()) return {};
  if (const auto* text = std::get_if<std::string>(&it->second)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&it->second)) return fmt::format("{}", *number);
  return std::get<bool>(it->second) ? "true" : "false";
}

std::optional<std::int64_t> number_of(const Values& values, std::string_view name) {
  const auto it = values.find(name);
  if (it == values.end()) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(&it->second)) return *number;
  if (const auto* text = std::get_if<std::string>(&it->second)) return parse_number(*text);
  return std::nullopt;
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::int64_t kib = 1024, mib = kib * 1024, gib = mib * 1024;
  const auto say = [&](std::int64_t unit, std::string_view word) {
    return bytes % unit == 0 ? fmt::format("{} {}", bytes / unit, word)
                             : fmt::format("{:.1f} {}", static_cast<double>(bytes) / static_cast<double>(unit), word);
  };
  if (bytes >= gib) return say(gib, "GiB");
  if (bytes >= mib) return say(mib, "MiB");
  return say(kib, "KiB");
}

}  // namespace forensics
