// What daemons wrap their messages in, and who may be believed by its tag.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "forensics/event.h"

namespace forensics {

/// Programs whose own lines are a daemon's word, by the tag alone: Trust::daemon_text.
bool is_daemon_tag(std::string_view identifier);

/// time="..." level=info msg="text" key=value: the text, then " key=value" as printed; quotes' escapes are undone.
/// False if `text` is no such line.
bool unwrap_logfmt(std::string_view text, std::string& message, std::optional<int>& severity);
/// E0314 05:13:41.207716 30418 remote_runtime.go:479] "text" key="value": the text, then the rest.
bool unwrap_klog(std::string_view text, std::string& message, std::optional<int>& severity);

/// For an event whose message is still as the daemon wrote it: unwraps logfmt and klog where its identifier stands for a
/// program that writes so, and finds the container that the message is about.
void unwrap_daemon_message(Event& event);
/// The container that a daemon's message is about: container=, id=, else the first 64 hex digits; empty if none.
std::string_view container_in(std::string_view message);

/// Without terminal sequences, neither as bytes nor as the caret text "^[[1m".
std::string without_terminal_sequences(std::string_view text);
/// rsyslog's "#011" for a tab; "#033[1m" and other control characters go.
std::string without_octal_escapes(std::string_view text);
/// "\x5c" of /dev/kmsg.
std::string without_kmsg_escapes(std::string_view text);

}  // namespace forensics
