// Temporary files: for what can be read once only, and for libraries that open files by name.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "read/byte_source.h"

namespace forensics {

/// Removes the file when it goes.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& suffix);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();
  int fd() const noexcept { return fd_; }          ///< -1: could not be made
  const std::string& path() const noexcept { return path_; }
  void unlink();

 private:
  std::string path_;
  int fd_ = -1;
};

/// Everything that is left of `bytes`. False, with errno, if the file took no more.
bool copy_to_file(ByteSource& bytes, int fd);

/// Copies the bytes to a nameless file in `folder`, gone with the last reader however the program ends, and returns what
/// opens it. Throws: Error (io) if the folder cannot take it.
std::function<std::unique_ptr<ByteSource>()> spool(ByteSource& bytes, const std::filesystem::path& folder);

}  // namespace forensics
