#include "read/rfc3339.h"

#include <array>
#include <chrono>

namespace forensics {
namespace {

/// Takes digits and signs off the front of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool digits(std::size_t count, int& value) {
    if (rest_.size() < count) return false;
    value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return false;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return true;
  }
  bool character(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view rest() const { return rest_; }

  /// .123456789 in µs; `precision` is what its last digit stands for, at least 1 µs.
  bool fraction(std::int64_t& micros, std::int64_t& precision) {
    micros = 0, precision = 1'000'000;
    std::size_t count = 0;
    while (count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9') {
      if (count < 6) {
        precision /= 10;
        micros += (rest_[count] - '0') * precision;
      }
      ++count;
    }
    rest_.remove_prefix(count);
    return count > 0;
  }

  /// Z, +01:00, +0100, " +0100 CET", " UTC". False if there is something else; `found` if there is a zone at all.
  bool zone(int& minutes, bool& found) {
    minutes = 0, found = false;
    while (character(' ')) {}
    if (rest_.empty()) return true;
    found = true;
    if (rest_ == "Z" || rest_ == "UTC" || rest_ == "GMT") return true;
    const bool minus = rest_.starts_with('-');
    int hour = 0, minute = 0;
    if (!minus && !rest_.starts_with('+')) return false;
    rest_.remove_prefix(1);
    if (!digits(2, hour)) return false;
    character(':');
    if (!digits(2, minute) || hour > 15 || minute > 59) return false;
    minutes = (hour * 60 + minute) * (minus ? -1 : 1);
    return rest_.empty() || rest_.starts_with(' ');
  }

 private:
  std::string_view rest_;
};

std::optional<Stamp> finish(Cursor& cursor, int year, unsigned month, unsigned day, bool may_have_fraction) {
  int hour = 0, minute = 0, second = 0, zone = 0;
  std::int64_t micros = 0, precision = 1'000'000;
  bool zoned = false;
  if (!cursor.digits(2, hour) || !cursor.character(':') || !cursor.digits(2, minute) || !cursor.character(':') ||
      !cursor.digits(2, second))
    return std::nullopt;
  if (may_have_fraction && cursor.character('.') && !cursor.fraction(micros, precision)) return std::nullopt;
  if (!cursor.zone(zone, zoned)) return std::nullopt;
  const auto date = std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day);
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  Stamp stamp;
  stamp.wall = unix_microseconds(year, month, day, hour, minute, second) + micros - std::int64_t{zone} * 60'000'000;
  stamp.kind = zoned ? Stamp::Wall::utc : Stamp::Wall::local;
  stamp.precision = precision;
  return stamp;
}

}  // namespace

std::int64_t unix_microseconds(int year, unsigned month, unsigned day, int hour, int minute, int second) {
  using namespace std::chrono;
  const sys_days date = std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day);
  const auto time = date + hours(hour) + minutes(minute) + seconds(second);
  return duration_cast<microseconds>(time.time_since_epoch()).count();
}

std::optional<Stamp> parse_rfc3339(std::string_view text) {
  Cursor cursor(text);
  int year = 0, month = 0, day = 0;
  if (!cursor.digits(4, year) || !cursor.character('-') || !cursor.digits(2, month) || !cursor.character('-') ||
      !cursor.digits(2, day))
    return std::nullopt;
  if (!cursor.character('T') && !cursor.character(' ')) return std::nullopt;
  return finish(cursor, year, static_cast<unsigned>(month), static_cast<unsigned>(day), true);
}

std::optional<Stamp> parse_rfc1123(std::string_view text) {
  constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() < 5 || text.substr(3, 2) != ", ") return std::nullopt;
  Cursor cursor(text.substr(5));
  int day = 0, year = 0;
  if (!cursor.digits(2, day) || !cursor.character(' ')) return std::nullopt;
  unsigned month = 0;
  while (month < months.size() && !cursor.rest().starts_with(months[month])) ++month;
  if (month == months.size()) return std::nullopt;
  for (const char c : months[month]) cursor.character(c);
  if (!cursor.character(' ') || !cursor.digits(4, year) || !cursor.character(' ')) return std::nullopt;
  return finish(cursor, year, month + 1, static_cast<unsigned>(day), false);
}

std::optional<RealTime> moment(const std::optional<Stamp>& stamp) {
  constexpr std::int64_t day = 86'400'000'000;   // an unset time may be shifted by its zone
  if (!stamp || !stamp->wall || stamp->kind != Stamp::Wall::utc || *stamp->wall < day) return std::nullopt;
  return RealTime(std::chrono::microseconds(*stamp->wall));
}

}  // namespace forensics
