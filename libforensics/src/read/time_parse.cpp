#include "read/time_parse.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace forensics {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
/// Letters, and every byte of a letter that is not ASCII.
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80; }

struct MonthName {
  std::string_view name;
  unsigned month;
};

/// What `date +%b` and `date +%B` print, lower case where a locale prints it so. Sorted by nothing: the list is short
/// and only looked at when the English names do not fit.
constexpr MonthName localized[] = {
    // German
    {"Jän", 1}, {"Januar", 1}, {"Februar", 2}, {"Mär", 3}, {"März", 3}, {"Mai", 5}, {"Juni", 6}, {"Juli", 7},
    {"Okt", 10}, {"Oktober", 10}, {"Dez", 12}, {"Dezember", 12},
    // French
    {"janv", 1}, {"janvier", 1}, {"févr", 2}, {"février", 2}, {"fév", 2}, {"mars", 3}, {"avril", 4}, {"avr", 4},
    {"mai", 5}, {"juin", 6}, {"juil", 7}, {"juillet", 7}, {"août", 8}, {"aout", 8}, {"sept", 9}, {"septembre", 9},
    {"octobre", 10}, {"novembre", 11}, {"déc", 12}, {"décembre", 12},
    // Spanish, Portuguese, Catalan, Italian
    {"ene", 1}, {"enero", 1}, {"jan", 1}, {"janeiro", 1}, {"gen", 1}, {"gener", 1}, {"gennaio", 1}, {"feb", 2}, {"febrero", 2},
    {"fev", 2}, {"fevereiro", 2}, {"febbraio", 2}, {"mar", 3}, {"marzo", 3}, {"março", 3}, {"març", 3}, {"abr", 4}, {"abril", 4},
    {"apr", 4}, {"aprile", 4}, {"may", 5}, {"mayo", 5}, {"maio", 5}, {"maig", 5}, {"mag", 5}, {"maggio", 5}, {"jun", 6},
    {"junio", 6}, {"junho", 6}, {"giu", 6}, {"giugno", 6}, {"jul", 7}, {"julio", 7}, {"julho", 7}, {"lug", 7}, {"luglio", 7},
    {"ago", 8}, {"agosto", 8}, {"agost", 8}, {"sep", 9}, {"set", 9}, {"septiembre", 9}, {"setembro", 9}, {"settembre", 9},
    {"oct", 10}, {"octubre", 10}, {"out", 10}, {"outubro", 10}, {"ott", 10}, {"ottobre", 10}, {"nov", 11},
    {"noviembre", 11}, {"novembro", 11}, {"dic", 12}, {"diciembre", 12}, {"dez", 12}, {"dezembro", 12},
    {"dicembre", 12},
    // Dutch, Danish, Norwegian, Swedish
    {"januari", 1}, {"januar", 1}, {"februari", 2}, {"februar", 2}, {"mrt", 3}, {"maart", 3}, {"marts", 3}, {"april", 4},
    {"mei", 5}, {"maj", 5}, {"juni", 6}, {"juli", 7}, {"aug", 8}, {"augustus", 8}, {"august", 8}, {"augusti", 8},
    {"september", 9}, {"okt", 10}, {"oktober", 10}, {"november", 11}, {"des", 12}, {"desember", 12}, {"dec", 12},
    {"december", 12},
    // Polish, Czech
    {"sty", 1}, {"stycznia", 1}, {"lut", 2}, {"kwi", 4}, {"maja", 5}, {"cze", 6}, {"lip", 7}, {"sie", 8}, {"wrz", 9},
    {"paź", 10}, {"lis", 11}, {"gru", 12}, {"led", 1}, {"úno", 2}, {"bře", 3}, {"dub", 4}, {"kvě", 5}, {"čen", 6},
    {"čec", 7}, {"srp", 8}, {"zář", 9}, {"říj", 10}, {"pro", 12},
    // Turkish, Hungarian, Finnish
    {"Oca", 1}, {"Şub", 2}, {"Nis", 4}, {"Haz", 6}, {"Tem", 7}, {"Ağu", 8}, {"Eyl", 9}, {"Eki", 10}, {"Kas", 11},
    {"Ara", 12}, {"márc", 3}, {"ápr", 4}, {"máj", 5}, {"jún", 6}, {"júl", 7}, {"szept", 9}, {"tammi", 1},
    {"helmi", 2}, {"maalis", 3}, {"huhti", 4}, {"touko", 5}, {"kesä", 6}, {"heinä", 7}, {"elo", 8}, {"syys", 9},
    {"loka", 10}, {"marras", 11}, {"joulu", 12},
    // Russian, Ukrainian
    {"янв", 1}, {"января", 1}, {"фев", 2}, {"февр", 2}, {"февраля", 2}, {"мар", 3}, {"марта", 3}, {"апр", 4},
    {"апреля", 4}, {"мая", 5}, {"май", 5}, {"июн", 6}, {"июня", 6}, {"июл", 7}, {"июля", 7}, {"авг", 8},
    {"августа", 8}, {"сен", 9}, {"сент", 9}, {"сентября", 9}, {"окт", 10}, {"октября", 10}, {"ноя", 11},
    {"нояб", 11}, {"ноября", 11}, {"дек", 12}, {"декабря", 12}, {"січ", 1}, {"лют", 2}, {"бер", 3}, {"кві", 4},
    {"тра", 5}, {"чер", 6}, {"лип", 7}, {"сер", 8}, {"вер", 9}, {"жов", 10}, {"лис", 11}, {"гру", 12}};

