// Rows of numbers side by side, every column looked at in one go: its range, and what of each row
// falls below a threshold. A column adds its rows up in their order, whatever the width of the
// machine's registers: the bytes do not depend on it.
#pragma once

#include <cstddef>

namespace gradus::simd {

// Columns of a row come in groups of this many numbers, one line of memory. Rows are padded to it.
inline constexpr std::size_t kColumnGroup = 8;

struct NumberRows {
  const double* data = nullptr;
  std::size_t count = 0;   // at least 1
  std::size_t stride = 0;  // a multiple of kColumnGroup: the columns, and what pads them
};

// The least and the largest number of each column. None is NaN.
void column_ranges(const NumberRows& rows, double* low, double* high);

// Of each column, what the rows at or below its threshold bring: how many they are, and the sums of
// what is given for each row.
struct LeftSums {
  const double* thresholds = nullptr;
  const double* weight = nullptr;  // by row; null: `weights` is not written
  const double* moved = nullptr;   // by row
  double* rows = nullptr;          // by column
  double* weights = nullptr;
  double* sums = nullptr;
};
void left_sums(const NumberRows& rows, const LeftSums& out);

namespace scalar {
void column_ranges(const NumberRows& rows, double* low, double* high);
void left_sums(const NumberRows& rows, const LeftSums& out);
}  // namespace scalar

}  // namespace gradus::simd
