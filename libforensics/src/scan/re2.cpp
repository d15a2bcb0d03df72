// RE2 over literals: for machines that Vectorscan refuses, and the oracle of its tests.
#include <re2/re2.h>
#include <re2/set.h>

#include "scan/engines.h"

namespace forensics {

namespace {

class Re2 final : public ScanEngine {
 public:
  explicit Re2(const std::vector<std::string>& literals) : literals_(literals), set_(options(), RE2::UNANCHORED) {
    for (const std::string& literal : literals) set_.Add(re2::StringPiece(literal), nullptr);
    usable_ = set_.Compile();
  }

  void scan(const Batch& batch, std::vector<Hit>& hits) override {
    for (std::uint32_t r = 0; r < batch.records.size(); ++r) {
      const std::string_view text = batch.text.substr(batch.records[r].begin, batch.records[r].length);
      RE2::Set::ErrorInfo error{RE2::Set::kNoError};
      found_.clear();
      if (usable_) set_.Match(re2::StringPiece(text.data(), text.size()), &found_, &error);
      if (!usable_ || error.kind != RE2::Set::kNoError) {   // its automaton outgrew its memory: look by hand
        found_.clear();
        for (std::size_t i = 0; i < literals_.size(); ++i)
          if (text.find(literals_[i]) != text.npos) found_.push_back(static_cast<int>(i));
      }
      for (int literal : found_) hits.push_back({r, static_cast<std::uint32_t>(literal)});
    }
  }

 private:
  static RE2::Options options() {
    RE2::Options o;
    o.set_literal(true);
    o.set_encoding(RE2::Options::EncodingLatin1);   // bytes, not characters
    o.set_max_mem(16 << 20);
    o.set_log_errors(false);
    return o;
  }

  const std::vector<std::string>& literals_;
  RE2::Set set_;
  bool usable_ = false;
  std::vector<int> found_;
};

}  // namespace

std::unique_ptr<ScanEngine> make_re2(const std::vector<std::string>& literals) { return std::make_unique<Re2>(literals); }

}  // namespace forensics
