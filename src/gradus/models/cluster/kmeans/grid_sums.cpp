#include "gradus/models/cluster/kmeans/grid_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gradus/simd/grid.hpp"

namespace gradus::kmeans {
namespace {

constexpr std::size_t kSmallestSum = 2048;

// 1.5 * 2^52 times a grid on which 2^51 steps reach `bound`.
double magic_for(double bound) {
  int exponent = 0;
  std::frexp(bound, &exponent);
  return bound == 0 ? 0.0 : std::ldexp(1.5, exponent + 2);
}

double grid_of(double magic) { return std::ldexp(magic, -52) / 1.5; }

}  // namespace

GridSums::GridSums(const Points& points, const Context& context)
    : points_(points), width_(points.cols + 1), magic_(kLevels * (points.cols + 1), 0.0) {
  using Bounds = std::vector<double>;
  Bounds bounds = parallel::reduce_ordered<Bounds>(
      context, points.rows, kSmallestSum,
      [&](parallel::Block block) {
        Bounds part(width_, 0.0);
        for_each_piece(points, block, [&](const simd::Rows& rows, std::size_t begin) {
          simd::add_absolute(rows, width_ - 1, points.weights_from(begin), part.data());
        });
        return part;
      },
      [](Bounds& total, Bounds&& part) {
        for (std::size_t j = 0; j < total.size(); ++j) total[j] += part[j];
      });
  for (std::size_t level = 0; level < kLevels; ++level) {
    for (std::size_t j = 0; j < width_; ++j) {
      const double magic = magic_for(bounds[j]);
      magic_[level * width_ + j] = magic;
      // What is left of each row after the cut is at most half a step.
      bounds[j] = grid_of(magic) / 2 * static_cast<double>(points.rows);
    }
  }
  levels_ = parallel::reduce_ordered<std::size_t>(
      context, points.rows, kSmallestSum,
      [&](parallel::Block block) {
        std::size_t levels = 1;
        for_each_piece(points, block, [&](const simd::Rows& rows, std::size_t begin) {
          if (levels == kLevels) return;
          const simd::Grid grid{magic_.data(), kLevels, width_ - 1};
          levels = std::max(levels, simd::levels_on_grid(rows, points.weights_from(begin), grid));
        });
        return levels;
      },
      [](std::size_t& total, std::size_t&& part) { total = std::max(total, part); });
}

void GridSums::change(Sums& sums, std::span<const Entry> entries) const {
  constexpr std::size_t kTogether = 128;
  std::array<simd::GridRow, kTogether> rows;
  const std::size_t most = std::min(kTogether, points_.together());
  std::vector<std::vector<double>> scratch(points_.floats == nullptr ? 0 : most);
  std::vector<double> none;
  while (!entries.empty()) {
    const std::size_t count = std::min(most, entries.size());
    for (std::size_t i = 0; i < count; ++i) {
      const Entry& entry = entries[i];
      rows[i] = {points_.row(entry.row, scratch.empty() ? none : scratch[i]),
                 entry.sign * points_.weight(entry.row),
                 sums.data() + entry.cluster * levels_ * width_};
    }
    simd::add_on_grid(rows.data(), count, {magic_.data(), levels_, width_ - 1});
    entries = entries.subspan(count);
  }
}

double GridSums::total(const Sums& sums, std::size_t cluster, std::size_t feature) const {
  const double* at = sums.data() + cluster * levels_ * width_ + feature;
  double total = 0;
  for (std::size_t level = levels_; level-- > 0;) total += at[level * width_];
  return total;
}

}  // namespace gradus::kmeans
