// The parameters that all forests share, as one described group.
//
//   struct ExtraTrees { bool bootstrap = false; ForestParams forest = {}; ... };
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "gradus/blocks/class_weight/class_weight.hpp"
#include "gradus/blocks/splitter/node_sample.hpp"
#include "gradus/blocks/splitter/tree_limits.hpp"
#include "gradus/contract/info.hpp"
#include "gradus/core/choice_or_number.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

enum class MaxFeatures { automatic, sqrt, log2, third, all };
constexpr std::array<std::string_view, 5> enum_names(MaxFeatures) {
  return {"auto", "sqrt", "log2", "third", "all"};
}

// As scikit-learn has it.
constexpr std::array<ValueAlias, 1> enum_aliases(MaxFeatures) { return {{{"none", "all"}}}; }

constexpr MaxFeatures share_of_one(MaxFeatures) { return MaxFeatures::all; }

// Columns tried at each node; at least one. A number below 1 is a share of all columns.
using ColumnsTried = ChoiceOrNumber<MaxFeatures>;
std::size_t columns_per_node(ColumnsTried wanted, Task task, std::size_t columns);
// Error{usage} for more columns than there are, or a part of one.
void check_columns_tried(ColumnsTried wanted, std::size_t columns);

// What a forest takes and gives.
inline constexpr Flags<Accept> kForestAccepts = Flags<Accept>(Accept::numeric) | Accept::nominal |
                                                Accept::ordinal | Accept::missing | Accept::weights;
inline constexpr Flags<Give> kForestGives =
    Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row | Give::partial;

// The members of a forest: `n_estimators`, `bootstrap` (beside the group, for forests differ in its
// default), `forest` and `analysis`.
template <class L>
constexpr auto forest_members() {
  return Members{
      param(&L::n_estimators, "n_estimators", "Number of trees.")
          .at_least(1)
          .aka("n_trees", "num_trees", "ntree")
          .tune(10, 1000, log_scale),
      param(&L::bootstrap, "bootstrap",
            "Draw the rows of each tree with replacement; false: every tree sees all rows."),
      group(&L::forest), group(&L::analysis)};
}

struct ForestParams {
  TreeCriterion criterion = TreeCriterion::automatic;
  ColumnsTried max_features = MaxFeatures::automatic;
  std::optional<int> max_depth = {};
  std::optional<int> max_leaf_nodes = {};
  int min_samples_split = 2;
  int min_samples_leaf = 1;
  double min_weight_fraction_leaf = 0;
  double min_impurity_decrease = 0;
  std::optional<int> max_bins = {};
  double max_samples = 1;
  bool oob_score = true;
  ClassWeight class_weight = ClassWeightRule::none;
  Seed random_state = 0;

  template <class L = ForestParams>
  static constexpr auto describe() {
    return Members{
        param(&L::criterion, "criterion",
              "How mixed a node is: gini (auto), entropy (log_loss is the same) or "
              "misclassification for classes; squared_error (auto), absolute_error or poisson for "
              "numbers."),
        param(&L::max_features, "max_features",
              "Columns tried at each node: a number of them, or below 1 a share of all (1 is one "
              "column, 1.0 all of them); auto is sqrt for classes and all for numbers.")
            .above(0)
            .aka("mtry"),
        param(&L::max_depth, "max_depth",
              "The longest path from the root to a leaf; none: until the leaves are pure.")
            .at_least(1)
            .tune(1, 30),
        param(&L::max_leaf_nodes, "max_leaf_nodes", "Most leaves of a tree.")
            .at_least(2)
            .aka("max_leaves", "num_leaves")
            .tune(4, 1000, log_scale),
        param(&L::min_samples_split, "min_samples_split", "A node with fewer rows is a leaf.")
            .at_least(2)
            .tune(2, 100, log_scale),
        param(&L::min_samples_leaf, "min_samples_leaf", "Fewest rows in a leaf.")
            .at_least(1)
            .aka("min_data_in_leaf", "min_node_size")
            .tune(1, 100, log_scale),
        param(&L::min_weight_fraction_leaf, "min_weight_fraction_leaf",
              "Least share of the weight of a tree's rows in a leaf.")
            .at_least(0)
            .at_most(0.5),
        param(&L::min_impurity_decrease, "min_impurity_decrease",
              "A node is split only if its gain, times its share of the weight, is at least this.")
            .at_least(0),
        max_bins_param(&L::max_bins),
        param(&L::max_samples, "max_samples", "Rows drawn for each tree, as a share of all rows.")
            .above(0)
            .at_most(1)
            .aka("sample_fraction")
            .when("bootstrap", "true"),
        param(&L::oob_score, "oob_score",
              "Measure the out-of-bag error, and how it falls with the number of trees.")
            .when("bootstrap", "true"),
        class_weight_param(&L::class_weight),
        param(&L::random_state, "random_state", "Seed of every random choice.").aka("seed")};
  }
};

}  // namespace gradus
