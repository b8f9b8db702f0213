// What one cut of a column's histogram gains in a leaf; see best_split.hpp for the formulas.
//
// The innermost loops of all trees that grow from histograms ask for this, hence inline.
//
//   const SplitGain gain(histogram, scale, rules);
//   if (gain.of(left).is_real()) ...
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/blocks/histogram/best_split.hpp"

namespace gradus {

// T(G): moves a gradient towards 0 by α.
inline double shrunk_gradient(double gradient, double alpha) {
  if (alpha == 0) return gradient;
  const double size = std::max(std::abs(gradient) - alpha, 0.0);
  return gradient < 0 ? -size : size;
}

// T(G)² / (H + λ).
inline double score_of_sums(double gradient, double hessian, const SplitRules& rules) {
  const double shrunken = shrunk_gradient(gradient, rules.reg_alpha);
  const double divisor = hessian + rules.reg_lambda;
  return divisor > 0 ? shrunken * shrunken / divisor : 0;
}

class SplitGain {
 public:
  struct Gain {
    double gain = -std::numeric_limits<double>::infinity();  // so where the rules forbid the cut
    double children = 0;  // the scores of the children: what the gain is the difference of

    bool is_allowed() const { return gain != -std::numeric_limits<double>::infinity(); }
    // More than rounding leaves over.
    bool is_real() const { return gain > kNoise * children; }
  };

  SplitGain(const ColumnHistogram& histogram, const FixedPoint& scale, const SplitRules& relative)
      : histogram_(histogram),
        scale_(scale),
        rules_(rules_of_children(histogram, relative)),
        constrained_(histogram.direction != Direction::any || !histogram.bounds.none()) {
    const GradientPair& total = histogram.total;
    parent_ = constrained_ ? bounded(scale.relative_gradient(total), scale.hessian(total), relative,
                                     histogram.bounds)
                                 .score
                           : split_score(total, scale, relative);
  }

  // Without bounds and directions many cuts can be looked at together: by what rules.
  bool is_free() const { return !constrained_; }
  simd::CutRules cut_rules() const {
    simd::CutRules rules = scale_.cut_rules();
    rules.gradient = histogram_.total.gradient;
    rules.weight = histogram_.total.weight;
    rules.alpha = rules_.reg_alpha;
    rules.lambda = rules_.reg_lambda;
    rules.parent = parent_;
    rules.least_count = static_cast<std::int64_t>(rules_.min_samples_leaf);
    rules.least_hessian = rules_.min_child_weight;
    return rules;
  }

  Gain of(const GradientPair& left) const {
    const GradientPair right = histogram_.total - left;
    if (scale_.count(left) < rules_.min_samples_leaf) return {};
    if (scale_.count(right) < rules_.min_samples_leaf) return {};
    const double left_weight = scale_.hessian(left);
    const double right_weight = scale_.hessian(right);
    if (left_weight < rules_.min_child_weight || right_weight < rules_.min_child_weight) return {};
    const double left_gradient = scale_.relative_gradient(left);
    const double right_gradient = scale_.relative_gradient(right);
    double children = 0;
    if (constrained_) {
      const LeafBounds& bounds = histogram_.bounds;
      const Bounded low = bounded(left_gradient, left_weight, rules_, bounds);
      const Bounded high = bounded(right_gradient, right_weight, rules_, bounds);
      const auto direction = static_cast<double>(histogram_.direction);
      if (direction * (high.value - low.value) < 0) return {};
      children = low.score + high.score;
    } else {
      children = score_of_sums(left_gradient, left_weight, rules_) +
                 score_of_sums(right_gradient, right_weight, rules_);
    }
    return {children - parent_, children};
  }

 private:
  // Gains below this share of the scores that they are the difference of are rounding noise.
  static constexpr double kNoise = 1e-12;

  // A value inside its bounds and what it scores: T(G)²/(H + λ) when the bounds do not matter.
  struct Bounded {
    double value = 0;
    double score = 0;
  };

  static Bounded bounded(double gradient, double hessian, const SplitRules& rules,
                         const LeafBounds& bounds) {
    const double divisor = hessian + rules.reg_lambda;
    const double free = divisor > 0 ? -shrunk_gradient(gradient, rules.reg_alpha) / divisor : 0;
    const double value = bounds.keep(free);
    const double cost =
        2 * gradient * value + divisor * value * value + 2 * rules.reg_alpha * std::abs(value);
    return {value, -cost};
  }

  static SplitRules rules_of_children(const ColumnHistogram& histogram, SplitRules rules) {
    if (histogram.bins.nominal) rules.reg_lambda += rules.categories.extra_lambda;
    return rules;
  }

  const ColumnHistogram& histogram_;
  const FixedPoint& scale_;
  SplitRules rules_;
  bool constrained_;
  double parent_ = 0;
};

}  // namespace gradus
