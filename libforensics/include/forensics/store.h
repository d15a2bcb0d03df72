// Reports in one SQLite file: one row per bundle, with what a fleet is asked about.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "forensics/verdict.h"

namespace forensics {

/// Not thread-safe: one Store per thread, or external locking.
class Store {
 public:
  /// Opens or creates. Throws: Error (store) if the file is not ours, is from a newer version, or cannot be opened.
  static Store open(const std::filesystem::path& file);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// One bundle, one transaction; the same `bundle` name again replaces its rows. Throws: Error (store).
  void save(const std::string& bundle, const Report& report);

  /// A bundle that could not be read: a row with its reason, no verdict.
  void save_unreadable(const std::string& bundle, const std::string& reason);

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace forensics
