#include "forensics/event.h"

#include <fmt/format.h>

namespace forensics {

std::string_view to_string(Severity s) noexcept {
  constexpr std::string_view words[] = {"emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"};
  return words[static_cast<unsigned>(s) & 7];
}

std::string_view to_string(ClockQuality c) noexcept {
  constexpr std::string_view words[] = {"none", "inferred", "exact"};
  return words[static_cast<unsigned>(c) % 3];
}

std::string_view to_string(Trust t) noexcept {
  constexpr std::string_view words[] = {"claimed", "daemon-text", "daemon", "kernel-text", "kernel"};
  return words[static_cast<unsigned>(t) % 5];
}

std::string to_string(RealTime t) {
  using namespace std::chrono;
  const auto day = floor<days>(t);
  const year_month_day ymd{day};
  const hh_mm_ss hms{floor<milliseconds>(t - day)};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(ymd.year()), static_cast<unsigned>(ymd.month()),
                     static_cast<unsigned>(ymd.day()), hms.hours().count(), hms.minutes().count(), hms.seconds().count(),
                     hms.subseconds().count());
}

namespace {

/// Length of the valid UTF-8 sequence at `s` that may be shown; 0 if there is none. C1 controls, surrogates, overlong
/// forms and the characters that reorder or hide text (bidi controls, zero width) are refused.
std::size_t printable_utf8(std::string_view s) {
  const auto b = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (b(i) & 0xC0) == 0x80; };
  char32_t c = 0;
  std::size_t n = 0;
  if (b(0) >= 0xC2 && b(0) <= 0xDF && tail(1)) {
    n = 2, c = (b(0) & 0x1F) << 6 | (b(1) & 0x3F);
  } else if ((b(0) & 0xF0) == 0xE0 && tail(1) && tail(2)) {
    n = 3, c = (b(0) & 0x0F) << 12 | (b(1) & 0x3F) << 6 | (b(2) & 0x3F);
    if (c < 0x800 || (c >= 0xD800 && c <= 0xDFFF)) return 0;
  } else if (b(0) >= 0xF0 && b(0) <= 0xF4 && tail(1) && tail(2) && tail(3)) {
    n = 4, c = (b(0) & 0x07) << 18 | (b(1) & 0x3F) << 12 | (b(2) & 0x3F) << 6 | (b(3) & 0x3F);
    if (c < 0x10000 || c > 0x10FFFF) return 0;
  } else {
    return 0;
  }
  const bool hidden = c < 0xA0 || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
                      (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
  return hidden ? 0 : n;
}

}  // namespace

std::string show(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const auto c = static_cast<unsigned char>(bytes[i]);
    if (c == '\t') {
      out += ' ';
      ++i;
    } else if (c >= 0x20 && c < 0x7F) {
      out += bytes[i++];
    } else if (const std::size_t n = c < 0x80 ? 0 : printable_utf8(bytes.substr(i)); n > 0) {
      out += bytes.substr(i, n);
      i += n;
    } else {
      out += fmt::format("\\x{:02x}", c);
      ++i;
    }
  }
  return out;
}

}  // namespace forensics
