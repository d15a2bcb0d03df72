#include "collect/archive.h"

#include <unistd.h>

#include <array>
#include <memory>
#include <utility>

#include "collect/archive_library.h"

namespace forensics {

namespace {

using namespace std::string_view_literals;

class MemberSource final : public ByteSource {
 public:
  MemberSource(const ArchiveLibrary& library, archive* reader, std::string name, ArchiveBudget& budget, Pipeline& pipeline)
      : library_(library), reader_(reader), name_(std::move(name)), budget_(budget), pipeline_(pipeline) {}

  std::size_t read(char* out, std::size_t size) override {
    if (ended_) return 0;
    for (;;) {
      const la_ssize_t n = library_.read_data(reader_, out, size);
      if (n == ARCHIVE_RETRY) continue;
      if (n > 0 && static_cast<std::uint64_t>(n) <= budget_.bytes) {
        budget_.bytes -= static_cast<std::uint64_t>(n);
        return static_cast<std::size_t>(n);
      }
      ended_ = true;
      if (n > 0) budget_.bytes = 0;
      if (n < 0) pipeline_.diagnose({name_, 0, "archive-damaged", "read as far as it goes: " + reason(), 1});
      return 0;
    }
  }

 private:
  std::string reason() const {
    const char* text = library_.error_string(reader_);
    return text != nullptr ? show(text) : "its bytes make no sense";
  }

  const ArchiveLibrary& library_;
  archive* reader_;
  std::string name_;
  ArchiveBudget& budget_;
  Pipeline& pipeline_;
  bool ended_ = false;
};

/// What libarchive's read callback works on.
struct Feed {
  ByteSource& bytes;
  std::array<char, 64 * 1024> block;
};

la_ssize_t feed(archive*, void* data, const void** block) {
  auto& source = *static_cast<Feed*>(data);
  *block = source.block.data();
  return static_cast<la_ssize_t>(source.bytes.read(source.block.data(), source.block.size()));
}

class ArchiveReader {
 public:
  ArchiveReader(const ArchiveLibrary& library, const std::string& name, const std::string& inside, ArchiveBudget& budget, Pipeline& pipeline)
      : library_(library), name_(name), inside_(inside), budget_(budget), pipeline_(pipeline), reader_(library.read_new(), library.read_free) {}

  bool run(ByteSource& bytes, int fd, const TakeMember& take) {
    if (!reader_ || !library_.support_all(reader_.get())) return trouble("libarchive knows no format");
    const auto source = std::make_unique<Feed>(Feed{bytes, {}});
    const bool seekable = fd >= 0 && ::lseek(fd, 0, SEEK_SET) == 0;
    const int opened = seekable ? library_.read_open_fd(reader_.get(), fd, source->block.size())
                                : library_.read_open(reader_.get(), source.get(), nullptr, feed, nullptr);
    if (opened < ARCHIVE_WARN) return trouble(reason());
    while (archive_entry* entry = next()) {
      if (library_.entry_filetype(entry) != AE_IFREG) continue;
      if (raw() && library_.filter_count(reader_.get()) < 2) return trouble("it begins like an archive and is none");
      any_ = true;
      member(entry, take);
    }
    if (any_ || failed_) return any_;
    pipeline_.diagnose({name_, 0, "no-log", "an archive without a file", 1});
    return true;
  }

 private:
  archive_entry* next() {
    if (budget_.bytes == 0 || budget_.members == 0) {
      if (!std::exchange(budget_.reported, true))
        pipeline_.diagnose({name_, 0, "archive-too-large", "it decompresses to more than 64 GiB or a million files: the rest was not read", 1});
      return nullptr;
    }
    --budget_.members;
    archive_entry* entry = nullptr;
    int result = ARCHIVE_RETRY;
    for (int tries = 0; result == ARCHIVE_RETRY && tries < 8; ++tries) result = library_.read_next_header(reader_.get(), &entry);
    if (result == ARCHIVE_EOF) return nullptr;
    if (result >= ARCHIVE_WARN) return entry;
    trouble(any_ ? "the rest was not read: " + reason() : reason());
    return nullptr;
  }

  void member(archive_entry* entry, const TakeMember& take) {
    const bool only_compressed = raw();
    std::string path;
    std::optional<RealTime> newest;
    if (!only_compressed) {
      const char* text = library_.entry_pathname(entry);
      path = text != nullptr ? text : "(member without a readable name)";
      while (path.starts_with("./")) path.erase(0, 2);
      if (const auto time = library_.entry_mtime(entry); time > 0) newest = RealTime(std::chrono::seconds(time));
    }
    MemberSource bytes(library_, reader_.get(), only_compressed ? name_ : inside_ + path, budget_, pipeline_);
    take(path, bytes, newest);
  }

  /// No archive, but one file: what its compressions leave.
  bool raw() const {
    return (library_.format(reader_.get()) & ARCHIVE_FORMAT_BASE_MASK) == (ARCHIVE_FORMAT_RAW & ARCHIVE_FORMAT_BASE_MASK);
  }

  std::string reason() const {
    const char* text = library_.error_string(reader_.get());
    return text != nullptr ? show(text) : "its bytes make no sense";
  }

  /// Nothing is lost in silence; an archive of which nothing came is like a file that cannot be opened.
  bool trouble(const std::string& message) {
    failed_ = true;
    pipeline_.diagnose({name_, 0, any_ ? "archive-damaged" : "unreadable", message, 1});
    return any_;
  }

  const ArchiveLibrary& library_;
  const std::string &name_, &inside_;
  ArchiveBudget& budget_;
  Pipeline& pipeline_;
  std::unique_ptr<archive, decltype(&::archive_read_free)> reader_;
  bool any_ = false, failed_ = false;
};

}  // namespace

bool looks_like_archive(std::string_view head) {
  for (const std::string_view magic : {"\x1f\x8b"sv, "\x1f\x9d"sv, "BZh"sv, "\xfd\x37zXZ\0"sv, "\x28\xb5\x2f\xfd"sv, "\x04\x22\x4d\x18"sv,
                                       "PK\x03\x04"sv, "7z\xbc\xaf\x27\x1c"sv})
    if (head.starts_with(magic)) return true;
  return head.size() >= 262 && head.substr(257, 5) == "ustar";
}

bool read_archive(const std::string& name, const std::string& inside, ByteSource& bytes, int fd, ArchiveBudget& budget, Pipeline& pipeline, const TakeMember& take) {
  std::string why;
  const ArchiveLibrary* library = ArchiveLibrary::load(why);
  if (library != nullptr) return ArchiveReader(*library, name, inside, budget, pipeline).run(bytes, fd, take);
  pipeline.diagnose({name, 0, "unreadable", why, 1});
  return false;
}

}  // namespace forensics
