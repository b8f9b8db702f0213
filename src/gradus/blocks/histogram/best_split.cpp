#include "gradus/blocks/histogram/best_split.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gradus {
namespace {

// Gains below this share of the scores that they are the difference of are rounding noise.
constexpr double kNoise = 1e-12;

double shrunk(double gradient, double alpha) {
  if (alpha == 0) return gradient;
  const double size = std::max(std::abs(gradient) - alpha, 0.0);
  return gradient < 0 ? -size : size;
}

double score_of(double gradient, double hessian, const SplitRules& rules) {
  const double shrunken = shrunk(gradient, rules.reg_alpha);
  const double divisor = hessian + rules.reg_lambda;
  return divisor > 0 ? shrunken * shrunken / divisor : 0;
}

// A value inside its bounds and what it scores: T(G)²/(H + λ) when the bounds do not matter.
struct Bounded {
  double value = 0;
  double score = 0;
};

Bounded bounded_score(double gradient, double hessian, const SplitRules& rules,
                      const LeafBounds& bounds) {
  const double divisor = hessian + rules.reg_lambda;
  const double free = divisor > 0 ? -shrunk(gradient, rules.reg_alpha) / divisor : 0;
  const double value = bounds.keep(free);
  const double cost =
      2 * gradient * value + divisor * value * value + 2 * rules.reg_alpha * std::abs(value);
  return {value, -cost};
}

class Search {
 public:
  Search(const ColumnHistogram& histogram, const FixedPoint& scale, const SplitRules& rules)
      : histogram_(histogram),
        scale_(scale),
        rules_(rules_of_children(histogram, rules)),
        constrained_(histogram.direction != Direction::any || !histogram.bounds.none()) {
    const GradientPair& total = histogram.total;
    parent_ = constrained_ ? bounded_score(scale.relative_gradient(total), scale.hessian(total),
                                           rules, histogram.bounds)
                                 .score
                           : split_score(total, scale, rules);
    best_.column = histogram.column;
  }

  void consider(const GradientPair& left, std::size_t bin, bool missing_left) {
    const GradientPair right = histogram_.total - left;
    if (scale_.count(left) < rules_.min_samples_leaf) return;
    if (scale_.count(right) < rules_.min_samples_leaf) return;
    const double left_weight = scale_.hessian(left);
    const double right_weight = scale_.hessian(right);
    if (left_weight < rules_.min_child_weight || right_weight < rules_.min_child_weight) return;
    const double left_gradient = scale_.relative_gradient(left);
    const double right_gradient = scale_.relative_gradient(right);
    double children = 0;
    if (constrained_) {
      const LeafBounds& bounds = histogram_.bounds;
      const Bounded low = bounded_score(left_gradient, left_weight, rules_, bounds);
      const Bounded high = bounded_score(right_gradient, right_weight, rules_, bounds);
      const auto direction = static_cast<double>(histogram_.direction);
      if (direction * (high.value - low.value) < 0) return;
      children = low.score + high.score;
    } else {
      children = score_of(left_gradient, left_weight, rules_) +
                 score_of(right_gradient, right_weight, rules_);
    }
    const double gain = children - parent_;
    if (gain <= best_.gain || gain <= rules_.min_gain || gain <= kNoise * children) return;
    best_ = {true, histogram_.column, gain, bin, missing_left, left};
  }

  SplitCandidate best() const { return best_; }

 private:
  static SplitRules rules_of_children(const ColumnHistogram& histogram, SplitRules rules) {
    if (histogram.bins.nominal) rules.reg_lambda += rules.categories.extra_lambda;
    return rules;
  }

