// The fitted CART tree: the pruned tree, its surrogates, and how its size was chosen.
#pragma once

#include <span>
#include <vector>

#include "gradus/blocks/single_tree/tree_model.hpp"
#include "gradus/blocks/splitter/surrogates.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/tree/cart/params.hpp"

namespace gradus {

struct CartModel {
  DecisionTreeModel base;
  SurrogateSplits surrogates;
  double alpha = 0;
  std::int32_t grown_leaves = 1;  // before pruning
  std::vector<double> trials;     // sizes x (alpha, leaves, error, standard error)

  template <class M = CartModel>
  static constexpr auto describe() {
    return Members{field(&M::base, 1, "base"), field(&M::surrogates, 2, "surrogates"),
                   field(&M::alpha, 3, "alpha"), field(&M::grown_leaves, 4, "grown_leaves"),
                   field(&M::trials, 5, "trials")};
  }

  static constexpr Quantity quantities[] = {
      {"criterion", "The impurity that splits were judged by."},
      {"depth", "The most questions that a row is asked."},
      {"nodes", "The number of nodes, leaves included."},
      {"leaves", "The number of leaves."},
      {"leaves_before_pruning", "The number of leaves of the tree as it was grown."},
      {"alpha", "The cost of a leaf that the tree was pruned with."},
      {"cross_validation",
       "For each size of the pruned tree its α, leaves, error (of the folds, or of validation "
       "rows) "
       "and standard error."},
      {"feature_importances", "For each column, its share of the impurity that was taken off."},
      {"tree",
       "The tree from its root: question, surrogates, rows, impurity and answer of each node."},
      {"rules", "One rule IF ... THEN ... for each leaf, of trees that can be read."},
      {"cost_complexity_path",
       "Each α of pruning further with the leaves and the impurity that it leaves."},
  };

  bool goes_left(std::size_t node, std::span<const double> row) const;
  std::size_t leaf_of(std::span<const double> row) const;
  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  // See contract/entry.hpp.
  std::size_t kept_trees() const { return 1; }
  Value kept_tree(std::size_t, const Signature& signature) const {
    return fitted(signature).at("tree");
  }
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
  // Exact Shapley values of the scores; see blocks/shap. A cell that is missing answers as its
  // surrogates do, and this is what its column adds.
  std::size_t contribution_scores() const { return base.contribution_scores(); }
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const;
  FeatureUse feature_use(const Signature& signature) const { return base.feature_use(signature); }
};

// A surrogate in words: "height <= 3.5", "colour in {red}"; the side that answers yes.
std::string surrogate_text(const Surrogate& surrogate, const Signature& signature);

}  // namespace gradus
