#include "gradus/models/cluster/kmeans/start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <span>

#include "gradus/parallel/parallel.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus::kmeans {
namespace {

constexpr std::size_t kSmallestBlock = 2048;
constexpr std::size_t kChunk = 64;  // rows whose distances are computed in one call

// The sums of a quantity over fixed blocks of rows: enough to draw a row in proportion to it
// without a second table.
struct BlockSums {
  std::size_t length = 1;
  std::vector<double> sums;
  double total() const { return std::accumulate(sums.begin(), sums.end(), 0.0); }
};

class PlusPlus {
 public:
  PlusPlus(const Points& points, std::size_t clusters, const Context& context)
      : points_(points),
        context_(context),
        trials_(2 + static_cast<std::size_t>(std::log(static_cast<double>(clusters)))),
        length_(parallel::reduction_block(points.rows, kSmallestBlock)),
        nearest_(points.rows, std::numeric_limits<double>::infinity()),
        distances_(points.rows * trials_) {}

  std::vector<std::size_t> run(std::size_t clusters, Stream stream) {
    std::vector<std::size_t> chosen = {draw_by(
        weight_sums(), stream.uniform(), [&](std::size_t row) { return points_.weight(row); })};
    accept(measure(chosen), 0);
    while (chosen.size() < clusters) {
      context_.stop_if_cancelled();
      context_.report("choosing the start", chosen.size(), clusters);
      chosen.push_back(next(stream));
    }
    return chosen;
  }

 private:
  std::size_t next(Stream& stream) {
    std::vector<std::size_t> candidates(trials_);
    for (std::size_t& candidate : candidates) {
      candidate = draw_by(potential_, stream.uniform(),
                          [&](std::size_t row) { return points_.weight(row) * nearest_[row]; });
    }
    const std::vector<BlockSums> potentials = measure(candidates);
    std::size_t best = 0;
    for (std::size_t t = 1; t < trials_; ++t) {
      if (potentials[t].total() < potentials[best].total()) best = t;
    }
    accept(potentials, best);
    return candidates[best];
  }

  BlockSums weight_sums() const {
    BlockSums out{length_, std::vector<double>(parallel::block_count(points_.rows, length_), 0.0)};
    for (std::size_t row = 0; row < points_.rows; ++row) {
      out.sums[row / length_] += points_.weight(row);
    }
    return out;
  }

  // The distances of all rows to the candidates, and the potential that each would leave.
  std::vector<BlockSums> measure(const std::vector<std::size_t>& candidates) {
    const std::vector<double> centers = rows_as_centers(points_, candidates);
    const simd::PointTable table(centers.data(), candidates.size(), points_.cols);
    width_ = candidates.size();
    const std::size_t blocks = parallel::block_count(points_.rows, length_);
    std::vector<BlockSums> out(width_, BlockSums{length_, std::vector<double>(blocks, 0.0)});
    parallel::for_each_block(context_, points_.rows, length_, [&](parallel::Block block) {
      for (std::size_t row = block.begin; row < block.end; row += kChunk) {
        const std::size_t count = std::min(kChunk, block.end - row);
        double* at = distances_.data() + row * width_;
        simd::squared_distances({points_.row(row), count, points_.cols}, table, at);
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t t = 0; t < width_; ++t) {
            const double least = std::min(nearest_[row + i], at[i * width_ + t]);
            out[t].sums[block.index] += points_.weight(row + i) * least;
          }
        }
      }
    });
    return out;
  }

  void accept(const std::vector<BlockSums>& potentials, std::size_t best) {
    potential_ = potentials[best];
    parallel::for_each_block(context_, points_.rows, length_, [&](parallel::Block block) {
      for (std::size_t row = block.begin; row < block.end; ++row) {
        nearest_[row] = std::min(nearest_[row], distances_[row * width_ + best]);
      }
    });
  }

  // The row at which the running sum of `mass` passes share * total; the last row with any mass
  // when rounding leaves none, and row 0 when there is no mass at all.
  template <class Mass>
  std::size_t draw_by(const BlockSums& blocks, double share, const Mass& mass) const {
    double left = share * blocks.total();
    std::size_t last = 0;
    for (std::size_t b = 0; b < blocks.sums.size(); ++b) {
      const bool final_block = b + 1 == blocks.sums.size();
      if (!final_block && left >= blocks.sums[b]) {
        left -= blocks.sums[b];
        continue;
      }
      const std::size_t end = std::min((b + 1) * blocks.length, points_.rows);
      for (std::size_t row = b * blocks.length; row < end; ++row) {
        if (!(mass(row) > 0)) continue;
        last = row;
        left -= mass(row);
        if (left < 0) return row;
      }
    }
    return last;
  }

  const Points& points_;
  const Context& context_;
  std::size_t trials_;
  std::size_t length_;
  std::size_t width_ = 0;          // candidates of the last measurement
  std::vector<double> nearest_;    // squared distance to the nearest centre so far
  std::vector<double> distances_;  // rows x candidates
  BlockSums potential_;
};

}  // namespace

std::vector<std::size_t> plus_plus_rows(const Points& points, std::size_t clusters, Stream stream,
                                        const Context& context) {
  return PlusPlus(points, clusters, context).run(clusters, stream);
}

// Efraimidis and Spirakis: the rows with the smallest -log(u) / w are a draw by weight.
std::vector<std::size_t> random_rows(const Points& points, std::size_t clusters, Stream stream) {
  std::vector<double> keys(points.rows);
  for (std::size_t row = 0; row < points.rows; ++row) {
    keys[row] = -std::log(1 - stream.uniform()) / points.weight(row);
    if (points.weight(row) == 0) keys[row] = std::numeric_limits<double>::infinity();
  }
  std::vector<std::size_t> order(points.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(clusters);
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return keys[a] < keys[b] || (keys[a] == keys[b] && a < b);
  });
  return {order.begin(), end};
}

std::vector<double> rows_as_centers(const Points& points, const std::vector<std::size_t>& rows) {
  std::vector<double> centers;
  centers.reserve(rows.size() * points.cols);
  for (const std::size_t row : rows) {
    centers.insert(centers.end(), points.row(row), points.row(row) + points.cols);
  }
  return centers;
}

std::size_t count_distinct(const Points& points, std::size_t most) {
  const auto less = [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(points.row(a), points.row(a) + points.cols, points.row(b),
                                        points.row(b) + points.cols);
  };
  std::set<std::size_t, decltype(less)> distinct(less);
  for (std::size_t row = 0; row < points.rows && distinct.size() < most; ++row) {
    if (points.weight(row) > 0) distinct.insert(row);
  }
  return distinct.size();
}

}  // namespace gradus::kmeans
