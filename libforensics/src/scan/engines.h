// The engines behind LiteralScanner. Each appends raw hits; LiteralScanner sorts them and drops doubles.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scan/scanner.h"

namespace forensics {

class ScanEngine {
 public:
  virtual ~ScanEngine() = default;
  virtual void scan(const Batch& batch, std::vector<Hit>& hits) = 0;
};

/// nullptr if this build or this CPU has no Vectorscan.
std::unique_ptr<ScanEngine> make_vectorscan(const std::vector<std::string>& literals);
std::unique_ptr<ScanEngine> make_re2(const std::vector<std::string>& literals);
/// Looks for one literal after the other in the whole batch.
std::unique_ptr<ScanEngine> make_naive(const std::vector<std::string>& literals);

/// Turns positions in Batch::text, given in any order, into records.
class RecordFinder {
 public:
  explicit RecordFinder(const std::vector<Record>& records) : records_(records) {}

  /// The record that holds [begin, end) whole, or `none`. Fast when positions ascend.
  std::size_t find(std::size_t begin, std::size_t end);
  static constexpr std::size_t none = ~std::size_t{0};

 private:
  const std::vector<Record>& records_;
  std::size_t last_ = 0;
};

}  // namespace forensics
