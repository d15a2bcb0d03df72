// A journal entry's message on its way through a batch. What a daemon wrapped it in (logfmt, klog) is undone, so that
// the same entry says the same in a journal and in a syslog file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "forensics/event.h"

namespace forensics {

/// Appends one line of a message and '\n', as append_message() does. If escaped quotes hide something of it, what they
/// hide stands behind a '\n' in the same record, for the scan. Returns the record's length.
std::uint32_t append_journal_message(std::string& text, std::string_view line);

/// Sets message and text from what append_journal_message() appended, and severity and container from what the daemon
/// wrapped it in. The identifier must be set.
void read_journal_message(std::string_view record, Event& event);

}  // namespace forensics
