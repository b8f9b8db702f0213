// The first number of many random streams at once.
//
// A learner that draws a number for every row, each from a stream of its own (core/random.hpp),
// asks for one block of Philox per row. Lanes of a register hold the counters of different streams,
// and the ten rounds are the same for all of them: four to eight streams cost what one does. The
// numbers are the very ones that Stream gives.
//
//   first_numbers({seed, purpose}, items, count, out);     // out[i] = Stream(seed, items[i],
//                                                          //                 purpose).next()
#pragma once

#include <cstddef>
#include <cstdint>

#include "gradus/core/random.hpp"

namespace gradus::simd {

struct StreamFamily {
  Seed seed = 0;
  std::uint32_t purpose = 0;
};

// `out` may be `items`.
void first_numbers(const StreamFamily& family, const std::uint64_t* items, std::size_t count,
                   std::uint64_t* out);

namespace scalar {
void first_numbers(const StreamFamily& family, const std::uint64_t* items, std::size_t count,
                   std::uint64_t* out);
}  // namespace scalar

}  // namespace gradus::simd
