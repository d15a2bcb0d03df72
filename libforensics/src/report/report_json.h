// A report as a JSON value, for what wraps one (a bare exit status). Everything else calls write_json.
#pragma once

#include <nlohmann/json.hpp>

#include "forensics/verdict.h"

namespace forensics {

nlohmann::ordered_json report_json(const Report& report);

}  // namespace forensics
