// Where a tree stops growing, and how finely it cuts numbers: the group of parameters that single
// trees share.
#pragma once

#include <optional>

#include "gradus/blocks/splitter/tree_choices.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct ExactOptions;

// The same for single trees and forests.
template <class Owner>
constexpr Param<Owner, std::optional<int>> max_bins_param(std::optional<int> Owner::*member) {
  return param(
             member, "max_bins",
             "Numbers of a column are put into at most so many bins of about equal size, and only "
             "the edges between bins are asked for; none: every number has its own.")
      .at_least(2)
      .at_most(65535);
}

struct TreeLimits {
  std::optional<int> max_depth = {};
  std::optional<int> max_leaf_nodes = {};
  TreeOrder order = TreeOrder::leaf_wise;
  int min_samples_split = 2;
  int min_samples_leaf = 1;
  double min_weight_fraction_leaf = 0;
  double min_impurity_decrease = 0;
  std::optional<int> max_bins = {};

  template <class L = TreeLimits>
  static constexpr auto describe() {
    return Members{
        param(&L::max_depth, "max_depth",
              "The longest path from the root to a leaf; none: until the leaves are pure.")
            .at_least(1)
            .tune(1, 30),
        param(&L::max_leaf_nodes, "max_leaf_nodes", "Most leaves; none: no limit.")
            .at_least(2)
            .aka("max_leaves", "num_leaves")
            .tune(4, 1000, log_scale),
        param(
            &L::order, "growth",
            "With max_leaf_nodes, which node is split first: leaf_wise the one that takes off most "
            "impurity, depth_wise the one nearest to the root.")
            .aka("grow_policy"),
        param(&L::min_samples_split, "min_samples_split", "A node with fewer rows is a leaf.")
            .at_least(2)
            .aka("min_data_in_node", "minsplit")
            .tune(2, 100, log_scale),
        param(&L::min_samples_leaf, "min_samples_leaf", "Fewest rows in a leaf.")
            .at_least(1)
            .aka("min_data_in_leaf", "minbucket")
            .tune(1, 100, log_scale),
        param(&L::min_weight_fraction_leaf, "min_weight_fraction_leaf",
              "Least share of the total weight in a leaf.")
            .at_least(0)
            .at_most(0.5),
        param(&L::min_impurity_decrease, "min_impurity_decrease",
              "A node is split only if its gain, times its share of the training weight, is at "
              "least this.")
            .at_least(0)
            .aka("min_gain_to_split"),
        max_bins_param(&L::max_bins)};
  }

  // `total` is the weight of all rows.
  void apply(double total, ExactOptions& options) const;
};

}  // namespace gradus
