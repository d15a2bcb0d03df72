#include "output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "forensics/event.h"

namespace why_died {

bool print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return false;
    } else if (errno != EINTR) {
      throw OutputError(std::generic_category().message(errno));
    }
  }
  return true;
}

std::string shaped(const forensics::Error& error, std::string_view level) {
  using forensics::show;
  std::string out = "why-died: " + std::string(level) + ": ";
  out += error.where().empty() ? show(error.reason()) : show(error.where()) + "\n  reason: " + show(error.reason());
  if (!error.hint().empty()) out += "\n  hint:   " + show(error.hint());
  return out + '\n';
}

void complain(const forensics::Error& error, std::string_view level) {
  const std::string text = shaped(error, level);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace why_died