std::optional<unsigned> english(std::string_view word) {
  constexpr std::array<std::string_view, 12> months = {"January", "February", "March",     "April",   "May",      "June",
                                                       "July",    "August",   "September", "October", "November", "December"};
  if (word.size() < 3) return std::nullopt;
  for (unsigned m = 0; m < 12; ++m)
    if (word == months[m] || word == months[m].substr(0, 3)) return m + 1;
  return word == "Sept" ? std::optional(9u) : std::nullopt;
}

/// "3月", "12월": the East Asian locales number their months.
std::optional<unsigned> take_numbered_month(std::string_view& rest) {
  std::string_view probe = rest;
  const auto number = take_number(probe);
  if (!number || *number < 1 || *number > 12) return std::nullopt;
  if (!probe.starts_with("月") && !probe.starts_with("월")) return std::nullopt;
  probe.remove_prefix(3);
  rest = probe;
  return static_cast<unsigned>(*number);
}

}  // namespace

std::optional<int> take_digits(std::string_view& rest, std::size_t count) {
  if (rest.size() < count) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!digit(rest[i])) return std::nullopt;
    value = value * 10 + (rest[i] - '0');
  }
  rest.remove_prefix(count);
  return value;
}

std::optional<std::int64_t> take_number(std::string_view& rest) {
  std::int64_t value = 0;
  std::size_t n = 0;
  while (n < rest.size() && digit(rest[n])) {
    if (n == 18) return std::nullopt;
    value = value * 10 + (rest[n++] - '0');
  }
  if (n == 0) return std::nullopt;
  rest.remove_prefix(n);
  return value;
}

bool take_char(std::string_view& rest, char c) {
  if (rest.empty() || rest.front() != c) return false;
  rest.remove_prefix(1);
  return true;
}

std::size_t take_blanks(std::string_view& rest) {
  std::size_t n = 0;
  while (n < rest.size() && (rest[n] == ' ' || rest[n] == '\t')) ++n;
  rest.remove_prefix(n);
  return n;
}

std::optional<unsigned> take_month(std::string_view& rest) {
  if (!rest.empty() && digit(rest.front())) return take_numbered_month(rest);
  std::size_t n = 0;
  while (n < rest.size() && n < 24 && letter(rest[n])) ++n;
  const std::string_view word = rest.substr(0, n);
  std::optional<unsigned> month = english(word);
  if (!month && n >= 3) {
    const auto* found = std::find_if(std::begin(localized), std::end(localized), [&](const MonthName& m) { return m.name == word; });
    if (found != std::end(localized)) month = found->month;
  }
  if (!month) return std::nullopt;
  rest.remove_prefix(n);
  take_char(rest, '.');
  return month;
}

