// The last few seconds of the merged timeline, in which one record of several sources becomes one.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "forensics/walk.h"

namespace forensics {

class WitnessWindow {
 public:
  struct Entry {
    TimelineRecord record;
    std::int64_t at = 0, precision = 1;
  };

  /// Joins it to the first equal record that its source is not yet a witness of, else keeps it.
  void add(Entry entry);
  /// Takes out the oldest if it is too old for a witness to come, or if `all`; false if there is none.
  bool take(bool all, TimelineRecord& record);

 private:
  /// The entries of one text, in order.
  struct Same {
    std::deque<std::uint64_t> numbers;
    std::map<std::uint32_t, std::uint64_t> next;   ///< source -> the first entry that it may still be a witness of
  };

  static bool same_moment(const Entry& a, const Entry& b);
  /// The entry that it is a witness of; nullptr if it is new.
  Entry* known(const Same& same, const Entry& entry, std::uint64_t& number);
  static void join(Entry& known, Entry entry);

  std::deque<Entry> entries_;
  std::uint64_t first_ = 0;               ///< number of entries_.front()
  std::int64_t newest_ = 0;
  std::unordered_map<std::string, Same> same_;
};

}  // namespace forensics
