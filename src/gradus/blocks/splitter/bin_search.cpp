#include "gradus/blocks/splitter/bin_search.hpp"

#include <limits>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/splitter/running_sums.hpp"

namespace gradus {

// The best cut so far, and where what is missing stands in this pass.
struct BinSearch::Sweep {
  bool missing_left = false;
  bool found = false;
  double gain = -std::numeric_limits<double>::infinity();
  std::uint32_t rank = 0;  // the last on the left
  std::uint32_t next = 0;  // the first on the right; the same when all that is present goes left
  std::size_t left = 0;    // rows
  double left_weight = 0;
  bool best_missing_left = false;
};

bool BinSearch::suits(const NodeSample& sample, const RankedColumn& column,
                      const SplitLimits& limits) {
  return !column.edges.empty() && sample.classes == 0 &&
         limits.criterion == TreeCriterion::squared_error && sample.size() >= column.ranks;
}

// The sums of every bin, and at last those of what is missing.
void BinSearch::add_up(const RankedColumn& column, std::size_t index) {
  scratch_.bins.assign(column.ranks + 1, {});
  const std::uint32_t* rank = ranks_in(sample_, column, index);
  BinSums* bins = scratch_.bins.data();
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    BinSums& bin = bins[rank[sample_.rows[i]]];
    const double weight = sample_.weights[i];
    bin.weight += weight;
    bin.sum += weight * (sample_.numbers[i] - state_.center);
    ++bin.rows;
  }
}

void BinSearch::search(const RankedColumn& column, ExactSplit& best,
                       std::vector<Boundary>* boundaries) {
  add_up(column, best.question.feature);
  Sweep found;
  sweep(column, found, boundaries);
  const bool any_missing = scratch_.bins.back().rows > 0;
  std::size_t filled = 0;
  for (const BinSums& bin : scratch_.bins) filled += bin.rows > 0 ? 1 : 0;
  best.constant = filled < 2;
  if (any_missing) {
    found.missing_left = true;
    sweep(column, found, nullptr);
  }
  if (!found.found) return;
  best.found = true;
  best.gain = found.gain;
  const double sides[] = {found.left_weight, state_.weight - found.left_weight};
  best.split_information = entropy(sides);
  best.rank = found.rank;
  best.question.threshold = found.next == found.rank ? std::numeric_limits<double>::max()
                                                     : column.cut_between(found.rank, found.next);
  // Nothing missing was seen: later, missing goes with the larger part.
  best.question.missing_left =
      any_missing ? found.best_missing_left : 2 * found.left >= sample_.size();
}

void BinSearch::sweep(const RankedColumn& column, Sweep& found,
                      std::vector<Boundary>* boundaries) const {
  const std::vector<BinSums>& bins = scratch_.bins;
  const double tie = kGainTie * state_.impurity;
  SquaredSums sums(state_);
  std::size_t left = 0;
  const auto take = [&](const BinSums& bin) {
    sums.add(bin.weight, bin.sum);
    left += bin.rows;
  };
  const auto judge = [&](std::uint32_t rank, std::uint32_t next) {
    if (left < limits_.min_samples_leaf || sample_.size() - left < limits_.min_samples_leaf ||
        sums.left_weight() < limits_.min_weight_leaf ||
        sums.right_weight() < limits_.min_weight_leaf) {
      return;
    }
    const double gain = state_.impurity - sums.rest() / state_.weight;
    if (boundaries != nullptr && next != rank) {
      boundaries->push_back({column.cut_between(rank, next), gain});
    }
    if (gain <= found.gain + tie) return;
    found.found = true;
    found.gain = gain;
    found.rank = rank;
    found.next = next;
    found.left = left;
    found.left_weight = sums.left_weight();
    found.best_missing_left = found.missing_left;
  };
  if (found.missing_left) take(bins.back());
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t last = kNone;
  for (std::uint32_t rank = 0; rank < column.ranks; ++rank) {
    if (bins[rank].rows == 0) continue;
    if (last != kNone) judge(last, rank);
    take(bins[rank]);
    last = rank;
  }
  // The last boundary parts all that is present from all that is missing.
  if (!found.missing_left && last != kNone && bins.back().rows > 0) judge(last, last);
}

}  // namespace gradus
