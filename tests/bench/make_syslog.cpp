// Writes a syslog of the given size to standard output: what a busy container host logs.
//
//   make-syslog [MEGABYTES [ONE_IN]]      every ONE_IN-th line matters (500: 0.2 %); 1: all of them
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "busy_log.h"

int main(int argc, char** argv) {
  const std::uint64_t size = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 256) << 20;
  bench::BusyLog log(static_cast<std::uint32_t>(argc > 2 ? std::max(1L, std::strtol(argv[2], nullptr, 10)) : 500));
  for (std::uint64_t written = 0; written < size;) {
    const std::string line = log.next();
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) return 1;
    written += line.size();
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
