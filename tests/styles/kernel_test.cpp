// The same kernel records as dmesg prints them in every style, and as /dev/kmsg and busybox give them.
#include <doctest/doctest.h>
#include <filesystem>

#include "compare.h"

using namespace forensics;
using namespace forensics::styles;

namespace {

constexpr std::int64_t second = 1'000'000;
constexpr Style kernel_styles[] = {
    // file, format, clock, precision, severity, facility, tags, unit, cuts long records (syslog(2) does)
    {"kmsg.txt", "kmsg", Clock::boot, 1, true, true},
    {"kmsg", "kmsg", Clock::boot, 1, true, true},
    {"dmesg-x.txt", "dmesg-x", Clock::boot, 1, true, true},
    {"dmesg-x", "dmesg-x", Clock::boot, 1, true, true},
    {"dmesg-r.txt", "dmesg-raw", Clock::boot, 1, true, false},
    {"dmesg-busybox-r.txt", "dmesg-raw", Clock::boot, 1, true, true},
    {"dmesg-xT.txt", "dmesg-x", Clock::local, second, true, true},
    {"dmesg.json", "dmesg-json", Clock::boot, 1, true, false},
    {"dmesg.txt", "dmesg", Clock::boot},
    {"dmesg", "dmesg", Clock::boot},
    {"dmesg-busybox.txt", "dmesg", Clock::boot, 1, false, false, true, false, true},
    {"dmesg-delta.txt", "dmesg", Clock::boot},
    {"dmesg-T.txt", "dmesg-ctime", Clock::local, second},
    {"dmesg-T", "dmesg-ctime", Clock::local, second},
    {"dmesg-iso.txt", "dmesg-iso", Clock::utc, 1},
    {"dmesg-e.txt", "dmesg-reltime", Clock::relative},
    {"dmesg-human-color.txt", "dmesg-reltime", Clock::relative},
    {"dmesg-notime.txt", "dmesg-plain", Clock::none},
};

/// Only a style that prints the facility knows that user space wrote a record to /dev/kmsg: dmesg -r and --json or it
/// into the level. In the others systemd is known by its name, and every other writer passes for the kernel.
Expected without_facility(Expected e) {
  if (e.kernel) return e;
  e.severity.reset();
  if (e.identifier.starts_with("systemd")) return e;
  e.severity_lost = true;
  const std::string pid = e.pid ? "[" + std::to_string(*e.pid) + "]" : "";
  if (!e.identifier.empty()) e.message = e.identifier + pid + ": " + e.message;
  e.identifier = "kernel";
  e.pid.reset();
  e.kernel = true;
  return e;
}

std::vector<Expected> expectations(const Reading& richest, const Style& style) {
  std::vector<Expected> out;
  for (const Said& said : richest.said) {
    out.push_back(expected_of(said));
    if (!style.facility) out.back() = without_facility(out.back());
  }
  return out;
}

}  // namespace

TEST_CASE("kernel: all styles of dmesg, kmsg and busybox say the same") {
  int groups = 0, files = 0;
  for (const auto& folder : std::filesystem::directory_iterator(recorded_folder() + "/vm")) {
    const std::string group = "vm/" + folder.path().filename().string();
    CAPTURE(group);
    std::optional<Reading> richest;
    for (const Style& style : kernel_styles) {
      const std::string path = group + "/" + std::string(style.file);
      if (!exists(path)) continue;
      if (!richest) richest = read_recording(path);
      compare(style, read_recording(path), expectations(*richest, style));
      ++files;
    }
    CHECK(richest);
    ++groups;
  }
  CHECK(groups >= 20);
  CHECK(files >= 200);
}
