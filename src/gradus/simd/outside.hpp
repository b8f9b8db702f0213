// Which numbers of a row are not within the limits of their columns: where nearly all are, a row is
// read at the speed of the memory. What is missing is outside of any limits.
//
//   std::vector<std::uint32_t> places(count);
//   const std::size_t found = simd::outside({row, low, high, count}, places.data());
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

// Number i is inside when low[i] < x[i] <= high[i].
struct LimitedRow {
  const double* x = nullptr;
  const double* low = nullptr;
  const double* high = nullptr;
  std::size_t count = 0;
};

// Writes where the numbers outside are, ascending, and returns how many; `places` has room for all.
std::size_t outside(const LimitedRow& row, std::uint32_t* places);

namespace scalar {
std::size_t outside(const LimitedRow& row, std::uint32_t* places);
}  // namespace scalar

}  // namespace gradus::simd
