// One run of libata's error handler.
//
//   ata1.00: exception Emask 0x0 SAct 0x7f SErr 0x0 action 0x6 frozen
//   ata1: SError: { PHYRdyChg }
//   ata1.00: failed command: WRITE FPDMA QUEUED
//   ata1.00: cmd 61/00:00:02:60:00/01:00:00:00:00/40 tag 0 ncq dma 131072 out
//            res 40/00:00:00:00:00/00:00:00:00:00/00 Emask 0x4 (timeout)
//   ata1.00: status: { DRDY }
//   ata1: hard resetting link ... ata1.00: disable device ... sd 0:0:0:0: [sda] ... I/O error, dev sda, sector 8742 ...
//   ata1: EH complete
#include "dumps/kinds.h"
#include "dumps/text.h"

namespace forensics {

namespace {

/// "1" of `ata1: ` or `ata1.00: `; empty: no such line.
std::string_view port_of(std::string_view message) {
  if (!message.starts_with("ata")) return {};
  std::string_view rest = message.substr(3);
  if (!take_integer(rest)) return {};
  const std::string_view port = message.substr(3, message.size() - 3 - rest.size());
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    take_integer(rest);
  }
  return rest.starts_with(": ") && port.find_first_not_of("0123456789") == std::string_view::npos ? port : std::string_view{};
}

bool opens(std::string_view message) {
  message = trimmed(message);
  return !port_of(message).empty() && contains(message, ": exception Emask 0x");
}

bool is_result(std::string_view message) { return message.starts_with("res ") && contains(message, " Emask 0x"); }

/// The disk of an I/O error, or of the SCSI layer's report of one.
std::string_view disk_of(std::string_view message) {
  if (contains(message, "I/O error, dev ")) return between(message, "I/O error, dev ", ",");
  if (message.starts_with("sd ")) return between(message, ": [", "]");
  return {};
}

bool belongs(std::string_view message, std::size_t) {
  message = trimmed(message);
  if (opens(message)) return false;
  return !port_of(message).empty() || is_result(message) || !disk_of(message).empty();
}

bool closes(std::string_view message) {
  message = trimmed(message);
  return !port_of(message).empty() && contains(message, ": EH complete");
}

/// The text in the parentheses of a `res` line, as a word.
std::string_view error_word(std::string_view text) {
  if (text == "timeout") return "timeout";
  if (text == "media error") return "media";
  if (text == "ATA bus error") return "link";
  if (text == "device error") return "device";
  if (text == "host bus error") return "host-bus";
  if (text == "HSM violation") return "protocol";
  if (text == "internal error") return "internal";
  if (text == "NCQ error") return "ncq";
  if (text == "invalid argument") return "invalid";
  return text.empty() ? std::string_view{} : std::string_view("unknown");
}

bool names_link(std::string_view message) {
  for (const std::string_view flag : {"PHYRdyChg", "CommWake", "10B8B", "Dispar", "BadCRC", "Handshk", "DevExch", "LinkSeq"})
    if (contains(message, flag)) return contains(message, "SError: {");
  return contains(message, "connection status changed");
}

struct Reading {
  bool link = false, closed = false, lost = false, many_disks = false;
  std::string_view disk;
};

void put(Dump& dump, std::string_view name, std::string_view value, std::uint32_t line) {
  if (!value.empty() && dump.facts.emplace(name, std::string(value)).second) dump.quotes.push_back(line);
}

void read_line(std::string_view message, std::uint32_t line, Dump& dump, Reading& reading) {
  put(dump, "command", contains(message, "failed command: ") ? trimmed(message.substr(message.find("failed command: ") + 16))
                                                             : std::string_view{}, line);
  if (contains(message, "res ") && contains(message, " Emask 0x"))
    put(dump, "errors", error_word(between(message, "(", ")")), line);
  put(dump, "status", trimmed(between(message, "status: {", "}")), line);
  if (names_link(message)) reading.link = true;
  if (message.ends_with(": disable device") || message.ends_with(": disabled") || contains(message, "reset failed, giving up")) {
    reading.lost = true;
    dump.quotes.push_back(line);
  }
  if (const std::string_view disk = disk_of(message); !disk.empty()) {
    reading.many_disks = reading.many_disks || (!reading.disk.empty() && reading.disk != disk);
    reading.disk = disk;
  }
}

Dump extract(const std::vector<DumpLine>& lines) {
  Dump dump{"ata", {}, {}, false};
  if (lines.empty()) return dump;
  const std::string_view port = port_of(trimmed(lines.front().message));
  dump.facts.emplace("port", "ata" + std::string(port));
  dump.quotes.push_back(0);
  Reading reading;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    const std::string_view message = trimmed(lines[i].message);
    const std::string_view other = port_of(message);
    if (!other.empty() && other != port) continue;   // two ports at once
    read_line(message, i, dump, reading);
    reading.closed = reading.closed || closes(message);
  }
  if (!reading.disk.empty() && !reading.many_disks) dump.facts.emplace("device", std::string(reading.disk));
  if (reading.lost) dump.facts.emplace("lost", true);
  else if (reading.closed) dump.facts.emplace("lost", false);
  if (reading.closed && reading.link) dump.facts.emplace("errors", std::string("link"));
  // The error itself is told at once; the resets behind it may be cut off.
  dump.complete = reading.closed || dump.facts.contains("errors");
  return dump;
}

}  // namespace

DumpKind ata_dump() {
  // A link reset waits for up to half a minute, and there may be three of them before a disk is given up.
  constexpr std::int64_t longest_reset = 60'000'000;
  return {"ata", {": exception Emask 0x"}, opens, belongs, closes, extract, longest_reset};
}

}  // namespace forensics
