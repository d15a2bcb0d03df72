// One literal scan over a batch: which records hold which literals.
//
// The scan is an optimisation and must be invisible: LiteralScanner::naive gives the same answer by looking for each
// literal in each record.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "read/reader.h"

namespace forensics {

struct Hit {
  std::uint32_t record;    ///< index into Batch::records
  std::uint32_t literal;   ///< index into the literals given
  auto operator<=>(const Hit&) const = default;
};

class LiteralScanner {
 public:
  enum class Engine { automatic, vectorscan, re2, naive };

  /// Literals are bytes, at least 3 of them, without '\n'; case matters. Nothing is compiled yet.
  explicit LiteralScanner(std::vector<std::string> literals, Engine engine = Engine::automatic);
  ~LiteralScanner();
  LiteralScanner(LiteralScanner&&) noexcept;
  LiteralScanner& operator=(LiteralScanner&&) noexcept;

  /// Appends the hits of this batch, sorted by record, then literal; each pair once.
  /// `automatic`: memmem for the first 64 KiB of text in this scanner's life, then Vectorscan, else RE2.
  void scan(const Batch& batch, std::vector<Hit>& hits);

  const std::vector<std::string>& literals() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace forensics
