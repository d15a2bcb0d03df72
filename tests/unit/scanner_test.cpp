#include "scan/scanner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace {

using namespace forensics;
using Engine = LiteralScanner::Engine;

Batch batch_of(const std::string& text) {
  Batch batch;
  batch.clear();
  batch.text = text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == text.npos) end = text.size();
    Record record;
    record.begin = static_cast<std::uint32_t>(at);
    record.length = static_cast<std::uint32_t>(end - at);
    batch.records.push_back(record);
    at = end + 1;
  }
  return batch;
}

std::vector<Hit> hits_of(Engine engine, const std::vector<std::string>& literals, const std::string& text) {
  LiteralScanner scanner(literals, engine);
  std::vector<Hit> hits;
  scanner.scan(batch_of(text), hits);
  return hits;
}

TEST_CASE("a literal counts once per record, and only inside one record") {
  const std::vector<std::string> literals = {"oom", "kill", "oom\xff"};
  const std::string text = "oom oom\nnothing\noo\nm\nkilloom\xff\n";
  const std::vector<Hit> want = {{0, 0}, {4, 0}, {4, 1}, {4, 2}};
  for (Engine engine : {Engine::naive, Engine::re2, Engine::vectorscan, Engine::automatic}) CHECK(hits_of(engine, literals, text) == want);
}

TEST_CASE("bytes outside every record are not seen") {
  const std::string text = "killed\nkilled\n";
  Batch batch = batch_of(text);
  batch.records.erase(batch.records.begin());
  for (Engine engine : {Engine::naive, Engine::re2, Engine::vectorscan}) {
    LiteralScanner scanner({"killed"}, engine);
    std::vector<Hit> hits;
    scanner.scan(batch, hits);
    CHECK(hits == std::vector<Hit>{{0, 0}});
  }
}

TEST_CASE("all engines agree on random text, and overlapping literals are all found") {
  std::mt19937 random(7);
  std::vector<std::string> literals;
  for (int i = 0; i < 60; ++i) {
    std::string literal;
    for (unsigned n = 3 + random() % 3; n > 0; --n) literal += static_cast<char>('a' + random() % 3);
    if (std::find(literals.begin(), literals.end(), literal) == literals.end()) literals.push_back(literal);
  }
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += random() % 20 == 0 ? '\n' : static_cast<char>('a' + random() % 4);
  const auto naive = hits_of(Engine::naive, literals, text);
  CHECK(naive.size() > 1000);
  CHECK(hits_of(Engine::re2, literals, text) == naive);
  CHECK(hits_of(Engine::vectorscan, literals, text) == naive);
  CHECK(hits_of(Engine::automatic, literals, text) == naive);
}

}  // namespace
