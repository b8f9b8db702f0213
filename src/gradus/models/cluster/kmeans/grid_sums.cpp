#include "gradus/models/cluster/kmeans/grid_sums.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/parallel/parallel.hpp"

namespace gradus::kmeans {
namespace {

constexpr std::size_t kSmallestBlock = 2048;

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
      context, points.rows, kSmallestBlock,
      [&](parallel::Block block) {
        Bounds part(width_, 0.0);
        for (std::size_t row = block.begin; row < block.end; ++row) {
          for (std::size_t j = 0; j < width_; ++j) part[j] += std::abs(value(row, j));
        }
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
      context, points.rows, kSmallestBlock,
      [&](parallel::Block block) {
        std::size_t most = 1;
        for (std::size_t row = block.begin; row < block.end && most < kLevels; ++row) {
          most = std::max(most, levels_needed(row));
        }
        return most;
      },
      [](std::size_t& total, std::size_t&& part) { total = std::max(total, part); });
}

double GridSums::value(std::size_t row, std::size_t feature) const {
  const double weight = points_.weight(row);
  return feature + 1 == width_ ? weight : weight * points_.row(row)[feature];
}

std::size_t GridSums::levels_needed(std::size_t row) const {
  std::size_t most = 1;
  for (std::size_t j = 0; j < width_; ++j) {
    double rest = value(row, j);
    for (std::size_t level = 0; level < kLevels && rest != 0; ++level) {
      const double magic = magic_[level * width_ + j];
      most = std::max(most, level + 1);
      rest -= (rest + magic) - magic;
    }
  }
  return most;
}

// The three levels by name: this loop runs over every number of every row that moves.
void GridSums::accumulate(double* sums, std::size_t row, double sign) const {
  const double* x = points_.row(row);
  const double weight = sign * points_.weight(row);
  const std::size_t cols = width_ - 1;
  if (levels_ == 1) {
    for (std::size_t j = 0; j < cols; ++j) sums[j] += weight * x[j];
    sums[cols] += weight;
    return;
  }
  const double* magic = magic_.data();
  const double* magic2 = magic + width_;
  const double* magic3 = levels_ == 3 ? magic2 + width_ : magic2;
  double* sums2 = sums + width_;
  double* sums3 = sums + (levels_ - 1) * width_;
  for (std::size_t j = 0; j < width_; ++j) {
    const double value = j < cols ? weight * x[j] : weight;
    const double piece = (value + magic[j]) - magic[j];
    const double rest = value - piece;
    const double piece2 = (rest + magic2[j]) - magic2[j];
    const double piece3 = ((rest - piece2) + magic3[j]) - magic3[j];
    sums[j] += piece;
    sums2[j] += piece2;
    // With two levels the rest is nothing, and adding it to the second changes nothing.
    sums3[j] += piece3;
  }
}

void GridSums::add(Sums& sums, std::size_t cluster, std::size_t row) const {
  accumulate(sums.data() + cluster * levels_ * width_, row, 1.0);
}

void GridSums::remove(Sums& sums, std::size_t cluster, std::size_t row) const {
  accumulate(sums.data() + cluster * levels_ * width_, row, -1.0);
}

double GridSums::total(const Sums& sums, std::size_t cluster, std::size_t feature) const {
  const double* at = sums.data() + cluster * levels_ * width_ + feature;
  double total = 0;
  for (std::size_t level = levels_; level-- > 0;) total += at[level * width_];
  return total;
}

}  // namespace gradus::kmeans
