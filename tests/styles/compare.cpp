#include "compare.h"

#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>

namespace forensics::styles {

namespace {

constexpr std::int64_t second = 1'000'000, minute = 60 * second, day = 86'400 * second;
/// Of several thousand records that all differ for one reason, a few tell it.
constexpr int most_reports = 12;

bool by_kernel(const Event& event) { return event.trust == Trust::kernel || event.trust == Trust::kernel_text; }

std::int64_t floored(std::int64_t us, std::int64_t unit) { return us - ((us % unit) + unit) % unit; }

/// Styles that print a wall clock worked out from the time since boot: the difference of the two, from the first
/// record.
struct Offset {
  std::optional<std::int64_t> at;
  bool fits(std::int64_t wall, std::int64_t monotonic, std::int64_t precision) {
    if (!at) at = wall - monotonic;
    // Both stamps are cut to the precision, so their difference may be off by one unit in each direction.
    return std::abs(wall - monotonic - *at) <= (precision == 1 ? 1 : precision);
  }
};

class Comparison {
 public:
  Comparison(const Style& style, const Reading& reading) : style_(style), reading_(reading) {}

  void run(const std::vector<Expected>& expected) {
    std::size_t e = 0;
    for (at_ = 0; at_ < reading_.said.size() && reports_ < most_reports; ++at_, ++e) {
      if (style_.cuts_records)
        while (e > 0 && e < expected.size() && expected[e].monotonic == expected[e - 1].monotonic &&
               expected[e].message != reading_.said[at_].event.message)
          ++e;
      if (e == expected.size()) break;
      one(expected[e], reading_.said[at_]);
    }
    if (reports_ >= most_reports) return;
    if (at_ < reading_.said.size()) FAIL_CHECK(reading_.name << ": one too many: " << reading_.said[at_].event.text);
    if (e < expected.size()) FAIL_CHECK(reading_.name << ": missing: " << expected[e].message);
  }

 private:
  void one(const Expected& e, const Said& s) {
    if (s.event.message != e.message) {  // most likely the wrong record: nothing else of it says anything
      reports_ += 3;
      return text("message", s.event.message, e.message);
    }
    if (style_.tags) {
      if (!style_.unit || e.kernel) text("identifier", s.event.identifier, e.identifier);
      number("pid", s.event.pid, e.pid);
      if (!e.host.empty()) text("host", s.event.host, e.host);
      require(by_kernel(s.event) == e.kernel, s, "trust is " + std::string(to_string(s.event.trust)));
    }
    if (style_.severity && !e.severity_lost) require(s.event.severity == e.severity, s, "severity");
    if (style_.facility) number("facility", s.event.facility, e.facility);
    time(e, s);
  }

  void time(const Expected& e, const Said& s) {
    const Stamp& stamp = s.stamp;
    switch (style_.clock) {
      case Clock::none:
        return require(!stamp.wall && !stamp.monotonic, s, "a time out of nothing");
      case Clock::boot:
        return number("time since boot", stamp.monotonic, e.monotonic);
      case Clock::relative:
        return relative(e, s);
      default:
        break;
    }
    if (!stamp.wall) return require(false, s, "no time");
    const Stamp::Wall kind = style_.clock == Clock::utc     ? Stamp::Wall::utc
                             : style_.clock == Clock::local ? Stamp::Wall::local
                                                            : Stamp::Wall::no_year;
    require(stamp.kind == kind, s, "kind of clock");
    require(stamp.precision == style_.precision, s, "precision " + std::to_string(stamp.precision));
    if (!e.wall) return require(offset_.fits(*stamp.wall, *e.monotonic, style_.precision), s, "time");
    const std::int64_t wall = style_.clock == Clock::no_year ? without_year(*e.wall) : *e.wall;
    number("time", stamp.wall, floored(wall, style_.precision));
  }

  /// The difference to the record before is exact, unless a new minute was printed.
  void relative(const Expected& e, const Said& s) {
    if (!s.stamp.wall) return require(!before_, s, "no time");
    const bool anchor = *s.stamp.wall % minute == 0;
    const std::int64_t since =
        before_monotonic_ == 0 ? 0 : *e.monotonic - before_monotonic_;  // dmesg takes 0 for "none"
    if (before_ && !anchor) number("time since the record before", *s.stamp.wall - *before_, since);
    if (before_ && anchor) require(*s.stamp.wall - *before_ < *e.monotonic - before_monotonic_ + minute, s, "minute");
    require(s.stamp.kind == Stamp::Wall::no_year && s.stamp.precision == minute, s, "kind of clock");
    before_ = s.stamp.wall;
    before_monotonic_ = *e.monotonic;
  }

  static std::string head(const std::string& text) { return show(text.substr(0, 400)); }
  void text(const char* what, const std::string& is, const std::string& should) {
    require(is == should, reading_.said[at_],
            std::string(what) + " is\n  " + head(is) + "\n  instead of\n  " + head(should));
  }
  void number(const char* what, std::optional<std::int64_t> is, std::optional<std::int64_t> should) {
    const auto word = [](std::optional<std::int64_t> n) { return n ? std::to_string(*n) : std::string("none"); };
    require(is == should, reading_.said[at_], std::string(what) + " is " + word(is) + " instead of " + word(should));
  }
  void require(bool good, const Said& s, const std::string& what) {
    if (good) return;
    ++reports_;
    FAIL_CHECK(reading_.name << ":" << s.event.where.line << ": " << what << "\n  of " << s.event.text.substr(0, 200));
  }

  const Style& style_;
  const Reading& reading_;
  std::size_t at_ = 0;
  int reports_ = 0;
  Offset offset_;
  std::optional<std::int64_t> before_;
  std::int64_t before_monotonic_ = 0;
};

}  // namespace

std::int64_t without_year(std::int64_t utc) {
  using namespace std::chrono;
  const auto days = floor<std::chrono::days>(sys_time<microseconds>(microseconds(utc)));
  const year_month_day date(days);
  const std::int64_t time = utc - sys_time<microseconds>(days).time_since_epoch().count();
  return sys_time<microseconds>(sys_days(year(2000) / date.month() / date.day())).time_since_epoch().count() + time;
}

Expected expected_of(const Said& richest) {
  Expected e;
  e.message = richest.event.message;
  e.identifier = richest.event.identifier;
  e.host = richest.event.host;
  e.pid = richest.event.pid;
  e.monotonic = richest.stamp.monotonic;
  if (richest.stamp.kind == Stamp::Wall::utc) e.wall = richest.stamp.wall;
  e.severity = richest.event.severity;
  e.facility = richest.event.facility;
  e.kernel = by_kernel(richest.event);
  return e;
}

void compare(const Style& style, const Reading& reading, const std::vector<Expected>& expected) {
  CHECK_MESSAGE(reading.format == style.format, reading.name);
  CHECK_MESSAGE(
      reading.context.diagnostics.empty(),
      reading.name << ": "
                   << (reading.context.diagnostics.empty() ? std::string{} : reading.context.diagnostics[0].message));
  Comparison(style, reading).run(expected);
}

}  // namespace forensics::styles
