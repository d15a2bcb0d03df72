#include "read_style.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

namespace forensics::styles {

std::string recorded_folder() {
  const char* other = std::getenv("FORENSICS_RECORDED");
  return other != nullptr ? other : FORENSICS_SOURCE_DIR "/tests/styles/recorded";
}

bool exists(const std::string& path) { return std::filesystem::exists(recorded_folder() + "/" + path); }

std::string slurp(const std::string& path) { return slurp_path(recorded_folder() + "/" + path); }

std::string slurp_path(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Reading read_bytes(const std::string& bytes, const std::string& name) {
  Reading out;
  out.name = name;
  const FormatDef* format = sniff_format(name, std::string_view(bytes).substr(0, sniff_size));
  if (format == nullptr) return out;
  out.format = format->name;
  out.context.account.name = name;
  MemorySource source(bytes);
  const auto reader = format->open(source, out.context);
  Batch batch;
  for (batch.clear(); reader->next(batch); batch.clear()) {
    for (const Record& record : batch.records) {
      Said& said = out.said.emplace_back();
      said.stamp = reader->parse(batch, record, said.event);
      CHECK(said.event.where.offset + said.event.where.length <= bytes.size());
      CHECK(said.event.message.find('\n') == std::string::npos);
    }
  }
  const Source& account = out.context.account;
  const std::uint64_t skipped = std::accumulate(account.skipped.begin(), account.skipped.end(), std::uint64_t{0},
                                                [](std::uint64_t n, const auto& reason) { return n + reason.second; });
  CHECK_MESSAGE(account.records == out.said.size() + skipped, name);
  CHECK_MESSAGE(account.bytes == bytes.size(), name);
  return out;
}

Reading read_recording(const std::string& path) {
  return read_bytes(slurp(path), std::filesystem::path(path).filename().string());
}

}  // namespace forensics::styles
