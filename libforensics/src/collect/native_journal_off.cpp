// A build without libsystemd.
#include "collect/native_journal.h"

namespace forensics {

void collect_native_journal(const std::filesystem::path&, const std::string& name, Pipeline& pipeline) {
  pipeline.diagnose({name, 0, "journal-unsupported",
                     "this build cannot read native journal files (FORENSICS_WITH_JOURNAL is off); give it journalctl -o export", 1});
}

LiveJournal collect_live_journal(const std::string&, std::optional<RealTime>, const std::vector<std::string>&, Pipeline&) {
  LiveJournal result;
  result.why = "this build cannot read the journal (FORENSICS_WITH_JOURNAL is off)";
  return result;
}

}  // namespace forensics
