#include "scan/scanner.h"

#include <algorithm>
#include <cstring>

#include "scan/engines.h"

namespace forensics {

namespace {

/// Below this much text, compiling an automaton costs more than looking for the literals one by one.
constexpr std::size_t small_text = 64 * 1024;

class Naive final : public ScanEngine {
 public:
  explicit Naive(const std::vector<std::string>& literals) : literals_(literals) {}

  void scan(const Batch& batch, std::vector<Hit>& hits) override {
    for (std::uint32_t i = 0; i < literals_.size(); ++i) {
      const std::string& literal = literals_[i];
      RecordFinder finder(batch.records);
      for (std::size_t at = 0;;) {
        const void* found = ::memmem(batch.text.data() + at, batch.text.size() - at, literal.data(), literal.size());
        if (found == nullptr) break;
        at = static_cast<std::size_t>(static_cast<const char*>(found) - batch.text.data());
        const std::size_t record = finder.find(at, at + literal.size());
        if (record != RecordFinder::none) {
          hits.push_back({static_cast<std::uint32_t>(record), i});
          at = batch.records[record].begin + batch.records[record].length;
        } else {
          ++at;
        }
      }
    }
  }

 private:
  const std::vector<std::string>& literals_;
};

}  // namespace

std::unique_ptr<ScanEngine> make_naive(const std::vector<std::string>& literals) {
  return std::make_unique<Naive>(literals);
}

std::size_t RecordFinder::find(std::size_t begin, std::size_t end) {
  const auto holds = [&](std::size_t i) { return records_[i].begin <= begin && end <= records_[i].begin + records_[i].length; };
  if (last_ < records_.size() && holds(last_)) return last_;
  const auto after = std::upper_bound(records_.begin(), records_.end(), begin,
                                      [](std::size_t at, const Record& r) { return at < r.begin; });
  if (after == records_.begin()) return none;
  const auto i = static_cast<std::size_t>(after - records_.begin()) - 1;
  if (!holds(i)) return none;
  return last_ = i;
}

struct LiteralScanner::Impl {   // on the heap: the engines refer to `literals`
  std::vector<std::string> literals;
  Engine engine;
  std::size_t seen = 0;
  std::unique_ptr<ScanEngine> small, large;
};

LiteralScanner::LiteralScanner(std::vector<std::string> literals, Engine engine)
    : impl_(std::make_unique<Impl>()) {
  impl_->literals = std::move(literals);
  impl_->engine = engine;
}

LiteralScanner::~LiteralScanner() = default;
LiteralScanner::LiteralScanner(LiteralScanner&&) noexcept = default;
LiteralScanner& LiteralScanner::operator=(LiteralScanner&&) noexcept = default;

const std::vector<std::string>& LiteralScanner::literals() const noexcept { return impl_->literals; }

void LiteralScanner::scan(const Batch& batch, std::vector<Hit>& hits) {
  Impl& impl = *impl_;
  if (impl.literals.empty() || batch.records.empty()) return;
  const std::size_t first = hits.size();
  impl.seen += batch.text.size();
  const bool small = impl.engine == Engine::naive || (impl.engine == Engine::automatic && impl.seen <= small_text);
  if (small) {
    if (!impl.small) impl.small = make_naive(impl.literals);
    impl.small->scan(batch, hits);
  } else {
    if (!impl.large && impl.engine != Engine::re2) impl.large = make_vectorscan(impl.literals);
    if (!impl.large) impl.large = make_re2(impl.literals);
    impl.large->scan(batch, hits);
  }
  const auto begin = hits.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, hits.end());
  hits.erase(std::unique(begin, hits.end()), hits.end());
}

}  // namespace forensics
