#include "gradus/models/cluster/kmeans/nearest_centers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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
  const bool first = labels_.front() == kNoLabel;
  if (first) make_groups(centers);
  prepare(centers);
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

// Centres that begin near to each other compete for the same rows: in one group, they are measured
// together. Each group takes the first centre that is left and those nearest to it.
void NearestCenters::make_groups(const std::vector<double>& centers) {
  std::vector<std::size_t> left(clusters_);
  std::iota(left.begin(), left.end(), std::size_t{0});
  const auto at = [&](std::size_t c) { return centers.data() + c * points_.cols; };
  members_.clear();
  group_of_.assign(clusters_, 0);
  for (std::size_t group = 0; group < groups_; ++group) {
    std::vector<std::pair<double, std::size_t>> order;
    for (const std::size_t c : left) {
      order.emplace_back(squared_distance(at(left.front()), at(c), points_.cols), c);
    }
    const std::size_t count = std::min(group_size_, order.size());
    // The seed stays in its group also when others coincide with it: it has the lowest index.
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end());
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(order[i].second);
    std::sort(chosen.begin(), chosen.end());
    for (const std::size_t c : chosen) {
      members_.push_back(c);
      group_of_[c] = group;
    }
    std::erase_if(
        left, [&](std::size_t c) { return std::binary_search(chosen.begin(), chosen.end(), c); });
  }
}

void NearestCenters::prepare(const std::vector<double>& centers) {
  tables_.clear();
  std::vector<double> packed;
  for (std::size_t first = 0; first < clusters_; first += group_size_) {
    const std::size_t count = std::min(group_size_, clusters_ - first);
    packed.clear();
    for (std::size_t i = first; i < first + count; ++i) {
      const auto from = centers.begin() + static_cast<std::ptrdiff_t>(members_[i] * points_.cols);
      packed.insert(packed.end(), from, from + static_cast<std::ptrdiff_t>(points_.cols));
    }
    tables_.emplace_back(packed.data(), count, points_.cols);
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
    double& most = largest[group_of_[c]];
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
  std::vector<double> distances(kChunk * group_size_);
  std::vector<Best> best(kChunk);
  for (std::size_t begin = block.begin; begin < block.end; begin += kChunk) {
    const std::size_t count = std::min(kChunk, block.end - begin);
    std::fill(best.begin(), best.end(), nothing_yet());
    for (std::size_t g = 0; g < groups_; ++g) {
      simd::squared_distances({points_.row(begin), count, points_.cols}, tables_[g],
                              distances.data());
      for (std::size_t i = 0; i < count; ++i) {
        consider(distances.data() + i * tables_[g].count(), g,
                 lower_.data() + (begin + i) * groups_, best[i]);
      }
    }
    for (std::size_t i = 0; i < count; ++i) conclude(begin + i, best[i], changes);
  }
}

void NearestCenters::assign_again(parallel::Block block, Changes& changes) {
  std::vector<double> distances(group_size_);
  for (std::size_t row = block.begin; row < block.end; ++row) {
    const auto label = static_cast<std::size_t>(labels_[row]);
    if (!settled(row, label)) search(row, distances.data(), changes);
  }
}

// Written so that a NaN anywhere means "not settled".
bool NearestCenters::settled(std::size_t row, std::size_t label) const {
  const double upper = upper_[row] + center_moves_[label] + slack_;
  if (upper < half_gap_[label]) return true;
  const float* lower = lower_.data() + row * groups_;
  for (std::size_t g = 0; g < groups_; ++g) {
    if (!(upper < static_cast<double>(lower[g]) - group_moves_[g])) return false;
  }
  return true;
}

NearestCenters::Best NearestCenters::nothing_yet() const {
  return {kInfinity, kInfinity, clusters_, 0};
}

// The whole group of the own centre costs no more than that centre alone: its sums grow side by
// side. It tightens the upper bound, after which few other groups are left to look at.
void NearestCenters::search(std::size_t row, double* distances, Changes& changes) {
  const simd::Rows one{points_.row(row), 1, points_.cols};
  float* lower = lower_.data() + row * groups_;
  Best best = nothing_yet();
  const std::size_t own = group_of_[static_cast<std::size_t>(labels_[row])];
  simd::squared_distances(one, tables_[own], distances);
  consider(distances, own, lower, best);
  for (std::size_t g = 0; g < groups_; ++g) {
    const double bound = static_cast<double>(lower[g]) - group_moves_[g];
    if (g == own || best.upper + slack_ < bound) continue;
    simd::squared_distances(one, tables_[g], distances);
    consider(distances, g, lower, best);
  }
  conclude(row, best, changes);
}

// Takes the distances of one group into account, and renews its lower bound: the nearest centre
// but for the one that is best.
void NearestCenters::consider(const double* distances, std::size_t group, float* lower,
                              Best& best) const {
  const GroupLeast near = least_of(distances, group);
  const bool first = best.label == clusters_;
  const bool better =
      near.least < best.squared || (near.least == best.squared && near.at < best.label);
  if (!first && !better) {
    lower[group] = stored_lower(near.least, group);
    return;
  }
  if (!first) lower[best.group] = stored_lower(best.squared, best.group);
  lower[group] = stored_lower(near.second, group);
  best = {near.least, root_above(near.least) * (1 + margin_), near.at, group};
}

void NearestCenters::conclude(std::size_t row, const Best& best, Changes& changes) {
  upper_[row] = best.upper - center_moves_[best.label];
  const auto label = static_cast<std::int32_t>(best.label);
  if (labels_[row] != label) changes.push_back({row, std::exchange(labels_[row], label), label});
}

NearestCenters::GroupLeast NearestCenters::least_of(const double* distances,
                                                    std::size_t group) const {
  GroupLeast out{distances[0], kInfinity, 0};
  for (std::size_t i = 1; i < tables_[group].count(); ++i) {
    const double x = distances[i];
    out.at = x < out.least ? i : out.at;
    out.second = std::min(out.second, std::max(x, out.least));
    out.least = std::min(out.least, x);
  }
  out.at = members_[group * group_size_ + out.at];
  return out;
}

// Rounded down to a float with room to spare.
float NearestCenters::stored_lower(double squared, std::size_t group) const {
  constexpr double kDown = 1 - 0x1p-22;
  const double bound = (root_below(squared) * (1 - margin_) + group_moves_[group]) * kDown;
  constexpr double kMost = std::numeric_limits<float>::max() / 2;
  return static_cast<float>(std::min(bound, kMost));
}

}  // namespace gradus::kmeans
