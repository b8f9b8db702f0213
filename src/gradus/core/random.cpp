#include "gradus/core/random.hpp"

#include <cmath>
#include <numbers>

namespace gradus {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

std::uint64_t Stream::next() {
  if (used_ == 4) {
    buffer_ = philox({block_++, purpose_, static_cast<std::uint32_t>(item_),
                      static_cast<std::uint32_t>(item_ >> 32U)},
                     {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32U)});
    used_ = 0;
  }
  const std::uint64_t low = buffer_[used_];
  const std::uint64_t high = buffer_[used_ + 1];
  used_ += 2;
  return (high << 32U) | low;
}

double Stream::uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

std::uint64_t Stream::below(std::uint64_t bound) {
  // Rejecting the short last interval keeps every result equally likely. It is shorter than the
  // bound, so hardly any draw needs to know how short.
  std::uint64_t draw = next();
  if (draw < bound) {
    const std::uint64_t rejected = (0 - bound) % bound;
    while (draw < rejected) draw = next();
  }
  return draw % bound;
}

double Stream::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace gradus
