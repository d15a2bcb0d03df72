// The reader of syslog in JSON lines, for the format table.
#pragma once

#include <memory>
#include <string_view>

#include "read/reader.h"

namespace forensics {

int sniff_syslog_json(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_syslog_json(ByteSource& bytes, SourceContext& context);

}  // namespace forensics
