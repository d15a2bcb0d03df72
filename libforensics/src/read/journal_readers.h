// The readers of the journal in text form, for the format table.
#pragma once

#include <memory>
#include <string_view>

#include "read/reader.h"

namespace forensics {

int sniff_journal_export(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_journal_export(ByteSource& bytes, SourceContext& context);

int sniff_journal_json(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_journal_json(ByteSource& bytes, SourceContext& context);

int sniff_journal_verbose(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_journal_verbose(ByteSource& bytes, SourceContext& context);

}  // namespace forensics
