#include "gradus/models/cluster/kmeans/nearest_centers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gradus::kmeans {
namespace {

constexpr std::size_t kSmallestBlock = 1024;
constexpr std::size_t kChunk = 64;  // rows whose distances are computed in one call
constexpr std::size_t kSumTasks = 8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr std::int32_t kNoLabel = -1;

// Below this, squares are so near to underflow that their relative error has no bound: an upper
// bound takes them for this much, a lower bound for nothing.
constexpr double kTiny = 1e-280;
double root_above(double squared) { return std::sqrt(std::max(squared, kTiny)); }
double root_below(double squared) { return squared < kTiny ? 0.0 : std::sqrt(squared); }

}  // namespace

// A squared distance of d features has a relative error of at most (d + 2) units; the square root
// halves it and adds one. Twice that covers both sides of a comparison.
NearestCenters::NearestCenters(const Points& points, const GridSums& grid, std::size_t clusters)
    : points_(points),
      grid_(grid),
      clusters_(clusters),
      groups_(parallel::block_count(clusters, simd::PointTable::kPanel)),
      margin_(static_cast<double>(points.cols + 16) * kUnit),
      half_gap_(clusters, 0.0),
      center_moves_(clusters, 0.0),
      labels_(points.rows, kNoLabel),
      upper_(points.rows, kInfinity),
      sums_(grid.zeros(clusters)) {
  group_size_ = parallel::block_count(clusters, groups_);
  groups_ = parallel::block_count(clusters, group_size_);
  group_moves_.assign(groups_, 0.0);
  lower_.assign(points.rows * groups_, 0.0F);
}

std::size_t NearestCenters::assign(const std::vector<double>& centers, const Context& context) {
  prepare(centers);
  const bool first = labels_.front() == kNoLabel;
  const std::size_t length = parallel::reduction_block(points_.rows, kSmallestBlock);
  std::vector<Changes> changes(parallel::block_count(points_.rows, length));
  parallel::for_each_block(context, points_.rows, length, [&](parallel::Block block) {
    first ? assign_first(block, changes[block.index]) : assign_again(block, changes[block.index]);
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
    const auto owned = [&](std::int32_t cluster) {
      const auto c = static_cast<std::size_t>(cluster);
      return cluster != kNoLabel && c >= block.begin && c < block.end;
    };
    for (const Changes& some : changes) {
      for (const Change& change : some) {
        if (owned(change.from)) {
          grid_.remove(sums_, static_cast<std::size_t>(change.from), change.row);
        }
        if (owned(change.to)) grid_.add(sums_, static_cast<std::size_t>(change.to), change.row);
      }
    }
  });
}

void NearestCenters::prepare(const std::vector<double>& centers) {
  tables_.clear();
  for (std::size_t first = 0; first < clusters_; first += group_size_) {
    const std::size_t count = std::min(group_size_, clusters_ - first);
    tables_.emplace_back(centers.data() + first * points_.cols, count, points_.cols);
  }
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
  std::vector<double> largest(groups_, 0.0);
  for (std::size_t c = 0; c < clusters_; ++c) {
    const double squared = squared_distance(before.data() + c * points_.cols,
                                            after.data() + c * points_.cols, points_.cols);
    const double move = root_above(squared) * (1 + margin_);
    double& most = largest[c / group_size_];
    most = std::max(most, move);
    // Rounded up, so that the difference of two states is never less than the way between them.
    center_moves_[c] = (center_moves_[c] + move) * (1 + 2 * kUnit);
  }
  double longest = 0;
  for (std::size_t g = 0; g < groups_; ++g) {
    group_moves_[g] = (group_moves_[g] + largest[g]) * (1 + 2 * kUnit);
    longest = std::max(longest, group_moves_[g]);
  }
  slack_ = 16 * kUnit * longest;
}

void NearestCenters::give(std::size_t row, std::size_t cluster) {
  grid_.remove(sums_, static_cast<std::size_t>(labels_[row]), row);
  grid_.add(sums_, cluster, row);
  labels_[row] = static_cast<std::int32_t>(cluster);
  upper_[row] = kInfinity;
  std::fill_n(lower_.begin() + static_cast<std::ptrdiff_t>(row * groups_), groups_, 0.0F);
}

