#include "collect/archive_library.h"

#include <dlfcn.h>

namespace forensics {

namespace {

template <class Function>
bool find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(handle, name));
  return function != nullptr;
}

}  // namespace

bool ArchiveLibrary::find_all() {
  return find(handle_, "archive_read_new", read_new) && find(handle_, "archive_read_free", read_free) &&
         find(handle_, "archive_read_open", read_open) && find(handle_, "archive_read_open_fd", read_open_fd) &&
         find(handle_, "archive_read_next_header", read_next_header) && find(handle_, "archive_read_data", read_data) &&
         find(handle_, "archive_error_string", error_string) && find(handle_, "archive_format", format) &&
         find(handle_, "archive_filter_count", filter_count) &&
         find(handle_, "archive_entry_pathname", entry_pathname) && find(handle_, "archive_entry_filetype", entry_filetype) &&
         find(handle_, "archive_entry_mtime", entry_mtime);
}

bool ArchiveLibrary::support_all(archive* reader) const {
  bool any = false;
  for (const char* name : {"archive_read_support_filter_gzip", "archive_read_support_filter_bzip2", "archive_read_support_filter_xz",
                           "archive_read_support_filter_lzma", "archive_read_support_filter_zstd", "archive_read_support_filter_lz4",
                           "archive_read_support_filter_compress", "archive_read_support_format_tar", "archive_read_support_format_zip",
                           "archive_read_support_format_7zip", "archive_read_support_format_cpio", "archive_read_support_format_raw"}) {
    int (*support)(archive*) = nullptr;
    if (find(handle_, name, support)) any |= support(reader) == ARCHIVE_OK;
  }
  return any;
}

const ArchiveLibrary* ArchiveLibrary::load(std::string& why) {
  static const ArchiveLibrary library = [] {
    ArchiveLibrary loaded{};
    loaded.handle_ = ::dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (loaded.handle_ != nullptr && !loaded.find_all()) loaded.handle_ = nullptr;
    return loaded;
  }();
  if (library.handle_ != nullptr) return &library;
  why = "libarchive.so.13 is not installed; unpack it yourself, or install Debian's libarchive13";
  return nullptr;
}

}  // namespace forensics
