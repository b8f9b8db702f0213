// Whole numbers in the order of floating-point numbers, for sorting by digits.
//
//   ordered_key(-1.5) < ordered_key(0.25);   number_of_key(ordered_key(x)) == x
#pragma once

#include <bit>
#include <cstdint>

namespace gradus {

// Negative numbers have all bits turned, others only the sign. Adding 0 makes -0 and 0 the same
// key, as they are the same number. NaN has no place in the order.
inline std::uint64_t ordered_key(double number) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

inline double number_of_key(std::uint64_t key) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return std::bit_cast<double>((key & kSign) != 0 ? key ^ kSign : ~key);
}

}  // namespace gradus
