// Sorting 64-bit keys by their digits, in parallel and with the same result for any thread count.
//
// Least significant digit first, 11 bits at a time: each pass counts the digits of every block,
// turns the counts into the place where each block writes each digit, and moves the keys there in
// order. A pass whose digit is the same for all keys is skipped, which is what happens to the upper
// digits of scores of similar size.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/core/context.hpp"

namespace gradus {

// Sorts `keys` ascending; `values` (of the same length, or empty) move along. Stable.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<double>& values,
                const Context& context);

}  // namespace gradus
