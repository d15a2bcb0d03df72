// Collects the records of open dumps, one source at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "timeline/anchors.h"

namespace forensics {

class DumpCollector {
 public:
  DumpCollector(Matcher& matcher, Anchors& anchors) : matcher_(matcher), anchors_(anchors) {}

  bool open() const noexcept { return !open_.empty(); }
  /// Every record of the source while open() — and each one that `openers` (indices into dump_kinds()) hints at.
  void feed(const Anchor& record, const std::vector<std::uint32_t>& openers);
  /// The end of the source: what is open is closed as it stands.
  void finish();

 private:
  struct Open {
    std::uint32_t kind;
    std::vector<Anchor> lines;
    std::size_t strangers = 0;
    std::int64_t last_at = -1;
    std::size_t text = 0;
  };

  void close(Open& dump);

  Matcher& matcher_;
  Anchors& anchors_;
  std::vector<Open> open_;
};

}  // namespace forensics
