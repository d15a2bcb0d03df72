#include "collect/native_journal.h"

#include <doctest/doctest.h>

#include <cstring>

#include "collect/journal_copy.h"
#include "fake_engine.h"

using namespace forensics;
using namespace forensics::test;

namespace {

/// The fixture is a journal of 107 entries without its zeros: (offset, length, bytes)*, then (size, 0).
std::string small_journal() {
  const std::string runs = file_text("journal/small.journal.runs");
  std::string bytes;
  for (std::size_t at = 0; at + 16 <= runs.size();) {
    std::uint64_t offset = 0, length = 0;
    std::memcpy(&offset, runs.data() + at, 8);
    std::memcpy(&length, runs.data() + at + 8, 8);
    bytes.resize(offset);
    bytes += runs.substr(at + 16, length);
    at += 16 + length;
  }
  return bytes;
}

struct Read {
  Source source;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> codes;
};

Read read(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto path = folder.path / "system.journal";
  std::ofstream(path, std::ios::binary) << bytes;
  const RuleSet rules = RuleSet::builtin();
  Pipeline pipeline(rules, {});
  collect_native_journal(path, "system.journal", pipeline);
  const Evidenced evidence = pipeline.finish();
  Read result;
  if (!evidence.timeline.sources.empty()) result.source = evidence.timeline.sources.front();
  result.diagnostics = evidence.timeline.diagnostics;
  for (const Diagnostic& d : result.diagnostics) result.codes.push_back(d.code);
  return result;
}

}  // namespace

TEST_CASE("the signature and the header of a journal file") {
  const std::string bytes = small_journal();
  const auto header = journal_header(bytes.substr(0, 272));
  REQUIRE(header);
  CHECK(header->entries == 107);
  CHECK(header->size == 8 * 1024 * 1024);
  CHECK_FALSE(journal_header("LPKSHHRH"));
  CHECK_FALSE(journal_header(std::string(300, 'x')));
}

TEST_CASE("a native journal is read whole, and every entry counts") {
  const Read all = read(small_journal());
  CHECK(all.codes.empty());
  CHECK(all.source.format == "journal-native");
  CHECK(all.source.trust == Trust::kernel);
  CHECK(all.source.records >= 107);   // messages of several lines
  CHECK(all.source.records == all.source.used);
  REQUIRE(all.source.from);
  CHECK(to_string(*all.source.from).substr(0, 13) == "2026-11-30T23");
}

TEST_CASE("a kill in a native journal becomes an event that names its cursor") {
  const TemporaryFolder folder;
  const auto path = folder.path / "system.journal";
  std::ofstream(path, std::ios::binary) << small_journal();
  const RuleSet rules = RuleSet::builtin();
  Pipeline pipeline(rules, {});
  collect_native_journal(path, "system.journal", pipeline);
  const Evidenced evidence = pipeline.finish();
  const Event* kill = nullptr;
  for (const Event& event : evidence.timeline.events)
    if (event.message.find("Killed process 278") != std::string::npos) kill = &event;
  REQUIRE(kill != nullptr);
  CHECK(kill->trust == Trust::kernel);
  CHECK(kill->identifier == "kernel");
  CHECK(kill->host == "rpi-node");
  CHECK(kill->where.line == 0);
  CHECK(kill->cursor.starts_with("s="));
  CHECK(kill->boot_id.size() == 32);
  REQUIRE(kill->monotonic);
  CHECK(kill->monotonic->count() / 1'000'000 == 41);
}

TEST_CASE("a journal that is cut gives what is there and says what is lost") {
  const std::string bytes = small_journal();
  const std::size_t used = bytes.find_last_not_of('\0') + 1;
  CHECK(read(bytes.substr(0, used)).codes.empty());   // only preallocated space is gone
  for (const std::size_t size : {used - 200, used * 99 / 100, used * 97 / 100}) {
    const Read part = read(bytes.substr(0, size));
    CAPTURE(size);
    REQUIRE(part.codes == std::vector<std::string>{"journal-damaged"});
    CHECK(part.diagnostics[0].count > 0);
    CHECK(part.diagnostics[0].count <= 107);
  }
  for (const std::size_t size : {0u, 8u, 100u, 300u, 4096u}) {
    CAPTURE(size);
    CHECK_FALSE(read(bytes.substr(0, size)).codes.empty());
  }
}

TEST_CASE("flipped bytes lose entries, never the process") {
  const std::string bytes = small_journal();
  const std::size_t used = bytes.find_last_not_of('\0') + 1;
  const std::size_t data = bytes.find("_BOOT_ID=");
  REQUIRE(data < used);
  std::uint64_t records = 0;
  for (std::size_t at = data; at < used; at += 1499) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(~damaged[at]);
    const Read part = read(damaged);
    records += part.source.records;
    CHECK(part.source.records == part.source.used + [&] {
      std::uint64_t skipped = 0;
      for (const auto& [reason, n] : part.source.skipped) skipped += n;
      return skipped;
    }());
  }
  CHECK(records > 0);
}

TEST_CASE("a folder without a journal is no error") {
  const TemporaryFolder folder;
  const RuleSet rules = RuleSet::builtin();
  Pipeline pipeline(rules, {});
  const LiveJournal journal = collect_live_journal(folder.path.string(), {}, {}, pipeline);
  CHECK_FALSE(journal.read);
  CHECK(journal.why.empty());
}

TEST_CASE("a live journal is asked only for what matters") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "system.journal", std::ios::binary) << small_journal();
  const RuleSet rules = RuleSet::builtin();
  const auto count = [&](std::vector<std::string> identifiers, std::optional<RealTime> since) {
    Pipeline pipeline(rules, {});
    const LiveJournal journal = collect_live_journal(folder.path.string(), since, identifiers, pipeline);
    CHECK(journal.read);
    CHECK(journal.from);
    return pipeline.finish().timeline.sources.at(0).records;
  };
  const auto kernel = count({}, {});
  CHECK(kernel > 70);
  CHECK(count({"dockerd", "systemd*"}, {}) > kernel);
  CHECK(count({}, RealTime(std::chrono::hours(24 * 365 * 100))) == 0);
}
