// Logs are cut by power loss, by rotation, by `tail`, and glued together by people. Whatever the cut: no crash, and the
// account still adds up (read_bytes() checks that); no physical line of a line format is lost without a reason.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <set>

#include "read_style.h"

using namespace forensics;
using namespace forensics::styles;

namespace {

struct Sample {
  std::string name, bytes;
};

/// The recordings here, the fixtures' inputs, and the samples of the unit tests.
std::vector<Sample> samples() {
  const std::string source = FORENSICS_SOURCE_DIR;
  std::vector<std::string> paths;
  for (const std::string& folder : {recorded_folder(), source + "/fixtures", source + "/tests/unit/samples"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.file_size() > 0) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  std::vector<Sample> out;
  for (const std::string& path : paths)
    out.push_back({std::filesystem::path(path).filename().string(), slurp_path(path)});
  return out;
}

/// The same numbers on every machine.
class Numbers {
 public:
  std::size_t below(std::size_t end) {
    state_ = state_ * 6'364'136'223'846'793'005u + 1'442'695'040'888'963'407u;
    return static_cast<std::size_t>(state_ >> 33) % end;
  }

 private:
  std::uint64_t state_ = 4711;
};

/// Formats whose records are physical lines: each line is a record, or was skipped for a reason.
bool by_lines(const std::string& format) {
  for (const std::string_view whole :
       {"journal-export", "journal-json", "journal-verbose", "docker-inspect", "dmesg-json", "kubectl"})
    if (format == whole) return false;
  return true;
}

void check(const std::string& bytes, const std::string& name) {
  CAPTURE(name);
  CAPTURE(bytes.size());
  const Reading reading = read_bytes(bytes, name);
  if (reading.format.empty()) {  // nothing, or nothing but damage: the pipeline says so
    CHECK(bytes.size() < 64);
    return;
  }
  CAPTURE(reading.format);
  const auto lines =
      static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n')) + (bytes.ends_with('\n') ? 0 : 1);
  CHECK(reading.context.account.lines == lines);
  if (!by_lines(reading.format)) return;
  std::set<std::uint64_t> told;
  for (const Said& said : reading.said) told.insert(said.event.where.line);
  CHECK(told.size() + reading.context.account.records - reading.said.size() >= lines);
}

}  // namespace

TEST_CASE("damage: cut off at any byte, in front or behind") {
  Numbers numbers;
  for (const Sample& sample : samples()) {
    constexpr int cuts = 12;
    for (int i = 0; i < cuts; ++i) {
      const std::size_t at = numbers.below(sample.bytes.size() + 1);
      check(sample.bytes.substr(0, at), sample.name);
      check(sample.bytes.substr(at), sample.name);
    }
  }
}

TEST_CASE("damage: two logs in one, torn where they meet") {
  const std::vector<Sample> all = samples();
  Numbers numbers;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Sample &first = all[i], &second = all[numbers.below(all.size())];
    check(first.bytes + second.bytes, first.name);
    check(first.bytes.substr(0, numbers.below(first.bytes.size())) +
              second.bytes.substr(numbers.below(second.bytes.size())),
          first.name);
  }
}

TEST_CASE("damage: bytes turned over, holes of NULs") {
  const std::vector<Sample> all = samples();
  Numbers numbers;
  for (Sample sample : all) {
    for (int i = 0; i < 16; ++i)
      sample.bytes[numbers.below(sample.bytes.size())] = static_cast<char>(numbers.below(256));
    check(sample.bytes, sample.name);
    if (sample.bytes.size() < 2048) continue;  // more hole than log is no log
    const std::size_t hole = numbers.below(sample.bytes.size());
    std::fill_n(sample.bytes.begin() + static_cast<std::ptrdiff_t>(hole),
                std::min<std::size_t>(sample.bytes.size() - hole, 512), '\0');
    check(sample.bytes, sample.name);
  }
}
