// One recording, read as the pipeline reads it, and what its style is able to say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "read/reader.h"

namespace forensics::styles {

struct Said {
  Event event;
  Stamp stamp;
};

struct Reading {
  std::string name;
  std::string format;
  std::vector<Said> said;
  SourceContext context;
};

/// The folder of recordings: tests/styles/recorded, or another one that FORENSICS_RECORDED names.
std::string recorded_folder();
bool exists(const std::string& path);
/// All bytes of a file; slurp() takes a path below the folder of recordings.
std::string slurp_path(const std::string& path);
std::string slurp(const std::string& path);
/// Reads the bytes under that file name. The account is checked, and that each record's place lies in the source.
Reading read_bytes(const std::string& bytes, const std::string& name);
/// The same for a recording; `path` is below the folder of recordings.
Reading read_recording(const std::string& path);

/// Which clock a style prints.
enum class Clock : std::uint8_t {
  none,
  boot,  ///< µs since boot
  utc,
  local,     ///< date and time without a zone
  no_year,   ///< month, day and time
  relative,  ///< dmesg -e: minutes, and differences between them
};

/// What a style prints of a record. What it does not print cannot be asked for.
struct Style {
  std::string_view file, format;
  Clock clock = Clock::none;
  std::int64_t precision = 1;  ///< µs
  bool severity = false, facility = false;
  bool tags = true;           ///< who said it, and its pid
  bool unit = false;          ///< the unit in the place of the program: only the kernel's name is sure
  bool cuts_records = false;  ///< the last lines of a long record may be missing
};

}  // namespace forensics::styles
