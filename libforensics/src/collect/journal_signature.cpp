#include <array>
#include <fstream>

#include "collect/native_journal.h"

namespace forensics {

bool is_native_journal(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 8> signature{};
  return file.read(signature.data(), signature.size()) && std::string_view(signature.data(), signature.size()) == "LPKSHHRH";
}

}  // namespace forensics
