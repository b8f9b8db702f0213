// Plain decimal numbers whose end is known, read without a loop over their digits.
//
// Nearly every number of a table is a sign, a few digits, a point and more digits. Eight of its
// bytes are one machine word, and a word of eight digits d0 … d7 becomes a number by three
// multiplications: neighbours join to pairs, pairs to fours, fours to the eight,
//   (10 d0 + d1) · 10^6 + (10 d2 + d3) · 10^4 + (10 d4 + d5) · 10^2 + (10 d6 + d7).
// Bytes that do not belong to the number are shifted out, so words are taken whole, and there is no
// branch that depends on the number of digits beyond "one word or more".
//
// The digits without the point are an integer w < 10^19 and the value is w / 10^k. Below 10^15 both
// are exact in double and the one division rounds correctly (Clinger, 1990); above, fast_float's
// 128-bit product decides (Lemire, 2021). Everything else (exponents, long integers, blanks, `nan`)
// is left to the caller, who asks parse_number: the result is always the correctly rounded one.
#pragma once

#include <fast_float/fast_float.h>

#include <bit>
#include <cstdint>
#include <cstring>

namespace gradus::decimal {

// How many bytes before the end and after the begin of a number must be readable.
inline constexpr std::size_t kBytesBeforeEnd = 24;
inline constexpr std::size_t kBytesAfterBegin = 16;

inline constexpr std::uint64_t kOnes = 0x0101010101010101;
inline constexpr std::uint64_t kHighs = 0x8080808080808080;
inline constexpr std::uint64_t kPowers[] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
    10000000000000000000U,
};
inline constexpr double kExactPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                          1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                          1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

// Eight bytes with the digits '0' … '9' as 0 … 9; the first byte is the lowest.
inline std::uint64_t digits_at(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word ^ (kOnes * '0');
}

// Not 0 when some byte is above 9.
inline std::uint64_t beyond_nine(std::uint64_t digits) {
  return ((digits + kOnes * 0x76) | digits) & kHighs;
}

inline std::uint64_t eight_digits(std::uint64_t digits) {
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  constexpr std::uint64_t kLow = 100 + (std::uint64_t{1000000} << 32);
  constexpr std::uint64_t kHigh = 1 + (std::uint64_t{10000} << 32);
  digits = digits * 10 + (digits >> 8);
  return ((digits & kPairs) * kLow + ((digits >> 16) & kPairs) * kHigh) >> 32;
}

// The last `count` bytes of a word, 0 where others stood. A table instead of shifts: no branch for
// 0.
inline constexpr std::uint64_t kLastBytes[] = {0,
                                               0xFF00000000000000,
                                               0xFFFF000000000000,
                                               0xFFFFFF0000000000,
                                               0xFFFFFFFF00000000,
                                               0xFFFFFFFFFF000000,
                                               0xFFFFFFFFFFFF0000,
                                               0xFFFFFFFFFFFFFF00,
                                               0xFFFFFFFFFFFFFFFF};
inline std::uint64_t last_bytes(std::uint64_t word, std::size_t count) {
  return word & kLastBytes[count];
}

// w / 10^k, correctly rounded; w < 10^19, k < 20.
[[gnu::always_inline]] inline double scaled(std::uint64_t w, std::size_t k) {
  constexpr std::uint64_t kSurelyExact = 1000000000000000;  // 10^15 < 2^53
  if (w < kSurelyExact) return static_cast<double>(w) / kExactPowers[k];
  using Format = fast_float::binary_format<double>;
  double value = 0;
  fast_float::to_float(false, fast_float::compute_float<Format>(-static_cast<std::int64_t>(k), w),
                       value);
  return value;
}

// Digits and a point, in more than 8 bytes.
[[gnu::always_inline]] inline bool read_long(const char* first, const char* end, double& out) {
  const auto length = static_cast<std::size_t>(end - first);
  const std::uint64_t head = digits_at(first);
  const std::uint64_t no_point = head ^ (kOnes * ('.' ^ '0'));
  const std::uint64_t points = (no_point - kOnes) & ~no_point & kHighs;
  if (points == 0 || length > 20) return false;
  const auto whole = static_cast<std::size_t>(std::countr_zero(points)) / 8;
  const std::size_t fraction = length - whole - 1;  // at least 1, because whole is below 8
  const std::uint64_t a = (head << 8) << (8 * (7 - whole));
  const std::uint64_t d = last_bytes(digits_at(end - 8), fraction < 8 ? fraction : 8);
  std::uint64_t bad = beyond_nine(a) | beyond_nine(d);
  std::uint64_t w = eight_digits(a) * kPowers[fraction] + eight_digits(d);
  if (fraction > 8) {
    const std::size_t rest = fraction - 8;
    const std::uint64_t c = last_bytes(digits_at(end - 16), rest < 8 ? rest : 8);
    const std::uint64_t b = last_bytes(digits_at(end - 24), rest < 8 ? 0 : rest - 8);
    bad |= beyond_nine(c) | beyond_nine(b);
    w += eight_digits(c) * kPowers[8] + eight_digits(b) * kPowers[16];
  }
  if (bad != 0) return false;
  out = scaled(w, fraction);
  return true;
}

// Digits with or without a point, in at most 8 bytes.
[[gnu::always_inline]] inline bool read_short(const char* first, const char* end, double& out) {
  const auto length = static_cast<std::size_t>(end - first);
  std::uint64_t digits = digits_at(first);
  const std::uint64_t no_point = digits ^ (kOnes * ('.' ^ '0'));
  const std::uint64_t points = (no_point - kOnes) & ~no_point & kHighs;
  const auto whole = static_cast<std::size_t>(std::countr_zero(points)) / 8;
  std::size_t count = length;
  std::size_t fraction = 0;
  if (whole < length) {
    const std::uint64_t before = (std::uint64_t{1} << (8 * whole)) - 1;
    digits = (digits & before) | ((digits >> 8) & ~before);
    count = length - 1;
    fraction = count - whole;
  }
  if (count == 0) return false;
  digits <<= 8 * (8 - count);
  if (beyond_nine(digits) != 0) return false;
  out = static_cast<double>(eight_digits(digits));
  // Whole numbers do not wait for a division.
  if (fraction > 0) out /= kExactPowers[fraction];
  return true;
}

// Reads [begin, end) if it is a plain number; the bytes around it must be readable as said above.
[[gnu::always_inline]] inline bool read_plain(const char* begin, const char* end, double& out) {
  if constexpr (std::endian::native != std::endian::little) return false;
  if (begin >= end) return false;
  const bool negative = *begin == '-';
  const char* first = begin + (negative ? 1 : 0);
  double value = 0;
  if (end - first > 8 ? !read_long(first, end, value) : !read_short(first, end, value)) {
    return false;
  }
  const std::uint64_t sign = std::uint64_t{negative} << 63;
  out = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ sign);
  return true;
}

}  // namespace gradus::decimal
