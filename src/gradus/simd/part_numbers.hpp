// Numbers in a row parted in two by a flag each: the first question about all rows of a table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

// Flags of numbers that follow each other: 1 for those that go left, else 0.
struct FlaggedNumbers {
  const std::uint8_t* flags = nullptr;
  std::size_t count = 0;
  std::size_t lefts = 0;  // how many flags are 1
  std::uint32_t first = 0;
};

// Writes those that go left and the others, each in order; nothing behind the last of either.
void part_numbers(const FlaggedNumbers& numbers, std::uint32_t* left, std::uint32_t* right);

namespace scalar {
void part_numbers(const FlaggedNumbers& numbers, std::uint32_t* left, std::uint32_t* right);
}  // namespace scalar

}  // namespace gradus::simd
