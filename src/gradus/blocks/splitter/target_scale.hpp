// Targets whose squares leave the range of numbers, grown in units of a power of two.
//
// A tree adds up squares of distances, and the folds of CART squares of those: from 1e77 on, or
// below 1e-77, these overflow or vanish while the targets themselves are harmless. Dividing a
// target by a power of two changes no digit of it, so the tree of y / 2^k is that of y, question by
// question, and its answers times 2^k are those of y. Ordinary targets are left alone.
//
//   const ScaledTarget target(task, criterion, weights);
//   options.min_impurity_decrease = target.units().own_limit(options.min_impurity_decrease);
//   ExactTree tree = ExactGrower({table, codes, target.numbers(), classes}, context).grow(…);
//   target.units().restore(tree);
//
// An impurity may have no number in the user's units (1e160 squared). It is then told in units of
// another power of two, the nearest at which the largest has one: finite, and right as a share.
#pragma once

#include <span>
#include <vector>

#include "gradus/blocks/splitter/tree_choices.hpp"
#include "gradus/contract/train_task.hpp"

namespace gradus {

struct ExactTree;

// From the units in which a tree is grown back to those of the user; each is an exponent of two.
struct TargetUnits {
  int target = 0;
  int power = 2;     // the impurity is a power of the target
  int impurity = 0;  // power · target, unless that has no number
  int square = 0;    // 2 · target, likewise: of squared errors, whatever the criterion

  bool changed() const { return target != 0; }
  // Whether impurities are told in the user's units.
  bool exact() const { return impurity == power * target; }
  double answer(double x) const;
  double own_answer(double x) const;
  double of_impurity(double x) const;
  double of_square(double x) const;
  // A limit of the impurity as the user gave it, in the units of the growth.
  double own_limit(double x) const;
  void restore(ExactTree& tree) const;
};

class ScaledTarget {
 public:
  // `weights` has a number for every row; rows of weight 0 do not count. Nothing for classes.
  ScaledTarget(const TrainTask& task, TreeCriterion criterion, std::span<const double> weights);

  std::span<const double> numbers() const { return scaled_.empty() ? given_ : scaled_; }
  const TargetUnits& units() const { return units_; }
  // Error{bad_data} when as many answers may add up to more than the largest number.
  void check_sum_of(std::size_t answers, const Signature& signature) const;

 private:
  std::span<const double> given_;
  std::vector<double> scaled_;
  TargetUnits units_;
  double largest_ = 0;
};

}  // namespace gradus
