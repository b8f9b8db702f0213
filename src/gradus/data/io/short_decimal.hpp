// The shortest text of numbers that people and programs write: few digits, neither large nor small.
//
// Most numbers of a table came from a text with at most 15 digits. Such a number is digits / 10^k
// with whole digits below 10^15 and k of at most 22: both are exact as doubles, so one division,
// rounded correctly, gives the number that this text reads back to. And because no two texts of at
// most 15 digits read back to the same double, the one that does is the shortest there is.
//
//   char text[kShortDecimalSize];
//   if (char* end = write_short_decimal(text, 0.25)) ...   // "0.25"
#pragma once

#include <cstddef>

namespace gradus::io {

inline constexpr std::size_t kShortDecimalSize = 24;

// Writes the bytes of `std::to_chars(value)` and returns their end. Null when the number has more
// digits, or is outside of [0.001, 100 000), where an exponent could be shorter.
char* write_short_decimal(char* out, double value);

}  // namespace gradus::io
