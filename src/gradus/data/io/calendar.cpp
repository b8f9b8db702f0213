#include "gradus/data/io/calendar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus::io {
namespace {

constexpr std::string_view kFields = "yMdHmsS";
constexpr std::size_t kMaxDigits = 8;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int& field_of(CivilTime& time, char field) {
  switch (field) {
    case 'y': return time.year;
    case 'M': return time.month;
    case 'd': return time.day;
    case 'H': return time.hour;
    case 'm': return time.minute;
    case 's': return time.second;
    default: return time.millisecond;
  }
}

// Digits from the front of `text`: `width` of them if exact, else at least one.
std::optional<int> take_digits(std::string_view& text, std::size_t width, bool exact) {
  const std::size_t most = exact ? width : kMaxDigits;
  int value = 0;
  std::size_t count = 0;
  while (count < most && count < text.size() && text[count] >= '0' && text[count] <= '9') {
    value = value * 10 + (text[count] - '0');
    ++count;
  }
  if (count == 0 || (exact && count != width)) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

}  // namespace

std::optional<double> seconds_since_epoch(const CivilTime& time) {
  using namespace std::chrono;
  const year_month_day date{year{time.year}, month{static_cast<unsigned>(time.month)},
                            day{static_cast<unsigned>(time.day)}};
  const bool clock_ok = time.hour >= 0 && time.hour < 24 && time.minute >= 0 && time.minute < 60 &&
                        time.second >= 0 && time.second < 60 && time.millisecond >= 0 &&
                        time.millisecond < 1000;
  if (time.year < -32767 || time.year > 32767 || !date.ok() || !clock_ok) return std::nullopt;
  const auto days = static_cast<double>(sys_days{date}.time_since_epoch().count());
  return days * 86400.0 + time.hour * 3600.0 + time.minute * 60.0 + time.second +
         time.millisecond / 1000.0;
}

DatePattern::DatePattern(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size();) {
    const char c = pattern[i];
    if (c == '\'') {
      const std::size_t close = pattern.find('\'', i + 1);
      if (close == std::string_view::npos) {
        throw Error(ErrorKind::bad_data, "",
                    "the date format " + in_quotes(pattern) + " has a quote that never closes");
      }
      // Two quotes stand for one.
      const auto inside = pattern.substr(i + 1, close - i - 1);
      pieces_.push_back({.literal = inside.empty() ? "'" : std::string(inside)});
      i = close + 1;
    } else if (is_letter(c)) {
      if (kFields.find(c) == std::string_view::npos) {
        throw Error(ErrorKind::bad_data, "",
                    fmt::format("the letter {} of the date format {} is not supported", c,
                                in_quotes(pattern)),
                    "the letters y M d H m s S are");
      }
      const std::size_t end = std::min(pattern.find_first_not_of(c, i), pattern.size());
      const bool letter_follows = end < pattern.size() && is_letter(pattern[end]);
      pieces_.push_back({.field = c, .width = end - i, .exact = letter_follows});
      i = end;
    } else {
      pieces_.push_back({.literal = std::string(1, c)});
      ++i;
    }
  }
}

std::optional<double> DatePattern::parse(std::string_view text) const {
  CivilTime time;
  for (const Piece& piece : pieces_) {
    if (piece.field == 0) {
      if (!text.starts_with(piece.literal)) return std::nullopt;
      text.remove_prefix(piece.literal.size());
      continue;
    }
    const std::optional<int> digits = take_digits(text, piece.width, piece.exact);
    if (!digits) return std::nullopt;
    // Two digits of a year, written yy, mean 1970 to 2069.
    const bool short_year = piece.field == 'y' && piece.width == 2 && *digits < 100;
    field_of(time, piece.field) = short_year ? (*digits < 70 ? 2000 : 1900) + *digits : *digits;
  }
  return text.empty() ? seconds_since_epoch(time) : std::nullopt;
}

}  // namespace gradus::io
