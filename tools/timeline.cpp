#include "timeline.h"

#include <sstream>

#include "forensics/forensics.h"
#include "output.h"
#include "report/report_json.h"

namespace why_died {
namespace {

/// Records are many: written in blocks.
class Printer {
 public:
  explicit Printer(const Options& options) : options_(options) {}

  bool add(const forensics::TimelineRecord& record) {
    if (options_.format == OutputFormat::text) {
      write_text(out_, record, options_.style);
    } else {
      if (options_.format == OutputFormat::json) out_ << (any_ ? ",\n" : "{\"schema\": 1, \"events\": [\n");
      write_json(out_, record);
      if (options_.format == OutputFormat::ndjson) out_ << '\n';
    }
    any_ = true;
    constexpr std::streamoff block = 64 * 1024;
    return out_.tellp() < block || flush();
  }

  void finish(const forensics::Report& report) {
    if (options_.format == OutputFormat::json) {
      const auto all = forensics::report_json(report);
      out_ << (any_ ? "\n" : "{\"schema\": 1, \"events\": [") << "],\n\"coverage\": " << all["coverage"].dump()
           << ",\n\"diagnostics\": " << all["diagnostics"].dump() << "}\n";
    }
    flush();
  }

  bool any() const { return any_; }

 private:
  bool flush() {
    const bool read = print(out_.str());
    out_.str({});
    return read;
  }

  const Options& options_;
  std::ostringstream out_;
  bool any_ = false;
};

void warn(const forensics::Report& report) {
  for (const auto& diagnostic : report.diagnostics)
    complain(forensics::Error(forensics::ErrorCode::io, diagnostic.source, diagnostic.message), "warning");
}

}  // namespace

int timeline(const Options& options) {
  const auto rules = options.rules.empty() ? forensics::RuleSet::builtin() : forensics::RuleSet::load(options.rules);
  Printer printer(options);
  const auto report = forensics::walk(options.in, rules, options.walk, options.analyze,
                                      [&](const forensics::TimelineRecord& record) { return printer.add(record); });
  printer.finish(report);
  if (options.format != OutputFormat::json && !options.style.quiet) warn(report);
  return printer.any() ? 0 : 1;
}

}  // namespace why_died
