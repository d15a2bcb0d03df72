// Google Benchmark: the stages of the way of a line, each on 4 MB of the log that run.py uses.
//
//   build/tests/bench/micro-bench [--benchmark_filter=scan]
#include <benchmark/benchmark.h>

#include "busy_log.h"
#include "forensics/report.h"
#include "read/line_formats.h"
#include "rules/matcher.h"
#include "scan/scanner.h"

namespace {

using namespace forensics;
using Engine = LiteralScanner::Engine;

constexpr std::size_t log_size = 4 << 20;

std::string make_log(std::uint32_t one_in) {
  bench::BusyLog lines(one_in);
  std::string log;
  while (log.size() < log_size) log += lines.next();
  return log;
}

const std::string& busy_log() {
  static const std::string log = make_log(500);
  return log;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes));
}

/// Lines out of blocks: nothing is scanned or parsed.
void framing(benchmark::State& state) {
  for (auto _ : state) {
    MemorySource bytes(busy_log());
    SourceContext context;
    const auto reader = open_line_format(LineFormat::rfc3164, bytes, context);
    Batch batch;
    for (batch.clear(); reader->next(batch); batch.clear()) benchmark::DoNotOptimize(batch.records.data());
  }
  count_bytes(state, busy_log().size());
}
BENCHMARK(framing);

/// Every line made into an event, as if all of them were candidates.
void parsing(benchmark::State& state) {
  for (auto _ : state) {
    MemorySource bytes(busy_log());
    SourceContext context;
    const auto reader = open_line_format(LineFormat::rfc3164, bytes, context);
    Batch batch;
    for (batch.clear(); reader->next(batch); batch.clear())
      for (const Record& record : batch.records) {
        Event event;
        benchmark::DoNotOptimize(reader->parse(batch, record, event));
      }
  }
  count_bytes(state, busy_log().size());
}
BENCHMARK(parsing);

/// One batch through one engine; the first argument cuts the rules' literals down to so many.
void scan(benchmark::State& state, Engine engine) {
  std::vector<std::string> literals = Matcher(RuleSet::builtin()).literals();
  const auto wanted = static_cast<std::size_t>(state.range(0));
  if (wanted < literals.size()) literals.resize(wanted);
  state.SetLabel(std::to_string(literals.size()) + " literals");
  LiteralScanner scanner(literals, engine);
  Batch batch;
  batch.clear();
  batch.text = std::string_view(busy_log()).substr(0, 128 * 1024);
  for (std::size_t at = 0; at < batch.text.size();) {
    const std::size_t end = std::min(batch.text.find('\n', at), batch.text.size());
    Record record;
    record.begin = static_cast<std::uint32_t>(at);
    record.length = static_cast<std::uint32_t>(end - at);
    batch.records.push_back(record);
    at = end + 1;
  }
  std::vector<Hit> hits;
  for (auto _ : state) {
    hits.clear();
    scanner.scan(batch, hits);
    benchmark::DoNotOptimize(hits.data());
  }
  count_bytes(state, batch.text.size());
}
BENCHMARK_CAPTURE(scan, vectorscan, Engine::vectorscan)->Arg(200)->Arg(400)->Arg(10'000);
BENCHMARK_CAPTURE(scan, re2, Engine::re2)->Arg(400);
BENCHMARK_CAPTURE(scan, naive, Engine::naive)->Arg(400);

/// The automaton for the rules' literals: paid once a source of more than 64 KiB is read.
void compile(benchmark::State& state) {
  const std::vector<std::string> literals = Matcher(RuleSet::builtin()).literals();
  const std::string text = "nothing of interest\n";
  Batch batch;
  batch.clear();
  batch.text = text;
  batch.records.emplace_back().length = 19;
  for (auto _ : state) {
    LiteralScanner scanner(literals, Engine::vectorscan);
    std::vector<Hit> hits;
    scanner.scan(batch, hits);
  }
}
BENCHMARK(compile)->Unit(benchmark::kMillisecond);

void matcher(benchmark::State& state) {
  const RuleSet rules = RuleSet::builtin();
  for (auto _ : state) benchmark::DoNotOptimize(Matcher(rules).literals().data());
}
BENCHMARK(matcher)->Unit(benchmark::kMillisecond);

/// From bytes to a report; the argument is how many lines there are to one that matters.
void analyze(benchmark::State& state) {
  const RuleSet rules = RuleSet::builtin();
  const std::string log = make_log(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(analyze_text("syslog", log, rules));
  count_bytes(state, log.size());
}
BENCHMARK(analyze)->Arg(500)->Arg(10)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
