// Which line style a file is in: its first lines are held against every grammar, and the family that most of them fit wins.
//
// Nothing here decides about single lines; LineReader reads each with the family's grammars again. What matters is that a
// container's own log never becomes the kernel's, and that a paste with much noise still becomes what it was.
#include "read/line_formats.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "read/kernel_record.h"
#include "read/line_prefix.h"
#include "read/line_reader.h"

namespace forensics {

namespace {

constexpr int most_lines = 200;

struct Counts {
  std::array<int, 32> style{};
  int lines = 0;               ///< neither blank nor separator nor continuation
  int weak_iso = 0;            ///< ISO stamp, word, word with a colon: a syslog line or a program's own
  int tagged = 0, hosted = 0;  ///< bracketed stamps with "ident[pid]:", and with a host before it
  int looks_kernel = 0;        ///< without a stamp
  int of(LineStyle s) const { return style[static_cast<std::size_t>(s)]; }
};

bool starts_with(std::string_view name, std::string_view word) { return name.substr(0, word.size()) == word; }

/// <id>-json.log of Docker's json-file driver.
bool named_by_docker(std::string_view name) {
  constexpr std::string_view end = "-json.log";
  if (!name.ends_with(end) || name.size() < end.size() + 12) return false;
  const std::string_view id = name.substr(name.size() - end.size() - 12, 12);
  return id.find_first_not_of("0123456789abcdef") == id.npos;
}

/// A container's own log, whatever its lines look like.
bool named_as_container_log(std::string_view name) {
  return starts_with(name, "docker-logs") || starts_with(name, "docker_logs") || name == "logs.txt" || named_by_docker(name) ||
         starts_with(name, "container-logs") || starts_with(name, "podman-logs") || starts_with(name, "kubectl-logs");
}

bool named_as_kernel_log(std::string_view name) { return starts_with(name, "dmesg") || starts_with(name, "kmsg") || starts_with(name, "kern"); }
bool named_as_console(std::string_view name) {
  return name.find("console") != name.npos || starts_with(name, "serial") || starts_with(name, "crashlog") || starts_with(name, "pstore");
}

/// Text, apart from runs of NUL that a power cut leaves.
bool is_text(std::string_view head) {
  std::size_t odd = 0, nulls = 0;
  for (const char c : head) {
    const auto b = static_cast<unsigned char>(c);
    if (b == 0) ++nulls;
    else if (b < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\x1b' && c != '\b' && c != '\f') ++odd;
  }
  const std::size_t rest = head.size() - nulls;
  if (rest == 0 || odd * 20 > rest) return false;
  if (nulls * 4 < head.size()) return true;
  // Many NULs: a log with a hole has long lines of text beside it, a binary file has not.
  std::size_t run = 0, longest = 0;
  for (const char c : head) {
    run = static_cast<unsigned char>(c) >= 0x20 || c == '\t' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest >= 40 && odd * 100 < rest;
}

LineStyle style_of(std::string_view line, Counts& counts) {
  LinePrefix prefix;
  if (read_kmsg_stamp(line, prefix) || read_logfmt_stamp(line, prefix) || read_klog_stamp(line, prefix) || read_logcat_stamp(line, prefix))
    return prefix.style;
  if (line.front() == '<' && read_kernel_stamp(line, prefix) && prefix.has_stamp) return prefix.style;
  if (read_container_stamp(line, prefix)) {
    const bool nanoseconds = prefix.style == LineStyle::container_stamp && line.size() > 29 && line[26] >= '0' && line[26] <= '9';
    if (prefix.style != LineStyle::container_stamp || nanoseconds) return prefix.style;
  }
  if (!read_stamp(LineFamily::syslog, line, prefix)) return read_stamp(LineFamily::kernel, line, prefix) ? prefix.style : LineStyle::none;
  if (prefix.style == LineStyle::syslog_iso) {
    read_syslog_tag(prefix);
    if (prefix.identifier.empty()) return LineStyle::container_stamp;
    if (!prefix.pid && prefix.identifier != "kernel") {
      if (prefix.host.empty()) return LineStyle::container_stamp;
      ++counts.weak_iso;
    }
    return LineStyle::syslog_iso;
  }
  if (prefix.style == LineStyle::dmesg) {
    LinePrefix tagged = prefix;
    read_syslog_tag(tagged);
    const bool kernel = tagged.identifier == "kernel";
    if (kernel || (tagged.pid && !kernel_about_process(tagged.rest) && tagged.host.find(':') == tagged.host.npos)) {
      ++counts.tagged;
      counts.hosted += !tagged.host.empty();
    }
  }
  return prefix.style;
}

Counts count_styles(std::string_view head) {
  Counts counts;
  const bool cut = head.size() == sniff_size;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  bool stamped_before = false;
  for (std::size_t at = 0; at < head.size() && counts.lines < most_lines;) {
    const std::size_t newline = std::min(head.find('\n', at), head.size());
    if (newline == head.size() && cut && counts.lines > 0) break;
    std::string_view line = head.substr(at, std::min<std::size_t>(newline - at, 2048));
    at = newline + 1;
    while (line.starts_with('\0')) line.remove_prefix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == line.npos || is_separator(line)) continue;
    std::string clean;
    if (line.find('\x1b') != line.npos) {   // colours
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b') {
          while (i < line.size() && line[i] != 'm' && line[i] != 'K') ++i;
        } else {
          clean += line[i];
        }
      }
      line = clean;
      if (line.empty()) continue;
    }
    const LineStyle style = style_of(line, counts);
    if (style == LineStyle::none && line.front() == ' ' && line.find('=') != line.npos && counts.of(LineStyle::kmsg) > 0) continue;
    if (style == LineStyle::none && stamped_before && (line.starts_with("  ") || line.starts_with('\t'))) continue;
    if (style == LineStyle::none) counts.looks_kernel += looks_like_kernel(line);
    stamped_before |= style != LineStyle::none;
    ++counts.style[static_cast<std::size_t>(style)];
    ++counts.lines;
  }
  return counts;
}

struct Row {
  LineStyle style;
  LineFormat format;
};
constexpr Row kernel_rows[] = {
    {LineStyle::dmesg, LineFormat::dmesg}, {LineStyle::dmesg_ctime, LineFormat::dmesg_ctime}, {LineStyle::dmesg_iso, LineFormat::dmesg_iso},
    {LineStyle::dmesg_reltime, LineFormat::dmesg_reltime}, {LineStyle::dmesg_level, LineFormat::dmesg_level}, {LineStyle::dmesg_raw, LineFormat::dmesg_raw}};
constexpr Row syslog_rows[] = {
    {LineStyle::rfc3164, LineFormat::rfc3164}, {LineStyle::syslog_iso, LineFormat::syslog_iso}, {LineStyle::rfc5424, LineFormat::rfc5424},
    {LineStyle::syslog_pri, LineFormat::syslog_pri}, {LineStyle::short_full, LineFormat::short_full}, {LineStyle::short_unix, LineFormat::short_unix},
    {LineStyle::wall_header, LineFormat::syslog_wall}, {LineStyle::bare_tag, LineFormat::syslog_wall}};
constexpr Row own_rows[] = {   // one style each
    {LineStyle::kmsg, LineFormat::kmsg}, {LineStyle::logcat, LineFormat::logcat}, {LineStyle::klog, LineFormat::klog}};
constexpr Row logfmt_rows[] = {{LineStyle::logfmt, LineFormat::logfmt}, {LineStyle::logrus, LineFormat::logfmt}};
constexpr Row container_rows[] = {
    {LineStyle::container_stamp, LineFormat::container}, {LineStyle::cri, LineFormat::container}, {LineStyle::compose, LineFormat::container},
    {LineStyle::application, LineFormat::container}};

/// The family's lines in all, and its commonest style.
struct Family {
  int lines = 0;
  LineFormat format = LineFormat::none;
};
template <std::size_t n>
Family family(const Counts& counts, const Row (&rows)[n]) {
  Family out;
  int most = 0;
  for (const Row& row : rows) {
    const int count = counts.of(row.style);
    out.lines += count;
    if (count > most) most = count, out.format = row.format;
  }
  return out;
}

LineFormat best_kernel_format(const Counts& counts, LineFormat format) {
  const int stamped = counts.of(LineStyle::dmesg);
  // journalctl prints "host ident[pid]: " or at least "ident[pid]: " behind every stamp; the ring buffer has a few such lines
  if (format == LineFormat::dmesg && stamped > 0 && counts.tagged * 100 >= stamped * 95) return LineFormat::short_monotonic;
  return format;
}

LineGuess guess(std::string_view name, std::string_view head) {
  if (!is_text(head)) return {};
  const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool json = first != head.npos && (head[first] == '{' || head[first] == '[') && first + 1 < head.size() &&
                    (head[first + 1] == '"' || head[first + 1] == '\n' || head[first + 1] == '\r' || head[first + 1] == '{');
  constexpr int fallback = 10, by_name = 90;
  if (json) return {LineFormat::container, fallback};
  if (named_as_container_log(name)) return {LineFormat::container, by_name};
  const Counts counts = count_styles(head);
  if (counts.lines == 0) return {LineFormat::container, fallback};
  Family best = family(counts, kernel_rows);
  best.format = best_kernel_format(counts, best.format);
  const auto better = [&](const Family& other) { if (other.lines > best.lines) best = other; };
  better(family(counts, syslog_rows));
  if (best.format == LineFormat::syslog_iso && counts.weak_iso == counts.of(LineStyle::syslog_iso)) best = {best.lines, LineFormat::container};
  for (const Row& row : own_rows) better({counts.of(row.style), row.format});
  better(family(counts, logfmt_rows));
  better(family(counts, container_rows));
  const bool enough = best.lines > 0 && best.lines * 100 >= counts.lines * 15;
  const int unstamped = counts.of(LineStyle::none);
  if (!enough || best.format == LineFormat::container) {
    if (best.format != LineFormat::container || best.lines * 2 < counts.lines) {
      if (named_as_kernel_log(name) && (counts.looks_kernel > 0 || best.format != LineFormat::container)) return {LineFormat::dmesg_plain, 60};
      if (named_as_console(name) && counts.looks_kernel > 0) return {LineFormat::dmesg_plain, 60};
      if (counts.looks_kernel > 0 && counts.looks_kernel * 10 >= unstamped * 8) return {LineFormat::dmesg_plain, 40};
    }
    return {LineFormat::container, fallback + (enough ? 20 : 0)};
  }
  return {best.format, 60 + 35 * best.lines / counts.lines};
}

std::string_view base_name(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

/// Logfmt and klog are what any Go program writes. The name of the file says which, else the default is nobody.
LineHints hints_for(LineFormat format, std::string_view path) {
  LineHints hints;
  const std::string_view name = base_name(path);
  const auto named = [&](std::string_view word) { return name.find(word) != name.npos; };
  if (format == LineFormat::dmesg_plain) hints.plain_is_kernel = named_as_kernel_log(name);
  if (format == LineFormat::klog) {
    for (const std::string_view program : {"kubelet", "kube-proxy", "hyperkube"})
      if (named(program)) hints = {std::string(program), Trust::daemon_text, false};
  }
  if (format == LineFormat::logfmt) {
    hints.identifier = "dockerd";
    for (const std::string_view program : {"containerd", "podman", "crio", "k3s"})
      if (named(program)) hints.identifier = program;
    if (named("docker") || hints.identifier != "dockerd") hints.trust = Trust::daemon_text;
  }
  return hints;
}

LineFamily family_of(LineFormat format) {
  switch (format) {
    case LineFormat::dmesg:
    case LineFormat::dmesg_ctime:
    case LineFormat::dmesg_iso:
    case LineFormat::dmesg_reltime:
    case LineFormat::dmesg_level:
    case LineFormat::dmesg_raw:
    case LineFormat::dmesg_plain: return LineFamily::kernel;
    case LineFormat::kmsg: return LineFamily::kmsg;
    case LineFormat::rfc3164:
    case LineFormat::syslog_iso:
    case LineFormat::rfc5424:
    case LineFormat::syslog_pri:
    case LineFormat::syslog_wall:
    case LineFormat::short_full:
    case LineFormat::short_unix: return LineFamily::syslog;
    case LineFormat::short_monotonic: return LineFamily::monotonic;
    case LineFormat::logcat: return LineFamily::logcat;
    case LineFormat::klog: return LineFamily::klog;
    case LineFormat::logfmt: return LineFamily::logfmt;
    default: return LineFamily::container;
  }
}

}  // namespace

LineGuess guess_line_format(std::string_view name, std::string_view head) {
  // Every row of the table asks about the same head.
  struct Last {
    std::size_t hash = 0, size = 0;
    std::string name;
    LineGuess guess;
    bool valid = false;
  };
  thread_local Last last;
  const std::size_t hash = std::hash<std::string_view>{}(head);
  if (!last.valid || last.hash != hash || last.size != head.size() || last.name != name)
    last = {hash, head.size(), std::string(name), guess(name, head), true};
  return last.guess;
}

std::unique_ptr<Reader> open_line_format(LineFormat format, ByteSource& bytes, SourceContext& context) {
  return std::make_unique<LineReader>(bytes, context, family_of(format), hints_for(format, context.account.name));
}

}  // namespace forensics
