// From sums of words (gradient_words.hpp) to pairs, and pairs less pairs: what is done with every
// slot of a histogram.
//
// A pair is two whole numbers, first the gradient, then the hessian · 2^count_bits + the count.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

// Takes the sums, which are 0 then, as `count` pairs: `pairs` is set to them, or they are added.
void unpack_words(std::uint64_t* sums, std::size_t count, int count_bits, std::int64_t* pairs);
void add_unpacked_words(std::uint64_t* sums, std::size_t count, int count_bits,
                        std::int64_t* pairs);

// pairs -= others, `count` of each.
void subtract_pairs(std::int64_t* pairs, const std::int64_t* others, std::size_t count);

namespace scalar {
void unpack_words(std::uint64_t* sums, std::size_t count, int count_bits, std::int64_t* pairs);
void add_unpacked_words(std::uint64_t* sums, std::size_t count, int count_bits,
                        std::int64_t* pairs);
void subtract_pairs(std::int64_t* pairs, const std::int64_t* others, std::size_t count);
}  // namespace scalar

}  // namespace gradus::simd
