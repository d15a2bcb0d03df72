// Which lines an OOM report consists of.
#pragma once

#include <cstddef>
#include <string_view>

namespace forensics {

inline constexpr std::string_view oom_group_set = "are going to be killed due to memory.oom.group set";
inline constexpr std::string_view oom_by_limit = "killed as a result of limit of ";

bool oom_opens(std::string_view message);
bool oom_belongs(std::string_view message, std::size_t count);
bool oom_closes(std::string_view message);

/// A piece from the middle of a report, whose beginning is cut off: nothing else prints these lines.
bool is_middle_of_oom(std::string_view message);

/// A report that ends without a kill: the word for it, or nothing.
std::string_view oom_without_kill(std::string_view message);

}  // namespace forensics
