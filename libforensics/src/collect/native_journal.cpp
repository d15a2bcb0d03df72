#include "collect/native_journal.h"

#include <array>
#include <fstream>

namespace forensics {

bool is_native_journal(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 8> signature{};
  return file.read(signature.data(), signature.size()) && std::string_view(signature.data(), signature.size()) == "LPKSHHRH";
}

void collect_native_journal(const std::filesystem::path&, const std::string& name, Pipeline& pipeline) {
  pipeline.diagnose({name, 0, "journal-unsupported", "this build cannot read native journal files; use journalctl -o export", 1});
}

bool collect_live_journal(const std::string&, std::optional<RealTime>, Pipeline&, std::string& why) {
  why = "this build cannot read the journal";
  return false;
}

}  // namespace forensics