void NearestCenters::assign_first(parallel::Block block, Changes& changes) {
  Scratch scratch{std::vector<GroupLeast>(groups_), {}};
  std::vector<double> distances(kChunk * group_size_);
  std::vector<GroupLeast> leasts(kChunk * groups_);
  for (std::size_t begin = block.begin; begin < block.end; begin += kChunk) {
    const std::size_t count = std::min(kChunk, block.end - begin);
    for (std::size_t g = 0; g < groups_; ++g) {
      simd::squared_distances({points_.row(begin), count, points_.cols}, tables_[g],
                              distances.data());
      for (std::size_t i = 0; i < count; ++i) {
        leasts[i * groups_ + g] = least_of(distances.data() + i * tables_[g].count(), g);
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(leasts.begin() + static_cast<std::ptrdiff_t>(i * groups_), groups_,
                  scratch.groups.begin());
      conclude(begin + i, scratch, changes);
    }
  }
}

void NearestCenters::assign_again(parallel::Block block, Changes& changes) {
  Scratch scratch{std::vector<GroupLeast>(groups_), std::vector<double>(group_size_)};
  for (std::size_t row = block.begin; row < block.end; ++row) {
    const auto label = static_cast<std::size_t>(labels_[row]);
    if (!settled(row, upper_[row] + center_moves_[label], label)) search(row, scratch, changes);
  }
}

// Written so that a NaN anywhere means "not settled".
bool NearestCenters::settled(std::size_t row, double upper, std::size_t label) const {
  if (upper + slack_ < half_gap_[label]) return true;
  return upper + slack_ < least_lower(row);
}

double NearestCenters::least_lower(std::size_t row) const {
  const float* lower = lower_.data() + row * groups_;
  double least = kInfinity;
  for (std::size_t g = 0; g < groups_; ++g) {
    least = std::min(least, static_cast<double>(lower[g]) - group_moves_[g]);
  }
  return least;
}

// The whole group of the own centre costs no more than that centre alone: its sums grow side by
// side. It tightens the upper bound, after which few other groups are left to look at.
void NearestCenters::search(std::size_t row, Scratch& scratch, Changes& changes) {
  const std::size_t own = static_cast<std::size_t>(labels_[row]) / group_size_;
  for (GroupLeast& group : scratch.groups) group.known = false;
  measure(row, own, scratch);
  double upper = root_above(scratch.groups[own].least) * (1 + margin_);
  const float* lower = lower_.data() + row * groups_;
  for (std::size_t g = 0; g < groups_; ++g) {
    if (g == own || upper + slack_ < static_cast<double>(lower[g]) - group_moves_[g]) continue;
    measure(row, g, scratch);
    upper = std::min(upper, root_above(scratch.groups[g].least) * (1 + margin_));
  }
  conclude(row, scratch, changes);
}

void NearestCenters::measure(std::size_t row, std::size_t group, Scratch& scratch) const {
  simd::squared_distances({points_.row(row), 1, points_.cols}, tables_[group],
                          scratch.distances.data());
  scratch.groups[group] = least_of(scratch.distances.data(), group);
}

NearestCenters::GroupLeast NearestCenters::least_of(const double* distances,
                                                    std::size_t group) const {
  GroupLeast out{distances[0], kInfinity, 0, true};
  for (std::size_t i = 1; i < tables_[group].count(); ++i) {
    const bool nearer = distances[i] < out.least;
    out.second = nearer ? out.least : std::min(out.second, distances[i]);
    out.at = nearer ? i : out.at;
    out.least = nearer ? distances[i] : out.least;
  }
  out.at += group * group_size_;
  return out;
}

// Label and bounds of a row from the groups that were measured; the others keep theirs.
void NearestCenters::conclude(std::size_t row, const Scratch& scratch, Changes& changes) {
  double least = kInfinity;
  std::size_t label = clusters_;
  for (const GroupLeast& group : scratch.groups) {
    if (!group.known || (label != clusters_ && !(group.least < least))) continue;
    least = group.least;
    label = group.at;
  }
  float* lower = lower_.data() + row * groups_;
  for (std::size_t g = 0; g < groups_; ++g) {
    const GroupLeast& group = scratch.groups[g];
    if (group.known) lower[g] = stored_lower(group.at == label ? group.second : group.least, g);
  }
  upper_[row] = root_above(least) * (1 + margin_) - center_moves_[label];
  const auto code = static_cast<std::int32_t>(label);
  if (labels_[row] != code) changes.push_back({row, std::exchange(labels_[row], code), code});
}

// Rounded down to a float with room to spare.
float NearestCenters::stored_lower(double squared, std::size_t group) const {
  constexpr double kDown = 1 - 0x1p-22;
  const double bound = (root_below(squared) * (1 - margin_) + group_moves_[group]) * kDown;
  constexpr double kMost = std::numeric_limits<float>::max() / 2;
  return static_cast<float>(std::min(bound, kMost));
}

}  // namespace gradus::kmeans
