// Random numbers without a state to share: a stream is a pure function of (seed, item, counter).
//
// Item i of a parallel loop draws from Stream(seed, i), so the result does not depend on which
// thread runs it or in which order. The generator is Philox4x32-10 (Salmon, Moraes, Dror, Shaw:
// "Parallel random numbers: as easy as 1, 2, 3", 2011), checked against the published vectors.
//
//   Stream stream(seed, tree_index);
//   double u = stream.uniform();            // [0, 1)
//   std::uint64_t i = stream.below(n);      // unbiased 0 .. n-1
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace gradus {

using Seed = std::uint64_t;

// Ten rounds of Philox 4x32 on one counter block.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

class Stream {
 public:
  // Independent streams for each (seed, item); `purpose` separates uses within one fit.
  explicit Stream(Seed seed, std::uint64_t item = 0, std::uint32_t purpose = 0)
      : seed_(seed), item_(item), purpose_(purpose) {}

  std::uint64_t next();

  // A double in [0, 1) with 53 random bits.
  double uniform();

  // An unbiased integer in [0, bound); bound > 0.
  std::uint64_t below(std::uint64_t bound);

  // A standard normal number (Box-Muller on two uniforms; no cached second value).
  double normal();

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  Seed seed_;
  std::uint64_t item_;
  std::uint32_t purpose_;
  std::uint32_t block_ = 0;
  std::size_t used_ = 4;  // words of the buffer already given
  std::array<std::uint32_t, 4> buffer_{};
};

}  // namespace gradus
