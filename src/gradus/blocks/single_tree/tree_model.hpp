// The fitted tree: questions, and what each node held of the training rows.
#pragma once

#include <span>

#include "gradus/blocks/splitter/exact_grow.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/contract/feature_use.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct DecisionTreeModel {
  TreeCriterion criterion = TreeCriterion::gini;  // never automatic
  ExactTree tree;  // values: the class shares, or the mean (median) of a node

  template <class M = DecisionTreeModel>
  static constexpr auto describe() {
    return Members{field(&M::criterion, 1, "criterion"), field(&M::tree, 2, "tree")};
  }

  static constexpr Quantity quantities[] = {
      {"criterion", "The impurity that splits were judged by."},
      {"depth", "The most questions that a row is asked."},
      {"nodes", "The number of nodes, leaves included."},
      {"leaves", "The number of leaves."},
      {"feature_importances", "For each column, its share of the impurity that was taken off."},
      {"tree", "The tree from its root: question, rows, impurity and answer of each node."},
      {"rules", "One rule IF ... THEN ... for each leaf, of trees that can be read."},
      {"cost_complexity_path",
       "Each α of pruning with the leaves and the impurity that it leaves."},
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  // The same, with what `more` adds to a node.
  Value fitted_with(const Signature& signature, const DescribeNode& more) const;
  void check(const Signature& signature) const;
  // See contract/entry.hpp.
  std::size_t kept_trees() const { return 1; }
  Value kept_tree(std::size_t, const Signature& signature) const {
    return fitted(signature).at("tree");
  }
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
  // Exact Shapley values of the scores; see blocks/shap.
  std::size_t contribution_scores() const { return static_cast<std::size_t>(tree.trees.width); }
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const;
  FeatureUse feature_use(const Signature& signature) const;
};

}  // namespace gradus
