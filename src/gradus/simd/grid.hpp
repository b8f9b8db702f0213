// Numbers cut into pieces on fixed grids, so that sums of pieces are exact in any order: the inner
// loops of kmeans/grid_sums. A piece is t = (v + M) - M with M = 1.5 * 2^52 * grid. The same
// promise as in kernels.hpp: the bytes do not depend on the machine.
//
// A row of d numbers x has d + 1 features here: factor * x[j], and the factor itself as the last.
#pragma once

#include <cstddef>

#include "gradus/simd/kernels.hpp"

namespace gradus::simd {

struct Grid {
  const double* magic = nullptr;  // M of [level][feature]
  std::size_t levels = 1;         // 1 to 3
  std::size_t cols = 0;           // numbers of a row: one less than the features
};

// A row, what to multiply it with, and the sums of [level][feature] that it goes to.
struct GridRow {
  const double* x = nullptr;
  double factor = 1;
  double* sums = nullptr;
};

// Adds the pieces of every feature of every row, one row after the other. With one level the
// features are added as they are.
void add_on_grid(const GridRow* rows, std::size_t count, const Grid& grid);

// How many of three levels it takes until nothing is left of any feature. `factor` has one number
// per row; null: all are 1.
std::size_t levels_on_grid(const Rows& rows, const double* factor, const Grid& grid);

// sum[j] += |feature j| of every row of `cols` numbers.
void add_absolute(const Rows& rows, std::size_t cols, const double* factor, double* sum);

namespace scalar {
void add_on_grid(const GridRow* rows, std::size_t count, const Grid& grid);
std::size_t levels_on_grid(const Rows& rows, const double* factor, const Grid& grid);
void add_absolute(const Rows& rows, std::size_t cols, const double* factor, double* sum);
}  // namespace scalar

}  // namespace gradus::simd
