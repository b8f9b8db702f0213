#include "gradus/models/cluster/kmeans/lloyd.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/models/cluster/kmeans/nearest_centers.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::kmeans {
namespace {

constexpr std::size_t kSmallestPart = 2048;

class Lloyd {
 public:
  Lloyd(const Points& points, const GridSums& grid, std::vector<double> centers,
        const LloydOptions& options, const Context& context)
      : points_(points),
        grid_(grid),
        options_(options),
        context_(context),
        clusters_(centers.size() / points.cols),
        centers_(std::move(centers)),
        nearest_(points, grid, clusters_, context) {}

  LloydResult run() {
    LloydResult out;
    for (std::size_t iteration = 1; iteration <= options_.max_iter; ++iteration) {
      context_.report("k-means", iteration - 1, options_.max_iter);
      if (context_.ends_here("iteration", iteration - 1, options_.max_iter)) break;
      out.n_iter = iteration;
      if (assign(iteration) == 0 && iteration > 1) {
        out.stop = Stop::no_row_moved;
        break;
      }
      if (update(iteration) <= options_.tolerance) {
        out.stop = Stop::centers_rest;
        break;
      }
    }
    // The labels belong to the centres that are handed out.
    if (out.stop != Stop::no_row_moved) assign(0);
    out.inertia = inertia();
    out.centers = std::move(centers_);
    out.labels = nearest_.labels();
    for (std::size_t c = 0; c < clusters_; ++c) {
      out.sizes.push_back(grid_.weight(nearest_.sums(), c));
    }
    return out;
  }

 private:
  std::size_t assign(std::size_t iteration) {
    const std::size_t moved = nearest_.assign(centers_, context_);
    if (options_.watcher != nullptr) {
      options_.watcher->assigned(
          {iteration, points_, centers_, nearest_.labels(), moved, inertia()});
    }
    return moved;
  }

  double update(std::size_t iteration) {
    const std::vector<RepairEvent> repairs = repair_empty();
    std::vector<double> sums(centers_.size());
    std::vector<double> weights(clusters_);
    std::vector<double> next = centers_;
    for (std::size_t c = 0; c < clusters_; ++c) {
      weights[c] = grid_.weight(nearest_.sums(), c);
      for (std::size_t j = 0; j < points_.cols; ++j) {
        const std::size_t at = c * points_.cols + j;
        sums[at] = grid_.total(nearest_.sums(), c, j);
        if (weights[c] > 0) next[at] = sums[at] / weights[c];
      }
    }
    const double shift = squared_distance(centers_.data(), next.data(), next.size());
    nearest_.moved(centers_, next);
    centers_ = std::move(next);
    if (options_.watcher != nullptr) {
      options_.watcher->updated(
          {iteration, sums, weights, centers_, repairs, shift, options_.tolerance});
    }
    return shift;
  }

  const double* own_center(std::size_t row) const {
    return centers_.data() + static_cast<std::size_t>(nearest_.labels()[row]) * points_.cols;
  }

  // The squared distances of the rows of a block to their centres. Four sums grow side by side:
  // each has to wait for its last step.
  void own_distances(parallel::Block block, double* out) const {
    for_each_piece(points_, block, [&](const simd::Rows& rows, std::size_t begin) {
      std::size_t i = 0;
      for (; i + 4 <= rows.count; i += 4, out += 4) {
        const double* x = rows.data + i * rows.stride;
        const double* const centers[] = {own_center(begin + i), own_center(begin + i + 1),
                                         own_center(begin + i + 2), own_center(begin + i + 3)};
        double sums[4] = {};
        for (std::size_t j = 0; j < points_.cols; ++j) {
          for (std::size_t r = 0; r < 4; ++r) {
            const double difference = x[r * rows.stride + j] - centers[r][j];
            sums[r] += difference * difference;
          }
        }
        std::copy_n(sums, 4, out);
      }
      for (; i < rows.count; ++i) {
        *out++ = squared_distance(rows.data + i * rows.stride, own_center(begin + i), points_.cols);
      }
    });
  }

  std::vector<double> own_distances() const {
    std::vector<double> out(points_.rows);
    parallel::for_each_block(context_, points_.rows, kSmallestPart, [&](parallel::Block block) {
      own_distances(block, out.data() + block.begin);
    });
    return out;
  }

  std::vector<RepairEvent> repair_empty() {
    std::vector<std::size_t> empty;
    for (std::size_t c = 0; c < clusters_; ++c) {
      if (!(grid_.weight(nearest_.sums(), c) > 0)) empty.push_back(c);
    }
    std::vector<RepairEvent> repairs;
    if (empty.empty()) return repairs;
    std::vector<double> distances = own_distances();
    std::vector<std::size_t> members(clusters_, 0);
    for (std::size_t row = 0; row < points_.rows; ++row) {
      if (points_.weight(row) > 0) ++members[static_cast<std::size_t>(nearest_.labels()[row])];
    }
    for (const std::size_t cluster : empty) {
      const std::size_t row = farthest(distances, members);
      if (row == points_.rows) break;
      repairs.push_back({cluster, row, std::sqrt(distances[row])});
      --members[static_cast<std::size_t>(nearest_.labels()[row])];
      ++members[cluster];
      nearest_.give(row, cluster);
      distances[row] = 0;
    }
    return repairs;
  }

  // The row that is farthest from its centre and not alone there; `rows` when there is none.
  std::size_t farthest(const std::vector<double>& distances,
                       const std::vector<std::size_t>& members) const {
    std::size_t found = points_.rows;
    double most = 0;
    for (std::size_t row = 0; row < points_.rows; ++row) {
      const bool alone = members[static_cast<std::size_t>(nearest_.labels()[row])] < 2;
      if (alone || points_.weight(row) == 0 || !(distances[row] > most)) continue;
      most = distances[row];
      found = row;
    }
    return found;
  }

  double inertia() const {
    return parallel::reduce_ordered<double>(
        context_, points_.rows, kSmallestPart,
        [&](parallel::Block block) {
          std::vector<double> distances(block.size());
          own_distances(block, distances.data());
          double sum = 0;
          for (std::size_t row = block.begin; row < block.end; ++row) {
            sum += points_.weight(row) * distances[row - block.begin];
          }
          return sum;
        },
        [](double& total, double&& part) { total += part; });
  }

  const Points& points_;
  const GridSums& grid_;
  const LloydOptions& options_;
  const Context& context_;
  std::size_t clusters_;
  std::vector<double> centers_;
  NearestCenters nearest_;
};

}  // namespace

LloydResult lloyd(const Points& points, const GridSums& grid, std::vector<double> centers,
                  const LloydOptions& options, const Context& context) {
  return Lloyd(points, grid, std::move(centers), options, context).run();
}

}  // namespace gradus::kmeans
