// A column of decimal numbers whose ends are known, each read in one register.
//
// The 16 bytes that end where a number ends hold its last 16 bytes. What stands before the number
// is masked, one shuffle closes the gap of the point, and neighbours are joined three times: digits
// to pairs, pairs to fours, fours to eights. There is no branch that depends on the length of the
// number or the place of the point, so columns of mixed lengths cost what equal ones do.
//
// At most 15 digits are a whole number below 2^53, and one division by a power of ten rounds
// correctly (Clinger, 1990). Everything else (more digits, exponents, blanks, words, nothing) is
// left to the caller.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::simd {

// Cell i of the column lies between mark[i * stride], which ends the cell before it, and
// mark[i * stride + 1]: offsets from `base`, the first of which may be one below 0.
struct DecimalCells {
  const char* base = nullptr;
  const std::uint32_t* mark = nullptr;
  std::size_t stride = 1;
  std::size_t count = 0;
  bool before_newline = false;  // a CR at the end of a cell does not belong to it
};

// How many bytes before the end of every cell must be readable.
inline constexpr std::size_t kDecimalBytes = 16;

// Writes the numbers that it can read to out[i], and the i of the others, in order, to `others`
// (room for all). Returns how many others there are; what out[i] holds for them means nothing.
std::size_t read_decimals(const DecimalCells& cells, double* out, std::uint32_t* others);

namespace scalar {
std::size_t read_decimals(const DecimalCells& cells, double* out, std::uint32_t* others);
}  // namespace scalar

}  // namespace gradus::simd
