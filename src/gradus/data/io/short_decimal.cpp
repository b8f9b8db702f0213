#include "gradus/data/io/short_decimal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gradus::io {
namespace {

constexpr int kDigits = 15;
constexpr int kSmallest = -3;  // exponents of ten that are written here
constexpr int kLargest = 4;
constexpr double kTens[] = {1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5};
// 10^(14 - exponent): it makes 15 digits before the point.
constexpr double kScale[] = {1e17, 1e16, 1e15, 1e14, 1e13, 1e12, 1e11, 1e10};

void put_digits(char* end, std::uint32_t digits, int count) {
  for (int i = 0; i < count; ++i) {
    *--end = static_cast<char>('0' + digits % 10);
    digits /= 10;
  }
}

// Two halves, because the digits of one number wait for each other.
void put_all_digits(char* out, std::uint64_t digits) {
  constexpr std::uint64_t kHalf = 100'000'000;
  put_digits(out + kDigits, static_cast<std::uint32_t>(digits % kHalf), 8);
  put_digits(out + kDigits - 8, static_cast<std::uint32_t>(digits / kHalf), kDigits - 8);
}

}  // namespace

char* write_short_decimal(char* out, double value) {
  const double size = std::fabs(value);
  if (!(size >= kTens[0] && size < kTens[kLargest - kSmallest + 1])) return nullptr;
  int place = 0;
  while (size >= kTens[place + 1]) ++place;
  const double scale = kScale[place];
  // Cutting after a half was added is not always the nearest number; the division would show it.
  const double raised = size * scale + 0.5;
  const auto digits = static_cast<std::uint64_t>(raised);
  if (static_cast<double>(digits) / scale != size) return nullptr;
  char text[kDigits];
  put_all_digits(text, digits);
  int count = kDigits;
  while (text[count - 1] == '0') --count;
  if (std::signbit(value)) *out++ = '-';
  const int whole = place + kSmallest + 1;  // digits before the point; zeros behind it if negative
  if (whole <= 0) {
    out = std::copy_n("0.00", 2 - whole, out);
    return std::copy_n(text, count, out);
  }
  out = std::copy_n(text, whole, out);
  if (count <= whole) return out;
  *out++ = '.';
  return std::copy_n(text + whole, count - whole, out);
}

}  // namespace gradus::io