bool take_weekday(std::string_view& rest) {
  std::size_t n = 0;
  while (n < rest.size() && n < 24 && letter(rest[n])) ++n;
  if (n < 2 || n >= 24) return false;
  if (n < rest.size() && (rest[n] == '.' || rest[n] == ',')) ++n;
  rest.remove_prefix(n);
  return true;
}

std::optional<TimeOfDay> take_time_of_day(std::string_view& rest) {
  if (rest.size() < 8 || rest[2] != ':' || rest[5] != ':') return std::nullopt;
  const auto two = [&](std::size_t i) { return digit(rest[i]) && digit(rest[i + 1]) ? (rest[i] - '0') * 10 + (rest[i + 1] - '0') : 99; };
  const int hour = two(0), minute = two(3), second = two(6);
  if (hour > 23 || minute > 59 || second > 60) return std::nullopt;
  if (rest.size() > 8 && digit(rest[8])) return std::nullopt;
  TimeOfDay time{((hour * 60 + minute) * 60 + second) * std::int64_t{1'000'000}, 1'000'000};
  rest.remove_prefix(8);
  if (rest.size() < 2 || (rest[0] != '.' && rest[0] != ',') || !digit(rest[1])) return time;
  std::size_t n = 1;
  for (; n < rest.size() && n <= 9 && digit(rest[n]); ++n) {
    if (time.precision == 1) continue;
    time.precision /= 10;
    time.micros += (rest[n] - '0') * time.precision;
  }
  rest.remove_prefix(n);
  return time;
}

std::optional<int> take_zone(std::string_view& rest) {
  if (take_char(rest, 'Z')) return 0;
  if (rest.size() < 3 || (rest[0] != '+' && rest[0] != '-')) return std::nullopt;
  std::string_view probe = rest.substr(1);
  const auto hour = take_digits(probe, 2);
  if (!hour || *hour > 15) return std::nullopt;
  std::string_view with_minutes = probe;
  take_char(with_minutes, ':');
  const auto minute = take_digits(with_minutes, 2);
  if (minute && *minute < 60) probe = with_minutes;
  const int minutes = *hour * 60 + (minute && *minute < 60 ? *minute : 0);
  const bool west = rest[0] == '-';
  rest = probe;
  return west ? -minutes : minutes;
}

std::optional<Stamp> take_iso_stamp(std::string_view& rest) {
  std::string_view probe = rest;
  const auto year = take_digits(probe, 4);
  if (!year || probe.empty() || (probe[0] != '-' && probe[0] != '/')) return std::nullopt;
  const char separator = probe[0];
  probe.remove_prefix(1);
  const auto month = take_digits(probe, 2);
  if (!month || !take_char(probe, separator)) return std::nullopt;
  const auto day = take_digits(probe, 2);
  if (!day || (!take_char(probe, 'T') && !take_char(probe, ' '))) return std::nullopt;
  const auto time = take_time_of_day(probe);
  if (!time) return std::nullopt;
  const auto date = date_micros(*year, static_cast<unsigned>(*month), static_cast<unsigned>(*day));
  if (!date) return std::nullopt;
  Stamp stamp = wall_stamp(*date, *time, Stamp::Wall::local);
  if (const auto zone = take_zone(probe)) {
    stamp.kind = Stamp::Wall::utc;
    *stamp.wall -= std::int64_t{*zone} * 60'000'000;
  } else if (probe.starts_with(" UTC") && (probe.size() == 4 || !letter(probe[4]))) {
    stamp.kind = Stamp::Wall::utc;
    probe.remove_prefix(4);
  }
  rest = probe;
  return stamp;
}

std::optional<std::int64_t> date_micros(int year, unsigned month, unsigned day) {
  namespace c = std::chrono;
  const c::year_month_day date{c::year(year), c::month(month), c::day(day)};
  if (!date.ok()) return std::nullopt;
  return std::int64_t{c::sys_days(date).time_since_epoch().count()} * 86'400'000'000;
}

Stamp wall_stamp(std::int64_t date, const TimeOfDay& time, Stamp::Wall kind) {
  Stamp stamp;
  stamp.wall = date + time.micros;
  stamp.kind = kind;
  stamp.precision = time.precision;
  return stamp;
}

}  // namespace forensics