  const ColumnHistogram& histogram_;
  const FixedPoint& scale_;
  SplitRules rules_;
  bool constrained_;
  double parent_ = 0;
  SplitCandidate best_;
};

// The filled bins in the order in which they are cut, missing being one more category.
std::vector<std::size_t> category_order(const ColumnHistogram& histogram, const FixedPoint& scale,
                                        double smoothing) {
  std::vector<std::size_t> order;
  std::array<double, kBinSlots> key{};
  const auto add = [&](std::size_t bin) {
    const GradientPair& pair = histogram.pairs[bin];
    if (scale.count(pair) == 0) return;
    key[bin] = scale.relative_gradient(pair) / (scale.hessian(pair) + smoothing);
    order.push_back(bin);
  };
  for (std::size_t bin = 0; bin < histogram.bins.bins; ++bin) add(bin);
  add(kMissingBin);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
  return order;
}

// The cuts of the ordered categories that the rules allow.
class CategoryCuts {
 public:
  CategoryCuts(Search& search, const ColumnHistogram& histogram, const FixedPoint& scale,
               const CategoryRules& rules)
      : search_(search),
        scale_(scale),
        rules_(rules),
        order_(category_order(histogram, scale, rules.smoothing)),
        missing_(static_cast<std::size_t>(std::find(order_.begin(), order_.end(), kMissingBin) -
                                          order_.begin())) {
    lefts_.push_back({});
    for (const std::size_t bin : order_) lefts_.push_back(lefts_.back() + histogram.pairs[bin]);
  }

  // The smaller side is a set from either end. Where nothing limits it, one end gives all cuts.
  void try_all() {
    const std::size_t count = order_.size();
    const bool free = rules_.min_rows <= 1 && rules_.max_set + 1 >= count;
    try_ends(count, [](std::size_t taken) { return taken; });
    if (!free) try_ends(count, [count](std::size_t taken) { return count - taken; });
  }

 private:
  // `cut_of(taken)` is the cut that has `taken` categories on the side that grows.
  template <class CutOf>
  void try_ends(std::size_t count, CutOf cut_of) {
    std::size_t before = rows_left_of(cut_of(0));
    const std::size_t all = rows_left_of(cut_of(count));
    for (std::size_t taken = 1; taken < count && taken <= rules_.max_set; ++taken) {
      const std::size_t cut = cut_of(taken);
      const std::size_t rows = rows_left_of(cut);
      if (distance(rows, all) < rules_.min_rows) return;
      if (distance(rows, before) < rules_.min_rows) continue;
      before = rows;
      search_.consider(lefts_[cut], cut, missing_ < cut);
    }
  }

  std::size_t rows_left_of(std::size_t cut) const { return scale_.count(lefts_[cut]); }
  static std::size_t distance(std::size_t a, std::size_t b) { return a < b ? b - a : a - b; }

  Search& search_;
  const FixedPoint& scale_;
  const CategoryRules& rules_;
  std::vector<std::size_t> order_;
  std::size_t missing_;              // the place of missing in the order; behind it: none
  std::vector<GradientPair> lefts_;  // cut: the sums of what is left of it
};

void search_numbers(Search& search, const ColumnHistogram& histogram, const FixedPoint& scale) {
  const GradientPair missing = histogram.pairs[kMissingBin];
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

double split_score(const GradientPair& pair, const FixedPoint& scale, const SplitRules& rules) {
  return score_of(scale.relative_gradient(pair), scale.hessian(pair), rules);
}

double leaf_weight(const GradientPair& pair, const FixedPoint& scale, const SplitRules& rules) {
  const double divisor = scale.hessian(pair) + rules.reg_lambda;
  return divisor > 0 ? -shrunk(scale.gradient(pair), rules.reg_alpha) / divisor : 0;
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
    CategoryCuts(search, histogram, scale, relative.categories).try_all();
  } else {
    search_numbers(search, histogram, scale);
  }
  SplitCandidate best = search.best();
  // Nothing missing was seen: later, missing goes with the larger child.
  if (best.found && scale.count(histogram.pairs[kMissingBin]) == 0) {
    best.missing_left = 2 * scale.count(best.left) >= scale.count(histogram.total);
  }
  return best;
}

GoesLeft goes_left(const ColumnHistogram& histogram, const SplitCandidate& candidate,
                   const FixedPoint& scale, const CategoryRules& rules) {
  GoesLeft left{};
  if (histogram.bins.nominal) {
    const std::vector<std::size_t> order = category_order(histogram, scale, rules.smoothing);
    for (std::size_t i = 0; i < candidate.bin; ++i) left[order[i]] = 1;
  } else {
    std::fill_n(left.begin(), candidate.bin + 1, std::uint8_t{1});
  }
  left[kMissingBin] = candidate.missing_left ? 1 : 0;
  return left;
}

}  // namespace gradus
