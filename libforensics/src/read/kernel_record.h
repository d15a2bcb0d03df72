// Who wrote a record of the kernel's ring buffer: the kernel, or a program that writes to /dev/kmsg.
#pragma once

#include <optional>
#include <string_view>

#include "forensics/event.h"

namespace forensics {

/// Fills identifier, pid, message and trust (`best`, if the kernel said it) of an event whose facility and severity are
/// set. `facility` is empty where the style does not print it: then only systemd, which writes there until journald
/// runs, is told from the kernel, and what looks like a severity (`dmesg -r` and `--json` or the facility into it) is
/// taken away.
void describe_kernel_record(std::string_view message, std::optional<int> facility, Trust best, Event& event);

/// What kernels print behind "comm[pid]: ", which looks like a program's own tag: "prog[18976]: segfault at 10 ip ...".
bool kernel_about_process(std::string_view message);

}  // namespace forensics
