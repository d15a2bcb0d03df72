#include "read/line_message.h"

#include <algorithm>
#include <array>

#include "read/journal_fields.h"
#include "read/line_prefix.h"
#include "read/message_text.h"
#include "read/time_parse.h"

namespace forensics {

namespace {

bool hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool octal(char c) { return c >= '0' && c <= '7'; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// A quoted string at the front, with what Go's %q escapes undone into `out`. False if its end is missing.
bool take_quoted(std::string_view& rest, std::string& out) {
  if (!take_char(rest, '"')) return false;
  while (!rest.empty()) {
    const char c = rest[0];
    rest.remove_prefix(1);
    if (c == '"') return true;
    if (c != '\\' || rest.empty()) {
      out += c;
      continue;
    }
    const char escaped = rest[0];
    rest.remove_prefix(1);
    if (escaped == 'n' || escaped == 't' || escaped == 'r') out += ' ';
    else out += escaped;
  }
  return false;
}

std::string_view take_bare(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view value = rest.substr(0, end);
  rest.remove_prefix(end);
  return value;
}

/// key=value or key="value".
bool take_field(std::string_view& rest, std::string_view& key, std::string& value, bool& quoted) {
  std::size_t end = 0;
  while (end < rest.size() && (word(rest[end]) || rest[end] == '.' || rest[end] == '-' || rest[end] == '/')) ++end;
  if (end == 0 || end >= rest.size() || rest[end] != '=') return false;
  key = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  value.clear();
  quoted = rest.starts_with('"');
  if (!quoted) value = take_bare(rest);
  else if (!take_quoted(rest, value) && value.empty()) return false;   // a cut value still counts
  return true;
}

void add_field(std::string& fields, std::string_view key, std::string_view value, bool quoted) {
  fields += ' ';
  fields += key;
  fields += '=';
  if (quoted) fields += '"';
  fields += value;
  if (quoted) fields += '"';
}

constexpr std::array logfmt_writers = {
    std::string_view("dockerd"), std::string_view("dockerd-current"), std::string_view("docker"), std::string_view("docker.dockerd"),
    std::string_view("docker-containerd"), std::string_view("docker-containerd-shim"), std::string_view("docker-current"), std::string_view("containerd"), std::string_view("containerd-shim"),
    std::string_view("containerd-shim-runc-v2"), std::string_view("podman"), std::string_view("crio"), std::string_view("cri-o"), std::string_view("cri-dockerd"),
    std::string_view("k3s"), std::string_view("k3s-agent"), std::string_view("rke2"), std::string_view("balenad"), std::string_view("balena-engine"), std::string_view("runc"),
    std::string_view("docker-proxy")};
constexpr std::array klog_writers = {
    std::string_view("kubelet"), std::string_view("k3s"), std::string_view("k3s-agent"), std::string_view("rke2"), std::string_view("kubelite"),
    std::string_view("microk8s.daemon-kubelite"), std::string_view("hyperkube"), std::string_view("kube-proxy"), std::string_view("cri-dockerd")};

template <class Names>
bool one_of(const Names& names, std::string_view identifier) {
  return std::find(names.begin(), names.end(), identifier) != names.end();
}

}  // namespace

bool is_daemon_tag(std::string_view identifier) {
  constexpr std::array more = {
      std::string_view("audit"), std::string_view("lmkd"), std::string_view("lowmemorykiller"), std::string_view("docker-current"), std::string_view("docker-containerd"),
      std::string_view("docker-containerd-shim"), std::string_view("hyperkube"), std::string_view("kube-proxy"), std::string_view("kernel-oops"), std::string_view("abrt-dump-journal-oops"),
      std::string_view("abrt-server"), std::string_view("procd"), std::string_view("watchdogd"), std::string_view("zed"), std::string_view("mdmonitor"), std::string_view("udevd"),
      std::string_view("e2scrub_all"), std::string_view("fsck"), std::string_view("supervisord"), std::string_view("monit"), std::string_view("hassio-supervisor"), std::string_view("slurmd"),
      std::string_view("slurmstepd")};
  return known_daemon(identifier) || one_of(more, identifier);
}

bool unwrap_logfmt(std::string_view text, std::string& message, std::optional<int>& severity) {
  if (!text.starts_with("time=") && !text.starts_with("level=") && !text.starts_with("msg=")) return false;
  std::string msg, fields, value;
  bool found = false;
  std::string_view rest = text, key;
  while (true) {
    take_blanks(rest);
    if (rest.empty()) break;
    bool quoted = false;
    if (!take_field(rest, key, value, quoted)) {   // not a field: keep it as it stands
      fields += ' ';
      fields += rest;
      break;
    }
    if (key == "msg" && !found) msg = value, found = true;
    else if (key == "level" && !severity) severity = severity_of(value);
    else if (key != "time" && key != "level") add_field(fields, key, value, quoted);
  }
  if (!found) return false;
  message = msg + fields;
  return true;
}

bool unwrap_klog(std::string_view text, std::string& message, std::optional<int>& severity) {
  LinePrefix prefix;
  if (!read_klog_stamp(text, prefix)) return false;
  severity = prefix.severity;
  std::string_view rest = prefix.rest;
  message.clear();
  if (!rest.starts_with('"') || !take_quoted(rest, message)) {
    message = prefix.rest;
    return true;
  }
  std::string_view key;
  std::string value, fields;
  while (true) {
    take_blanks(rest);
    bool quoted = false;
    if (rest.empty() || !take_field(rest, key, value, quoted)) break;
    add_field(fields, key, value, quoted);
  }
  message += fields;
  if (!rest.empty()) (message += ' ') += rest;
  return true;
}

std::string_view container_in(std::string_view message) {
  std::string_view first;
  std::size_t run = 0;
  for (std::size_t i = 0; i <= message.size(); ++i) {
    if (i < message.size() && hex(message[i])) {
      ++run;
      continue;
    }
    const std::size_t begin = i - run;
    if (run == 64 && (begin == 0 || !word(message[begin - 1])) && (i == message.size() || !word(message[i]))) {
      const std::string_view before = message.substr(0, begin), id = message.substr(begin, 64);
      const bool named = before.ends_with("container=") || before.ends_with(" id=") || before.ends_with("container=\"") || before.ends_with(" id=\"");
      if (named) return id;
      const bool other = before.ends_with("sha256:") || before.ends_with("execID=") || before.ends_with("process ");
      if (first.empty() && !other) first = id;
    }
    run = 0;
  }
  return first;
}

void unwrap_daemon_message(Event& event) {
  std::optional<int> severity;
  std::string message;
  bool unwrapped = false;
  if (one_of(logfmt_writers, event.identifier)) unwrapped = unwrap_logfmt(event.message, message, severity);
  if (!unwrapped && one_of(klog_writers, event.identifier)) unwrapped = unwrap_klog(event.message, message, severity);
  if (unwrapped) {
    event.message = std::move(message);
    if (severity) event.severity = static_cast<Severity>(*severity);
  }
  if (!event.container_id.empty()) return;
  if (event.identifier == "conmon") {   // conmon d97cffbee24c232c27eb <ninfo>: ...
    std::string_view rest = event.message;
    if (!rest.starts_with("conmon ")) return;
    rest.remove_prefix(7);
    const std::string_view id = rest.substr(0, rest.find(' '));
    if (id.size() >= 12 && std::all_of(id.begin(), id.end(), hex)) event.container_id = id.size() == 64 ? id : id.substr(0, 12);
  } else if (one_of(logfmt_writers, event.identifier) || one_of(klog_writers, event.identifier)) {
    event.container_id = container_in(event.message);
  }
}

std::string without_terminal_sequences(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 1);
  append_message(out, text);
  out.pop_back();
  for (std::size_t at = out.find("^[["); at != out.npos; at = out.find("^[[", at)) {
    std::size_t end = at + 3;
    while (end < out.size() && ((out[end] >= '0' && out[end] <= '9') || out[end] == ';')) ++end;
    if (end < out.size() && out[end] == 'm') out.erase(at, end + 1 - at);
    else at = end;
  }
  return out;
}

std::string without_octal_escapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '#' && i + 3 < text.size() && text[i + 1] == '0' && octal(text[i + 2]) && octal(text[i + 3]);
    const int code = escape ? (text[i + 2] - '0') * 8 + (text[i + 3] - '0') : 0;
    if (!escape || code >= 0x20) {
      out += text[i];
      continue;
    }
    i += 3;
    out += code == '\t' ? '\t' : code == 0x1b ? '\x1b' : ' ';
  }
  return out.find('\x1b') == out.npos ? out : without_terminal_sequences(out);
}

std::string without_kmsg_escapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x' && hex_digit(text[i + 2]) >= 0 && hex_digit(text[i + 3]) >= 0;
    if (!escape) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(hex_digit(text[i + 2]) * 16 + hex_digit(text[i + 3]));
    i += 3;
  }
  return out;
}

}  // namespace forensics
