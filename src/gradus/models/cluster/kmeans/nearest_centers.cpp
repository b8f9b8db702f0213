#include "gradus/models/cluster/kmeans/nearest_centers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/core/pages.hpp"

namespace gradus::kmeans {
namespace {

constexpr std::size_t kSmallestSearch = 1024;
constexpr std::size_t kSumTasks = 8;
constexpr std::size_t kFrameRows = 1024;  // enough to know where the data lie
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr std::int32_t kNoLabel = -1;

// Below this, squares are so near to underflow that their relative error has no bound: an upper
// bound takes them for this much, a lower bound for nothing.
constexpr double kTiny = 1e-280;
double root_above(double squared) { return std::sqrt(std::max(squared, kTiny)); }
double root_below(double squared) { return squared < kTiny ? 0.0 : std::sqrt(squared); }

// A frame around rows from everywhere in the table; for floats that around zero, if it is as good.
Frame frame_of(const Points& points) {
  const std::size_t count = std::min(points.rows, kFrameRows);
  std::vector<double> sample;
  std::vector<double> scratch;
  sample.reserve(count * points.cols);
  for (std::size_t i = 0; i < count; ++i) {
    const double* row = points.row(i * points.rows / count, scratch);
    sample.insert(sample.end(), row, row + points.cols);
  }
  const bool as_is = points.floats != nullptr && lie_around_zero(sample.data(), count, points.cols);
  return as_is ? Frame(points.cols) : Frame(sample.data(), count, points.cols);
}

}  // namespace

// A squared distance of d features has a relative error of at most (d + 2) units; the square root
// halves it and adds one. Twice that covers both sides of a comparison.
NearestCenters::NearestCenters(const Points& points, const GridSums& grid, std::size_t clusters,
                               const Context& context)
    : points_(points),
      grid_(grid),
      clusters_(clusters),
      margin_(static_cast<double>(points.cols + 16) * kUnit),
      frame_(frame_of(points)),
      floats_(frame_.moves() ? nullptr : points.floats),
      norms_(points.rows),
      half_gap_(clusters, 0.0),
      center_moves_(clusters, 0.0),
      labels_(points.rows, kNoLabel),
      upper_(points.rows, kInfinity),
      lower_(points.rows, 0.0),
      sums_(grid.zeros(clusters)) {
  place_rows(context);
}

// The rows as floats in the frame, and their norms there.
void NearestCenters::place_rows(const Context& context) {
  const std::size_t cols = points_.cols;
  if (floats_ != nullptr) {
    parallel::for_each_block(context, points_.rows, kSmallestSearch, [&](parallel::Block block) {
      for (std::size_t row = block.begin; row < block.end; ++row) {
        norms_[row] = simd::sum_of_squares(floats_ + row * cols, cols);
      }
    });
    return;
  }
  memory_ = std::make_unique_for_overwrite<float[]>(points_.rows * cols);
  prefer_large_pages(memory_.get(), points_.rows * cols * sizeof(float));
  parallel::for_each_block(context, points_.rows, kSmallestSearch, [&](parallel::Block block) {
    std::vector<double> scratch;
    for (std::size_t row = block.begin; row < block.end; ++row) {
      norms_[row] = frame_.place(points_.row(row, scratch), memory_.get() + row * cols);
    }
  });
  floats_ = memory_.get();
}

std::size_t NearestCenters::assign(const std::vector<double>& centers, const Context& context) {
  measure_gaps(centers);
  const Pass pass{NearestScreen(frame_, centers.data(), clusters_),
                  simd::PointTable(centers.data(), clusters_, points_.cols)};
  const std::size_t length = parallel::reduction_block(points_.rows, kSmallestSearch);
  std::vector<Changes> changes(parallel::block_count(points_.rows, length));
  parallel::for_each_block(context, points_.rows, length, [&](parallel::Block block) {
    assign_block(pass, block, changes[block.index]);
  });
  add_up(changes, context);
  std::size_t moved = 0;
  for (const Changes& some : changes) moved += some.size();
  return moved;
}

// Each task owns some clusters and looks at all changes for those: no partial sums to allocate and
// combine, which for many clusters would be more work than the sums themselves.
void NearestCenters::add_up(const std::vector<Changes>& changes, const Context& context) {
  const std::size_t length = parallel::block_count(clusters_, kSumTasks);
  parallel::for_each_block(context, clusters_, length, [&](parallel::Block block) {
    std::vector<GridSums::Entry> entries;
    const auto note = [&](std::int32_t cluster, std::size_t row, double sign) {
      const auto c = static_cast<std::size_t>(cluster);
      if (cluster != kNoLabel && c >= block.begin && c < block.end) {
        entries.push_back({c, row, sign});
      }
    };
    for (const Changes& some : changes) {
      entries.clear();
      for (const Change& change : some) {
        note(change.from, change.row, -1);
        note(change.to, change.row, 1);
      }
      grid_.change(sums_, entries);
    }
  });
}

// A row nearer to its centre than half the way to the next centre cannot have another one.
void NearestCenters::measure_gaps(const std::vector<double>& centers) {
  // All pairs of centres: worth it only while they are few beside the rows.
  if (clusters_ * 8 > points_.rows) return;
  for (std::size_t c = 0; c < clusters_; ++c) {
    double least = kInfinity;
    for (std::size_t other = 0; other < clusters_; ++other) {
      if (other == c) continue;
      least =
          std::min(least, squared_distance(centers.data() + c * points_.cols,
                                           centers.data() + other * points_.cols, points_.cols));
    }
    half_gap_[c] = root_below(least) / 2 * (1 - 2 * margin_);
  }
}

void NearestCenters::moved(const std::vector<double>& before, const std::vector<double>& after) {
  double largest = 0;
  for (std::size_t c = 0; c < clusters_; ++c) {
    const double squared = squared_distance(before.data() + c * points_.cols,
                                            after.data() + c * points_.cols, points_.cols);
    const double move = root_above(squared) * (1 + margin_);
    largest = std::max(largest, move);
    // Rounded up, so that the difference of two states is never less than the way between them.
    center_moves_[c] = (center_moves_[c] + move) * (1 + 2 * kUnit);
  }
  longest_moves_ = (longest_moves_ + largest) * (1 + 2 * kUnit);
  slack_ = 16 * kUnit * longest_moves_;
}

void NearestCenters::give(std::size_t row, std::size_t cluster) {
  const GridSums::Entry entries[] = {{static_cast<std::size_t>(labels_[row]), row, -1},
                                     {cluster, row, 1}};
  grid_.change(sums_, entries);
  labels_[row] = static_cast<std::int32_t>(cluster);
  upper_[row] = kInfinity;
  lower_[row] = 0;
}

void NearestCenters::assign_block(const Pass& pass, parallel::Block block, Changes& changes) {
  std::vector<std::size_t> open;
  open.reserve(NearestScreen::kMost);
  for (std::size_t row = block.begin; row < block.end; ++row) {
    if (settled(row)) continue;
    open.push_back(row);
    if (open.size() < NearestScreen::kMost) continue;
    search(pass, open, changes);
    open.clear();
  }
  search(pass, open, changes);
}

// Written so that a NaN anywhere means "not settled".
bool NearestCenters::settled(std::size_t row) const {
  if (labels_[row] == kNoLabel) return false;
  const auto label = static_cast<std::size_t>(labels_[row]);
  const double upper = upper_[row] + center_moves_[label] + slack_;
  return upper < half_gap_[label] || upper < lower_[row] - longest_moves_;
}

void NearestCenters::search(const Pass& pass, const std::vector<std::size_t>& rows,
                            Changes& changes) {
  std::array<NearestScreen::Row, NearestScreen::kMost> placed;
  std::array<NearestScreen::Answer, NearestScreen::kMost> answers;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    placed[i] = {floats_ + rows[i] * points_.cols, norms_[rows[i]]};
  }
  pass.screen.look(placed.data(), rows.size(), answers.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    conclude(rows[i], answers[i].certain ? answers[i] : measure(pass.exact, rows[i]), changes);
  }
}

// Every distance in double precision: for rows that the screen leaves open.
NearestScreen::Answer NearestCenters::measure(const simd::PointTable& centers,
                                              std::size_t row) const {
  std::vector<double> scratch;
  std::vector<double> distances(clusters_);
  simd::squared_distances({points_.row(row, scratch), 1, points_.cols}, centers, distances.data());
  std::size_t nearest = 0;
  double second = kInfinity;
  for (std::size_t c = 1; c < clusters_; ++c) {
    second = std::min(second, std::max(distances[c], distances[nearest]));
    if (distances[c] < distances[nearest]) nearest = c;
  }
  return {static_cast<std::int32_t>(nearest), true, root_above(distances[nearest]) * (1 + margin_),
          root_below(second) * (1 - margin_)};
}

void NearestCenters::conclude(std::size_t row, const NearestScreen::Answer& answer,
                              Changes& changes) {
  upper_[row] = answer.above - center_moves_[static_cast<std::size_t>(answer.nearest)];
  lower_[row] = answer.below + longest_moves_;
  if (labels_[row] == answer.nearest) return;
  changes.push_back({row, std::exchange(labels_[row], answer.nearest), answer.nearest});
}

}  // namespace gradus::kmeans
