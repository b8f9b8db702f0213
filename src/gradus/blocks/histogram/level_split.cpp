#include "gradus/blocks/histogram/level_split.hpp"

#include <utility>
#include <vector>

#include "gradus/blocks/histogram/category_cuts.hpp"
#include "gradus/blocks/histogram/split_gain.hpp"

namespace gradus {
namespace {

// The gain of one leaf in the sum of its level.
double share(const SplitGain::Gain& gain) { return gain.is_real() ? gain.gain : 0; }

GradientPair sum_of_left(const ColumnHistogram& leaf, const GoesLeft& goes) {
  GradientPair left;
  for (std::size_t bin = 0; bin < leaf.bins.bins; ++bin) {
    if (goes[bin] != 0) left += leaf.pairs[bin];
  }
  if (goes[leaf.bins.missing] != 0) left += leaf.pairs[leaf.bins.missing];
  return left;
}

// All leaves of a level as one histogram.
struct WholeLevel {
  explicit WholeLevel(std::span<const ColumnHistogram> leaves)
      : pairs(leaves.front().bins.missing + 1),
        histogram{leaves.front().bins, leaves.front().column, pairs.data(), {}} {
    for (const ColumnHistogram& leaf : leaves) {
      for (std::size_t bin = 0; bin < leaf.bins.bins; ++bin) pairs[bin] += leaf.pairs[bin];
      pairs.back() += leaf.pairs[leaf.bins.missing];
      histogram.total += leaf.total;
    }
  }
  WholeLevel(const WholeLevel&) = delete;
  WholeLevel& operator=(const WholeLevel&) = delete;

  std::vector<GradientPair> pairs;
  ColumnHistogram histogram;
};

// The gains of every cut of a numeric column, summed leaf by leaf.
class NumberCuts {
 public:
  NumberCuts(std::span<const ColumnHistogram> leaves, const FixedPoint& scale,
             const SplitRules& rules)
      : scale_(scale),
        rules_(rules),
        missing_right_(leaves.front().bins.bins, 0.0),
        missing_left_(leaves.front().bins.bins, 0.0) {
    for (const ColumnHistogram& leaf : leaves) {
      any_missing_ = any_missing_ || scale.count(leaf.pairs[leaf.bins.missing]) > 0;
    }
    for (const ColumnHistogram& leaf : leaves) {
      if (any_missing_) {
        add_with_missing(leaf);
      } else {
        add(leaf);
      }
    }
  }

  SplitCandidate best(const ColumnHistogram& any) const {
    SplitCandidate best{.column = any.column};
    // All values left and all missing right is a question too, but only when
    // some are missing.
    const std::size_t last = any.bins.bins - (any_missing_ ? 0 : 1);
    for (std::size_t bin = 0; bin < last; ++bin) {
      consider(missing_right_[bin], bin, false, best);
      if (any_missing_) consider(missing_left_[bin], bin, true, best);
    }
    return best;
  }

 private:
  void add(const ColumnHistogram& leaf) {
    const SplitGain gain(leaf, scale_, rules_);
    double now = 0;
    GradientPair left;
    // Behind the last row of the leaf nothing is parted.
    for (std::size_t bin = 0; bin < leaf.bins.bins && left != leaf.total; ++bin) {
      if (leaf.pairs[bin] != GradientPair{}) {  // else nothing moves in this leaf
        left += leaf.pairs[bin];
        now = share(gain.of(left));
      }
      missing_right_[bin] += now;
    }
  }

  void add_with_missing(const ColumnHistogram& leaf) {
    const SplitGain gain(leaf, scale_, rules_);
    const GradientPair missing = leaf.pairs[leaf.bins.missing];
    double right = 0;
    double with_missing = share(gain.of(missing));
    GradientPair left;
    for (std::size_t bin = 0; bin < leaf.bins.bins; ++bin) {
      if (leaf.pairs[bin] != GradientPair{}) {
        left += leaf.pairs[bin];
        right = share(gain.of(left));
        with_missing = share(gain.of(left + missing));
      }
      missing_right_[bin] += right;
      missing_left_[bin] += with_missing;
    }
  }

  void consider(double gain, std::size_t bin, bool missing_left, SplitCandidate& best) const {
    if (gain <= best.gain || gain <= rules_.min_gain) return;
    best = {true, best.column, gain, bin, missing_left, {}};
  }

  const FixedPoint& scale_;
  const SplitRules& rules_;
  bool any_missing_ = false;
  std::vector<double> missing_right_;  // by the last bin on the left
  std::vector<double> missing_left_;
};

SplitCandidate best_set(std::span<const ColumnHistogram> leaves, const FixedPoint& scale,
                        const SplitRules& rules) {
  const WholeLevel level(leaves);
  const CategoryCuts cuts(level.histogram, scale, rules.categories);
  std::vector<double> gains(cuts.order().size() + 1, 0.0);
  for (const ColumnHistogram& leaf : leaves) {
    const SplitGain gain(leaf, scale, rules);
    GradientPair left;
    for (std::size_t cut = 1; cut < cuts.order().size(); ++cut) {
      left += leaf.pairs[cuts.order()[cut - 1]];
      gains[cut] += share(gain.of(left));
    }
  }
  SplitCandidate best{.column = level.histogram.column};
  cuts.for_each([&](std::size_t cut) {
    if (gains[cut] <= best.gain || gains[cut] <= rules.min_gain) return;
    best = {true, best.column, gains[cut], cut, cuts.missing_left(cut), {}};
  });
  return best;
}

}  // namespace

SplitCandidate best_level_split(std::span<const ColumnHistogram> leaves, const FixedPoint& scale,
                                const SplitRules& relative) {
  if (leaves.front().bins.nominal) return best_set(leaves, scale, relative);
  return NumberCuts(leaves, scale, relative).best(leaves.front());
}

LevelQuestion level_question(std::span<const ColumnHistogram> leaves, SplitCandidate candidate,
                             const FixedPoint& scale, const CategoryRules& rules) {
  const WholeLevel level(leaves);
  GoesLeft goes = goes_left(level.histogram, candidate, scale, rules);
  candidate.left = sum_of_left(level.histogram, goes);
  // Nothing missing was seen: later, missing goes with the larger side.
  if (scale.count(level.pairs.back()) == 0) {
    candidate.missing_left = 2 * scale.count(candidate.left) >= scale.count(level.histogram.total);
    goes.back() = candidate.missing_left ? 1 : 0;
  }
  return {candidate, std::move(goes)};
}

SplitCandidate part_of_level(const ColumnHistogram& leaf, const LevelQuestion& question,
                             const FixedPoint& scale, const SplitRules& relative) {
  SplitCandidate part = question.candidate;
  part.left = sum_of_left(leaf, question.goes);
  const SplitGain::Gain gain = SplitGain(leaf, scale, relative).of(part.left);
  part.found = gain.is_real();
  part.gain = gain.gain;
  return part;
}

}  // namespace gradus
