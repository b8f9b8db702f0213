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

constexpr std::size_t kSmallestDraw = 2048;
constexpr std::size_t kChunk = 64;  // rows whose distances are computed in one call

class PlusPlus {
 public:
  PlusPlus(const Points& points, const ContentOrder& order, std::size_t clusters,
           const Context& context)
      : points_(points),
        order_(order),
        context_(context),
        trials_(2 + static_cast<std::size_t>(std::log(static_cast<double>(clusters)))),
        nearest_(points.rows, std::numeric_limits<double>::infinity()),
        masses_(points.rows),
        distances_(points.rows * trials_) {}

  std::vector<std::size_t> run(std::size_t clusters, Stream stream) {
    for (std::size_t row = 0; row < points_.rows; ++row) masses_[row] = points_.weight(row);
    std::vector<std::size_t> chosen = {
        order_.draw(order_.bucket_sums(masses_, context_), masses_, stream.uniform())};
    measure(chosen);
    accept(0);
    while (chosen.size() < clusters) {
      context_.stop_if_cancelled();
      context_.report("choosing the start", chosen.size(), clusters);
      chosen.push_back(next(stream));
    }
    return chosen;
  }

 private:
  std::size_t next(Stream& stream) {
    const std::vector<double> sums = order_.bucket_sums(masses_, context_);
    std::vector<std::size_t> candidates(trials_);
    for (std::size_t& candidate : candidates) {
      candidate = order_.draw(sums, masses_, stream.uniform());
    }
    const std::vector<double> potentials = measure(candidates);
    const auto best = std::min_element(potentials.begin(), potentials.end()) - potentials.begin();
    accept(static_cast<std::size_t>(best));
    return candidates[static_cast<std::size_t>(best)];
  }

  // The distances of all rows to the candidates, and the potential that each would leave.
  std::vector<double> measure(const std::vector<std::size_t>& candidates) {
    const std::vector<double> centers = rows_as_centers(points_, candidates);
    const simd::PointTable table(centers.data(), candidates.size(), points_.cols);
    width_ = candidates.size();
    return parallel::reduce_ordered<std::vector<double>>(
        context_, points_.rows, kSmallestDraw,
        [&](parallel::Block block) { return measure_block(table, block); },
        [](std::vector<double>& total, std::vector<double>&& part) {
          for (std::size_t t = 0; t < total.size(); ++t) total[t] += part[t];
        });
  }

  std::vector<double> measure_block(const simd::PointTable& table, parallel::Block block) {
    std::vector<double> sums(width_, 0.0);
    std::vector<double> scratch;
    const std::size_t most = std::min(kChunk, points_.together());
    for (std::size_t row = block.begin; row < block.end; row += most) {
      const std::size_t count = std::min(most, block.end - row);
      double* at = distances_.data() + row * width_;
      simd::squared_distances({points_.from(row, count, scratch), count, points_.cols}, table, at);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t t = 0; t < width_; ++t) {
          const double least = std::min(nearest_[row + i], at[i * width_ + t]);
          sums[t] += points_.weight(row + i) * least;
        }
      }
    }
    return sums;
  }

  // Candidate `best` of the last measurement becomes a centre.
  void accept(std::size_t best) {
    parallel::for_each_block(context_, points_.rows, kSmallestDraw, [&](parallel::Block block) {
      for (std::size_t row = block.begin; row < block.end; ++row) {
        nearest_[row] = std::min(nearest_[row], distances_[row * width_ + best]);
        masses_[row] = points_.weight(row) * nearest_[row];
      }
    });
  }

  const Points& points_;
  const ContentOrder& order_;
  const Context& context_;
  std::size_t trials_;
  std::size_t width_ = 0;          // candidates of the last measurement
  std::vector<double> nearest_;    // squared distance to the nearest centre so far
  std::vector<double> masses_;     // what rows are drawn by: weight times that distance
  std::vector<double> distances_;  // rows x candidates
};

}  // namespace

std::vector<std::size_t> plus_plus_rows(const Points& points, const ContentOrder& order,
                                        std::size_t clusters, Stream stream,
                                        const Context& context) {
  return PlusPlus(points, order, clusters, context).run(clusters, stream);
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
  std::vector<double> scratch;
  for (const std::size_t row : rows) {
    const double* numbers = points.row(row, scratch);
    centers.insert(centers.end(), numbers, numbers + points.cols);
  }
  return centers;
}

std::size_t count_distinct(const Points& points, std::size_t most) {
  std::vector<double> scratch[2];
  const auto less = [&](std::size_t a, std::size_t b) {
    const double* first = points.row(a, scratch[0]);
    const double* second = points.row(b, scratch[1]);
    return std::lexicographical_compare(first, first + points.cols, second, second + points.cols);
  };
  std::set<std::size_t, decltype(less)> distinct(less);
  for (std::size_t row = 0; row < points.rows && distinct.size() < most; ++row) {
    if (points.weight(row) > 0) distinct.insert(row);
  }
  return distinct.size();
}

}  // namespace gradus::kmeans
