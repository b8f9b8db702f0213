// How a single tree of gradient boosting grows, and what it must not say.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/describe.hpp"

namespace gradus {

enum class GrowPolicy { automatic, leaf_wise, level_wise, symmetric };
constexpr std::array<std::string_view, 4> enum_names(GrowPolicy) {
  return {"auto", "leaf_wise", "level_wise", "symmetric"};
}

struct BoostingTree {
  std::optional<int> max_leaf_nodes = {};
  std::optional<int> max_depth = {};
  GrowPolicy grow_policy = GrowPolicy::automatic;
  int min_samples_leaf = 5;
  double min_child_weight = 1e-3;
  std::optional<double> l2_regularization = {};
  double reg_alpha = 0;
  double min_split_gain = 0;
  std::optional<int> max_bins = {};

  template <class T = BoostingTree>
  static constexpr auto describe() {
    return Members{
        param(&T::max_leaf_nodes, "max_leaf_nodes",
              "Most leaves of a tree; none: 31, and 64 where it is symmetric.")
            .at_least(2)
            .aka("num_leaves", "max_leaves")
            .tune(4, 255, log_scale),
        param(&T::max_depth, "max_depth",
              "The longest path from the root to a leaf; none: as max_leaf_nodes allows.")
            .at_least(1)
            .tune(2, 16),
        param(
            &T::grow_policy, "grow_policy",
            "Which leaf is split next: the one that gains most (leaf_wise), or all of a level "
            "before the next, each by a question of its own (level_wise) or all by the same one "
            "(symmetric); auto: symmetric for up to 1000 rows where five folds find the number of "
            "rounds, leaf_wise elsewhere.")
            .aka("growing_strategy"),
        param(&T::min_samples_leaf, "min_samples_leaf", "Fewest rows in a leaf.")
            .at_least(1)
            .aka("min_data_in_leaf", "min_child_samples")
            .tune(1, 100, log_scale),
        param(&T::min_child_weight, "min_child_weight", "Least sum of hessians in a leaf.")
            .at_least(0)
            .aka("min_sum_hessian_in_leaf"),
        param(&T::l2_regularization, "l2_regularization",
              "L2 penalty λ on the leaf values: a leaf answers −G/(H + λ); none: 5, and for "
              "three or more classes where five folds find the number of rounds 20 over the square "
              "of their number.")
            .at_least(0)
            .aka("reg_lambda", "lambda_l2", "l2_leaf_reg")
            .tune(1e-3, 100, log_scale),
        param(&T::reg_alpha, "reg_alpha",
              "L1 penalty on the leaf values: G moves towards 0 by this much.")
            .at_least(0)
            .aka("lambda_l1", "l1_regularization"),
        param(&T::min_split_gain, "min_split_gain", "A split must gain more than this.")
            .at_least(0)
            .aka("gamma", "min_split_loss", "min_gain_to_split"),
        param(&T::max_bins, "max_bins",
              "Most bins of a column, without the one for missing values; none: 255, and 64 where "
              "five folds find the number of rounds for up to 1000 rows. A column of more than 255 "
              "makes the codes of all columns two bytes long.")
            .at_least(2)
            .at_most(65535)};
  }
};

// What is known beforehand about the answer.
struct BoostingConstraints {
  std::vector<std::string> increasing = {};
  std::vector<std::string> decreasing = {};
  std::vector<std::string> interaction_cst = {};

  template <class C = BoostingConstraints>
  static constexpr auto describe() {
    return Members{
        param(&C::increasing, "increasing",
              "Numeric or ordinal columns with which the answer (of two classes the probability of "
              "the second) must not fall, all else being equal; not for three or more classes.")
            .aka("monotone_increasing"),
        param(&C::decreasing, "decreasing",
              "Numeric or ordinal columns with which the answer (of two classes the probability of "
              "the second) must not rise, all else being equal; not for three or more classes.")
            .aka("monotone_decreasing"),
        param(&C::interaction_cst, "interaction_cst",
              "Groups of columns that may stand on one path of a tree, each written a+b+c; columns "
              "in no group form one more.")
            .aka("interaction_constraints")};
  }
};

}  // namespace gradus
