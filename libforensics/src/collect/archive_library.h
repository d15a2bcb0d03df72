// libarchive, loaded when the first archive is met: linking it costs more at every start than everything else together
// (it brings libxml2 and ICU), and most runs meet none.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <string>

namespace forensics {

struct ArchiveLibrary {
  decltype(&::archive_read_new) read_new;
  decltype(&::archive_read_free) read_free;
  decltype(&::archive_read_open) read_open;
  decltype(&::archive_read_open_fd) read_open_fd;
  decltype(&::archive_read_next_header) read_next_header;
  decltype(&::archive_read_data) read_data;
  decltype(&::archive_error_string) error_string;
  decltype(&::archive_format) format;
  decltype(&::archive_filter_count) filter_count;
  decltype(&::archive_entry_pathname) entry_pathname;
  decltype(&::archive_entry_filetype) entry_filetype;
  decltype(&::archive_entry_mtime) entry_mtime;

  /// Tells the reader which formats and compressions to look for; none that runs another program.
  bool support_all(archive* reader) const;

  /// nullptr if it is not installed; `why` then says so. Thread-safe.
  static const ArchiveLibrary* load(std::string& why);

 private:
  void* handle_ = nullptr;
  bool find_all();
};

}  // namespace forensics
