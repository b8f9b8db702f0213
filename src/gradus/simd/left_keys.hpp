// What falls below a cut of a column, for rows of two classes that are one number each: a rank, and
// below it the weight less one and the class (blocks/splitter/class_keys.hpp). Whole numbers are
// counted, so nothing depends on the width of the machine's registers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

struct TwoClassKeys {
  const std::uint32_t* keys = nullptr;
  std::size_t count = 0;
  std::uint32_t tag_mask = 1;  // the bits below the rank; the lowest is the class
};

struct LeftCounts {
  std::uint32_t rows = 0;
  std::uint32_t weight = 0;
  std::uint32_t ones = 0;  // weight of the second class
};

// Of the keys below `first_right`. The weight of all is below 2^32.
LeftCounts left_counts(const TwoClassKeys& rows, std::uint32_t first_right);

namespace scalar {
LeftCounts left_counts(const TwoClassKeys& rows, std::uint32_t first_right);
}  // namespace scalar

}  // namespace gradus::simd
