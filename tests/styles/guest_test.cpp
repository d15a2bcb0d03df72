// One Debian guest that ran containers until they died, seen by nine sources. What the narrower ones say, the wider
// ones say too, at the same time and in the same words.
#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <map>

#include "compare.h"

using namespace forensics;
using namespace forensics::styles;

namespace {

constexpr std::int64_t second = 1'000'000;
const std::string guest = "vm/systemd-docker/";

/// Blanks do not tell records apart: rsyslog takes them off the front, journalctl prints a tab as eight.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string key(const Said& said) { return said.event.identifier + '\n' + squeezed(said.event.message); }

bool same_moment(const Said& a, const Said& b, std::int64_t tolerance) {
  const bool walls = a.stamp.wall && b.stamp.wall && a.event.identifier != "kernel";
  if (!walls && a.stamp.monotonic && b.stamp.monotonic) return *a.stamp.monotonic == *b.stamp.monotonic;
  return a.stamp.wall && b.stamp.wall && std::abs(*a.stamp.wall - *b.stamp.wall) <= tolerance;
}

/// Each record of `narrow` has a record of its own in `wide`.
void check_all_in(const Reading& narrow, const Reading& wide, std::int64_t tolerance) {
  std::multimap<std::string, const Said*> known;
  for (const Said& said : wide.said) known.emplace(key(said), &said);
  int reports = 0;
  for (const Said& said : narrow.said) {
    const auto [begin, end] = known.equal_range(key(said));
    const auto found = std::find_if(begin, end, [&](const auto& entry) {
      const Said& other = *entry.second;
      return (!said.event.pid || said.event.pid == other.event.pid) && same_moment(said, other, tolerance);
    });
    if (found != end) {
      known.erase(found);
    } else if (++reports <= 12) {
      FAIL_CHECK(narrow.name << ":" << said.event.where.line << " is not in " << wide.name << ": "
                             << said.event.text.substr(0, 200));
    }
  }
}

}  // namespace

TEST_CASE("guest: syslog and kern.log say what the journal says") {
  const Reading journal = read_recording(guest + "j.export");
  const Reading syslog = read_recording(guest + "syslog"), kern = read_recording(guest + "kern.log");
  CHECK(syslog.said.size() >= 60);
  check_all_in(syslog, journal, 5 * second);  // rsyslog stamps what was said before it ran when it starts
  check_all_in(kern, syslog, 0);
}

TEST_CASE("guest: journalctl -k says what the ring buffer says") {
  const Reading journal = read_recording(guest + "j.kernel"), ring = read_recording(guest + "kmsg");
  check_all_in(journal, ring, 0);
  CHECK(journal.said.size() == ring.said.size());
}

TEST_CASE("guest: journalctl -u docker says what the journal says") {
  Reading journal = read_recording(guest + "j.export");
  for (Said& said : journal.said) said.stamp.wall = without_year(*said.stamp.wall) / second * second;
  const Reading docker = read_recording(guest + "j.docker");
  CHECK(docker.said.size() >= 5);
  check_all_in(docker, journal, 0);
}

TEST_CASE("guest: docker inspect ends when docker events says so") {
  const Reading inspect = read_recording(guest + "victim.json"), events = read_recording(guest + "events.jsonl");
  REQUIRE(inspect.context.containers.size() == 1);
  const Container& container = inspect.context.containers[0];
  REQUIRE(container.finished_at);
  const auto died = std::find_if(events.said.begin(), events.said.end(), [&](const Said& said) {
    return said.event.container_id == container.id && said.event.message.find("die") != std::string::npos;
  });
  REQUIRE(died != events.said.end());
  CHECK(died->event.container_name == container.name);
  CHECK(std::abs(*died->stamp.wall - container.finished_at->time_since_epoch().count()) < second);
  for (const char* other : {"badexec", "oom-main", "pids"}) {
    const Reading reading = read_recording(guest + other + ".json");
    REQUIRE(reading.context.containers.size() == 1);
    CHECK(reading.context.containers[0].name == other);
    CHECK(!reading.context.containers[0].running);
  }
}
