// Sums of rows that do not depend on the order of the rows.
//
// Every number is cut into three pieces that are multiples of three fixed powers of two (per
// feature): v = t1 + t2 + t3 + (less than half of the finest). The grids are so coarse that the
// sum of all pieces of a level has at most 53 bits, so adding and REMOVING pieces is exact in any
// order. A cluster's sums can therefore be kept up to date by the rows that changed, on any number
// of threads, and are bit for bit those of a fresh pass. The pieces reach about 100 bits below the
// largest sum, so the mean is as good as a correctly rounded one.
// The cut is the one of Rump, Ogita and Oishi ("Accurate floating-point summation", 2008):
// t = (v + M) - M with M = 1.5 * 2^52 * grid.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/models/cluster/kmeans/points.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus::kmeans {

class GridSums {
 public:
  // Sums of some clusters: [cluster][level][feature], the weight being the last feature.
  using Sums = std::vector<double>;

  GridSums(const Points& points, const Context& context);

  Sums zeros(std::size_t clusters) const { return Sums(clusters * levels_ * width_, 0.0); }
  // A row that comes to a cluster (sign 1) or leaves it (sign -1).
  struct Entry {
    std::size_t cluster = 0;
    std::size_t row = 0;
    double sign = 1;
  };
  void change(Sums& sums, std::span<const Entry> entries) const;

  double weight(const Sums& sums, std::size_t cluster) const {
    return total(sums, cluster, width_ - 1);
  }
  double total(const Sums& sums, std::size_t cluster, std::size_t feature) const;
  std::size_t levels() const { return levels_; }

 private:
  static constexpr std::size_t kLevels = 3;
  const Points& points_;
  std::size_t width_;          // features and the weight
  std::size_t levels_ = 1;     // as many as the data need
  std::vector<double> magic_;  // M of [level][feature]
};

}  // namespace gradus::kmeans
