// sd-journal refuses memory files and files without a name, and a file that is shorter than its header says gives no
// entry at all: hence the named copy, extended, opened and then unlinked.
#include "collect/native_journal.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "collect/journal_copy.h"
#include "collect/journal_reader.h"

namespace forensics {

namespace {

Journal open_file(const std::string& path, int& error) {
  const std::array<const char*, 2> paths = {path.c_str(), nullptr};
  sd_journal* journal = nullptr;
  error = -::sd_journal_open_files(&journal, const_cast<const char**>(paths.data()), 0);
  return Journal(journal);
}

Journal open_live(const std::string& folder, int& error) {
  sd_journal* journal = nullptr;
  error = -(folder.empty() ? ::sd_journal_open(&journal, SD_JOURNAL_LOCAL_ONLY)
                           : ::sd_journal_open_directory(&journal, folder.c_str(), 0));
  return Journal(journal);
}

bool wanted(std::string_view identifier, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.ends_with('*') ? identifier.starts_with(std::string_view(name).substr(0, name.size() - 1)) : identifier == name;
  });
}

/// Terms of one field are alternatives already; the disjunction joins different fields.
void match(sd_journal* journal, const std::string& term) { ::sd_journal_add_match(journal, term.data(), term.size()); }

void add_matches(sd_journal* journal, const std::vector<std::string>& names) {
  std::vector<std::string> identifiers;
  const void* data = nullptr;
  std::size_t size = 0;
  ::sd_journal_query_unique(journal, "SYSLOG_IDENTIFIER");
  SD_JOURNAL_FOREACH_UNIQUE(journal, data, size) {
    const std::string_view term(static_cast<const char*>(data), size);
    if (term.size() > 18 && wanted(term.substr(18), names)) identifiers.emplace_back(term);
  }
  match(journal, "_TRANSPORT=kernel");
  match(journal, "_TRANSPORT=audit");
  if (identifiers.empty()) return;
  ::sd_journal_add_disjunction(journal);
  for (const std::string& term : identifiers) match(journal, term);
}

/// The system's journal is there, and not for us: then sd-journal opens without a word and shows only our own entries.
bool system_journal_closed(const std::string& folder) {
  std::vector<std::filesystem::path> roots;
  if (folder.empty()) roots = {"/var/log/journal", "/run/log/journal"};
  else roots = {folder};
  bool closed = false;
  for (const auto& root : roots) {
    std::error_code error;
    std::filesystem::recursive_directory_iterator it(root, error), end;
    if (error == std::errc::permission_denied) closed = true;
    for (; !error && it != end; it.increment(error)) {
      const std::string name = it->path().filename();
      if (!name.starts_with("system") || !name.ends_with(".journal")) continue;
      if (::access(it->path().c_str(), R_OK) == 0) return false;
      closed = true;
    }
  }
  return closed;
}

std::optional<RealTime> oldest(sd_journal* journal) {
  std::uint64_t from = 0, to = 0;
  if (::sd_journal_get_cutoff_realtime_usec(journal, &from, &to) <= 0) return {};
  return RealTime(std::chrono::microseconds(from));
}

struct Copy {
  Journal walk, find;
  JournalHeader header;
};

std::optional<Copy> open_copy(const std::filesystem::path& path, const std::string& name, Pipeline& pipeline) {
  TemporaryFile file(".journal");
  Copy copy;
  if (!copy_journal(path, name, file, copy.header, pipeline)) return {};
  int error = 0;
  copy.walk = open_file(file.path(), error);
  if (copy.walk) copy.find = open_file(file.path(), error);
  file.unlink();
  if (copy.walk && copy.find) return copy;
  const std::string reason = error == EPROTONOSUPPORT ? "it needs a newer libsystemd than this machine has" : std::strerror(error);
  pipeline.diagnose({name, 0, error == EPROTONOSUPPORT ? "journal-unsupported" : "journal-damaged",
                     "the journal cannot be opened: " + reason, std::max<std::uint64_t>(1, copy.header.entries)});
  return {};
}

void seek(sd_journal* journal, const std::optional<RealTime>& since) {
  if (!since) ::sd_journal_seek_head(journal);
  else ::sd_journal_seek_realtime_usec(journal, static_cast<std::uint64_t>(std::max<std::int64_t>(0, since->time_since_epoch().count())));
}

std::unique_ptr<Reader> read_all(Copy copy, SourceContext& context) {
  seek(copy.walk.get(), {});
  return std::make_unique<JournalReader>(std::move(copy.walk), std::move(copy.find), context,
                                         JournalReader::Options{copy.header.entries, true});
}

}  // namespace

void collect_native_journal(const std::filesystem::path& path, const std::string& name, Pipeline& pipeline,
                            std::shared_ptr<const void> file) {
  auto copy = open_copy(path, name, pipeline);
  if (!copy) return;
  const auto again = [path, name, file, &pipeline](SourceContext& context) -> std::unique_ptr<Reader> {
    auto opened = open_copy(path, name, pipeline);
    return opened ? read_all(std::move(*opened), context) : nullptr;
  };
  pipeline.add(name, "journal-native", Trust::kernel,
               [&](SourceContext& context) { return read_all(std::move(*copy), context); }, again);
}

LiveJournal collect_live_journal(const std::string& folder, std::optional<RealTime> since,
                                 const std::vector<std::string>& identifiers, Pipeline& pipeline) {
  LiveJournal result;
  int error = 0;
  Journal walk = open_live(folder, error);
  Journal find = walk ? open_live(folder, error) : nullptr;
  if (!walk || !find) {
    if (error != ENOENT) result.why = std::strerror(error);
    return result;
  }
  if (system_journal_closed(folder)) {
    result.why = "permission denied";
    return result;
  }
  result.from = oldest(walk.get());
  if (!result.from) return result;   // no entry at all
  add_matches(walk.get(), identifiers);
  seek(walk.get(), since);
  pipeline.add(folder.empty() ? "journal" : folder, "journal-native", Trust::kernel, [&](SourceContext& context) {
    return std::make_unique<JournalReader>(std::move(walk), std::move(find), context, JournalReader::Options{});
  });
  result.read = true;
  return result;
}

}  // namespace forensics
