// Small words that several parts of the judge share: signals, disks, typed facts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "rules/rule.h"

namespace forensics {

/// "SIGKILL" for 9; empty for a number that is no signal.
std::string signal_name(int number);
/// From "9", "KILL", "SIGKILL", "9/KILL"; 0 if it is none.
int signal_number(std::string_view word);

/// The disk behind a partition, controller or path, so that they compare equal: /dev/mmcblk0p2, mmcblk0boot0, mmc0:aaaa
/// and mmc0 are "mmc0"; sda2 is "sda"; nvme0n1p1 is "nvme0". Others are returned as they are, without /dev/.
std::string disk_of(std::string_view device);

/// A value as text (numbers in decimal, true or false); empty if absent.
std::string text_of(const Values& values, std::string_view name);
/// A value as a number, also from digits in a text.
std::optional<std::int64_t> number_of(const Values& values, std::string_view name);

/// Words as a person says them: 536870912 is "512 MiB".
std::string bytes_text(std::int64_t bytes);

}  // namespace forensics
