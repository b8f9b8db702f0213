// Dates as numbers: seconds since 1970-01-01 00:00:00 UTC, in the proleptic Gregorian calendar.
//
//   DatePattern iso("yyyy-MM-dd'T'HH:mm:ss");
//   iso.parse("1970-01-02T00:00:01");     // 86401
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gradus::io {

struct CivilTime {
  int year = 1970;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int millisecond = 0;
};

// Nothing when a field is out of its range (month 13, February 30, hour 24).
std::optional<double> seconds_since_epoch(const CivilTime& time);

// A date pattern of the letters y M d H m s S (as in Java's SimpleDateFormat), with literal text
// between them, in '…' when it has letters. A run of n letters reads n digits or more while the
// next pattern character is no letter, else exactly n.
class DatePattern {
 public:
  // Error{bad_data} without a place for a letter that is not supported.
  explicit DatePattern(std::string_view pattern);
  std::optional<double> parse(std::string_view text) const;

 private:
  struct Piece {
    char field = 0;  // 0: literal
    std::size_t width = 0;
    bool exact = false;
    std::string literal = {};
  };
  std::vector<Piece> pieces_;
};

}  // namespace gradus::io
