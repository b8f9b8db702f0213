#include "gradus/blocks/histogram/best_split.hpp"

#include <algorithm>
#include <array>
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
  const SplitGain& gain() const { return gain_; }

 private:
  SplitGain gain_;
  double min_gain_;
  SplitCandidate best_;
};

// The cuts between numbers. Where nothing is missing, there is one after each bin but the last;
// otherwise missing values go to either side, and all values left with all missing right is a
// question too.
class ColumnCuts {
 public:
  ColumnCuts(const ColumnHistogram& histogram, const FixedPoint& scale)
      : histogram_(histogram),
        missing_(histogram.pairs[histogram.bins.missing]),
        some_missing_(scale.count(missing_) > 0),
        count_(histogram.bins.bins - (some_missing_ ? 0 : 1)) {}

  // Enough to be judged side by side.
  bool are_many() const { return count_ >= 4; }

  void search_one_by_one(Search& search) const {
    GradientPair left;
    for (std::size_t bin = 0; bin < count_; ++bin) {
      const GradientPair& pair = histogram_.pairs[bin];
      if (pair == GradientPair{}) continue;  // an empty bin moves no row
      left += pair;
      search.consider(left, bin, false);
      if (some_missing_) search.consider(left + missing_, bin, true);
    }
  }

  // The same candidate: among equal gains the first is taken here too.
  void search_together(Search& search) const {
    const simd::CutRules rules = search.gain().cut_rules();
    GradientPair left;
    for (std::size_t begin = 0; begin < count_; begin += kTogether) {
      const std::size_t count = std::min(kTogether, count_ - begin);
      Some some;
      for (std::size_t i = 0; i < count; ++i) {
        left += histogram_.pairs[begin + i];
        some.gradient[i] = left.gradient;
        some.weight[i] = left.weight;
      }
      const Found right = some.best(count, rules);
      Found both = right;
      if (some_missing_) {
        for (std::size_t i = 0; i < count; ++i) {
          some.gradient[i] += missing_.gradient;
          some.weight[i] += missing_.weight;
        }
        const Found with_missing = some.best(count, rules);
        if (with_missing.comes_before(right)) both = {with_missing.gain, with_missing.at, true};
      }
      if (!both.is_allowed()) continue;
      GradientPair sum{some.gradient[both.at], some.weight[both.at]};
      if (some_missing_ && !both.missing_left) sum -= missing_;
      search.consider(sum, begin + both.at, both.missing_left);
    }
  }

 private:
  static constexpr std::size_t kTogether = 256;
  static constexpr double kForbidden = -std::numeric_limits<double>::infinity();

  struct Found {
    double gain = kForbidden;
    std::size_t at = 0;
    bool missing_left = false;
    bool is_allowed() const { return gain != kForbidden; }
    bool comes_before(const Found& other) const {
      return gain > other.gain || (gain == other.gain && at < other.at);
    }
  };

  struct Some {
    std::array<std::int64_t, kTogether> gradient;
    std::array<std::int64_t, kTogether> weight;

    Found best(std::size_t count, const simd::CutRules& rules) const {
      const simd::BestCut cut = simd::best_cut({gradient.data(), weight.data(), count}, rules);
      return {cut.gain, cut.at};
    }
  };

  const ColumnHistogram& histogram_;
  GradientPair missing_;
  bool some_missing_;
  std::size_t count_;
};

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
    const ColumnCuts cuts(histogram, scale);
    if (search.gain().is_free() && cuts.are_many()) {
      cuts.search_together(search);
    } else {
      cuts.search_one_by_one(search);
    }
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
