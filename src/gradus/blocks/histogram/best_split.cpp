#include "gradus/blocks/histogram/best_split.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gradus/blocks/histogram/category_cuts.hpp"
#include "gradus/blocks/histogram/split_gain.hpp"

namespace gradus {
namespace {

class Search {
 public:
  Search(const ColumnHistogram& histogram, const FixedPoint& scale, const SplitRules& rules)
      : gain_(histogram, scale, rules), min_gain_(rules.min_gain) {
    best_.column = histogram.column;
  }

  void consider(const GradientPair& left, std::size_t bin, bool missing_left) {
    const SplitGain::Gain gain = gain_.of(left);
    if (gain.gain <= best_.gain || gain.gain <= min_gain_ || !gain.is_real()) return;
    best_ = {true, best_.column, gain.gain, bin, missing_left, left};
  }

  SplitCandidate best() const { return best_; }

 private:
  SplitGain gain_;
  double min_gain_;
  SplitCandidate best_;
};

void search_numbers(Search& search, const ColumnHistogram& histogram, const FixedPoint& scale) {
  const GradientPair missing = histogram.pairs[histogram.bins.missing];
  const bool some_missing = scale.count(missing) > 0;
  // All values left and all missing right is a question too, but only when some are missing.
  const std::size_t last = histogram.bins.bins - (some_missing ? 0 : 1);
  GradientPair left;
  for (std::size_t bin = 0; bin < last; ++bin) {
    const GradientPair& pair = histogram.pairs[bin];
    if (pair == GradientPair{}) continue;  // an empty bin moves no row
    left += pair;
    search.consider(left, bin, false);
    if (some_missing) search.consider(left + missing, bin, true);
  }
}

}  // namespace

std::vector<std::size_t> category_order(const ColumnHistogram& histogram, const FixedPoint& scale,
                                        double smoothing) {
  std::vector<std::size_t> order;
  std::vector<double> key(histogram.bins.missing + 1, 0.0);
  const auto add = [&](std::size_t bin) {
    const GradientPair& pair = histogram.pairs[bin];
    if (scale.count(pair) == 0) return;
    key[bin] = scale.relative_gradient(pair) / (scale.hessian(pair) + smoothing);
    order.push_back(bin);
  };
  for (std::size_t bin = 0; bin < histogram.bins.bins; ++bin) add(bin);
  add(histogram.bins.missing);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
  return order;
}

CategoryCuts::CategoryCuts(const ColumnHistogram& histogram, const FixedPoint& scale,
                           const CategoryRules& rules)
    : scale_(scale),
      rules_(rules),
      order_(category_order(histogram, scale, rules.smoothing)),
      missing_(static_cast<std::size_t>(
          std::find(order_.begin(), order_.end(), histogram.bins.missing) - order_.begin())) {
  lefts_.push_back({});
  for (const std::size_t bin : order_) lefts_.push_back(lefts_.back() + histogram.pairs[bin]);
}

double split_score(const GradientPair& pair, const FixedPoint& scale, const SplitRules& rules) {
  return score_of_sums(scale.relative_gradient(pair), scale.hessian(pair), rules);
}

double leaf_weight(const GradientPair& pair, const FixedPoint& scale, const SplitRules& rules) {
  const double divisor = scale.hessian(pair) + rules.reg_lambda;
  return divisor > 0 ? -shrunk_gradient(scale.gradient(pair), rules.reg_alpha) / divisor : 0;
}

SplitRules relative_rules(const SplitRules& rules, const FixedPoint& scale) {
  SplitRules relative = rules;
  relative.reg_alpha = std::ldexp(rules.reg_alpha, -scale.exponent());
  relative.min_gain = std::ldexp(rules.min_gain, -2 * scale.exponent());
  return relative;
}

SplitCandidate best_split(const ColumnHistogram& histogram, const FixedPoint& scale,
                          const SplitRules& relative) {
  Search search(histogram, scale, relative);
  if (histogram.bins.nominal) {
    const CategoryCuts cuts(histogram, scale, relative.categories);
    cuts.for_each(
        [&](std::size_t cut) { search.consider(cuts.left_of(cut), cut, cuts.missing_left(cut)); });
  } else {
    search_numbers(search, histogram, scale);
  }
  SplitCandidate best = search.best();
  // Nothing missing was seen: later, missing goes with the larger child.
  if (best.found && scale.count(histogram.pairs[histogram.bins.missing]) == 0) {
    best.missing_left = 2 * scale.count(best.left) >= scale.count(histogram.total);
  }
  return best;
}

GoesLeft goes_left(const ColumnHistogram& histogram, const SplitCandidate& candidate,
                   const FixedPoint& scale, const CategoryRules& rules) {
  GoesLeft left(histogram.bins.missing + 1, 0);
  if (histogram.bins.nominal) {
    const std::vector<std::size_t> order = category_order(histogram, scale, rules.smoothing);
    for (std::size_t i = 0; i < candidate.bin; ++i) left[order[i]] = 1;
  } else {
    std::fill_n(left.begin(), candidate.bin + 1, std::uint8_t{1});
  }
  left.back() = candidate.missing_left ? 1 : 0;
  return left;
}

}  // namespace gradus
