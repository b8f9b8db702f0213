// Arithmetic on sizes that come from outside: a result that does not fit is nothing, never a small
// number that looks harmless.
//
//   const auto bytes = checked::mul(count, width);
//   if (!bytes || *bytes > remaining) ...refuse...
#pragma once

#include <cstdint>
#include <optional>

namespace gradus::checked {

inline std::optional<std::uint64_t> add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

inline std::optional<std::uint64_t> mul(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// The smallest multiple of `unit` that is at least `value`.
inline std::optional<std::uint64_t> align(std::uint64_t value, std::uint64_t unit) {
  const auto raised = add(value, unit - 1);
  if (!raised) return std::nullopt;
  return *raised / unit * unit;
}

}  // namespace gradus::checked
