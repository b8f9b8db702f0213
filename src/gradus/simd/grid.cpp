// The loops of grid.hpp for every instruction set: each number by itself.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gradus/simd/grid.cpp"
#include "gradus/simd/grid.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/simd/targets.hpp"
// After targets.hpp, which says for which instruction sets.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gradus::simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
constexpr std::size_t kStep = hn::MaxLanes(D());

HWY_INLINE void add_to(double* sum, V piece) {
  constexpr D d;
  hn::StoreU(hn::Add(hn::LoadU(d, sum), piece), d, sum);
}

HWY_INLINE V cut(V value, V magic) { return hn::Sub(hn::Add(value, magic), magic); }
HWY_INLINE double cut_one(double value, double magic) { return (value + magic) - magic; }

// Feature j of a row of `cols` numbers.
HWY_INLINE double feature(const double* x, std::size_t j, std::size_t cols, double factor) {
  return j < cols ? factor * x[j] : factor;
}

// The pieces of kLevels levels; what remains behind the last one is dropped.
template <std::size_t kLevels>
HWY_INLINE void add_row(const GridRow& row, const double* magic, std::size_t cols) {
  constexpr D d;
  const std::size_t width = cols + 1;
  const auto factors = hn::Set(d, row.factor);
  std::size_t j = 0;
  for (; j + kStep <= cols; j += kStep) {
    auto rest = hn::Mul(factors, hn::LoadU(d, row.x + j));
#pragma GCC unroll 3
    for (std::size_t level = 0; level < kLevels; ++level) {
      const std::size_t at = level * width + j;
      const auto piece = kLevels == 1 ? rest : cut(rest, hn::LoadU(d, magic + at));
      rest = hn::Sub(rest, piece);
      add_to(row.sums + at, piece);
    }
  }
  for (; j < width; ++j) {
    double rest = feature(row.x, j, cols, row.factor);
#pragma GCC unroll 3
    for (std::size_t level = 0; level < kLevels; ++level) {
      const std::size_t at = level * width + j;
      const double piece = kLevels == 1 ? rest : cut_one(rest, magic[at]);
      rest = rest - piece;
      row.sums[at] += piece;
    }
  }
}

void add_on_grid_f64(const GridRow* rows, std::size_t count, const Grid& grid) {
  const double* magic = grid.magic;
  const std::size_t cols = grid.cols;
  switch (grid.levels) {
    case 1:
      for (std::size_t i = 0; i < count; ++i) add_row<1>(rows[i], magic, cols);
      return;
    case 2:
      for (std::size_t i = 0; i < count; ++i) add_row<2>(rows[i], magic, cols);
      return;
    default:
      for (std::size_t i = 0; i < count; ++i) add_row<3>(rows[i], magic, cols);
  }
}

// What is left behind the first and behind the second level, of any row.
struct Left {
  bool first = false;
  bool second = false;
};

HWY_INLINE void look_behind(const double* x, double factor, const Grid& grid, Left& left) {
  constexpr D d;
  const std::size_t width = grid.cols + 1;
  const auto factors = hn::Set(d, factor);
  const auto zero = hn::Zero(d);
  auto first = zero;
  auto second = zero;
  std::size_t j = 0;
  for (; j + kStep <= grid.cols; j += kStep) {
    auto rest = hn::Mul(factors, hn::LoadU(d, x + j));
    rest = hn::Sub(rest, cut(rest, hn::LoadU(d, grid.magic + j)));
    first = hn::Or(first, rest);
    rest = hn::Sub(rest, cut(rest, hn::LoadU(d, grid.magic + width + j)));
    second = hn::Or(second, rest);
  }
  // The bits of all rests together: zero only when each is.
  left.first |= !hn::AllTrue(d, hn::Eq(first, zero));
  left.second |= !hn::AllTrue(d, hn::Eq(second, zero));
  for (; j < width; ++j) {
    double rest = feature(x, j, grid.cols, factor);
    rest -= cut_one(rest, grid.magic[j]);
    left.first |= rest != 0;
    rest -= cut_one(rest, grid.magic[width + j]);
    left.second |= rest != 0;
  }
}

std::size_t levels_on_grid_f64(const Rows& rows, const double* factor, const Grid& grid) {
  Left left;
  for (std::size_t i = 0; i < rows.count && !left.second; ++i) {
    look_behind(rows.data + i * rows.stride, factor == nullptr ? 1.0 : factor[i], grid, left);
  }
  return left.second ? 3 : left.first ? 2 : 1;
}

void add_absolute_f64(const Rows& rows, std::size_t cols, const double* factor, double* sum) {
  constexpr D d;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double* x = rows.data + i * rows.stride;
    const double one = factor == nullptr ? 1.0 : factor[i];
    const auto factors = hn::Set(d, one);
    std::size_t j = 0;
    for (; j + kStep <= cols; j += kStep) {
      add_to(sum + j, hn::Abs(hn::Mul(factors, hn::LoadU(d, x + j))));
    }
    for (; j <= cols; ++j) sum[j] += std::abs(feature(x, j, cols, one));
  }
}

}  // namespace gradus::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gradus::simd {

HWY_EXPORT(add_on_grid_f64);
HWY_EXPORT(levels_on_grid_f64);
HWY_EXPORT(add_absolute_f64);

void add_on_grid(const GridRow* rows, std::size_t count, const Grid& grid) {
  HWY_DYNAMIC_DISPATCH(add_on_grid_f64)(rows, count, grid);
}
std::size_t levels_on_grid(const Rows& rows, const double* factor, const Grid& grid) {
  return HWY_DYNAMIC_DISPATCH(levels_on_grid_f64)(rows, factor, grid);
}
void add_absolute(const Rows& rows, std::size_t cols, const double* factor, double* sum) {
  HWY_DYNAMIC_DISPATCH(add_absolute_f64)(rows, cols, factor, sum);
}

namespace scalar {

void add_on_grid(const GridRow* rows, std::size_t count, const Grid& grid) {
  const std::size_t width = grid.cols + 1;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      double rest = j < grid.cols ? rows[i].factor * rows[i].x[j] : rows[i].factor;
      for (std::size_t level = 0; level < grid.levels; ++level) {
        const double magic = grid.magic[level * width + j];
        const double piece = grid.levels == 1 ? rest : (rest + magic) - magic;
        rest -= piece;
        rows[i].sums[level * width + j] += piece;
      }
    }
  }
}

std::size_t levels_on_grid(const Rows& rows, const double* factor, const Grid& grid) {
  const std::size_t width = grid.cols + 1;
  std::size_t most = 1;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double one = factor == nullptr ? 1.0 : factor[i];
    for (std::size_t j = 0; j < width; ++j) {
      double rest = j < grid.cols ? one * rows.data[i * rows.stride + j] : one;
      for (std::size_t level = 0; level < 3 && rest != 0; ++level) {
        const double magic = grid.magic[level * width + j];
        most = std::max(most, level + 1);
        rest -= (rest + magic) - magic;
      }
    }
  }
  return most;
}

void add_absolute(const Rows& rows, std::size_t cols, const double* factor, double* sum) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double one = factor == nullptr ? 1.0 : factor[i];
    for (std::size_t j = 0; j < cols; ++j) sum[j] += std::abs(one * rows.data[i * rows.stride + j]);
    sum[cols] += std::abs(one);
  }
}

}  // namespace scalar

}  // namespace gradus::simd
#endif
