// The fitted forest: all trees in one set of arrays, and what the training rows say about it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gradus/blocks/forest/forest_findings.hpp"
#include "gradus/blocks/splitter/node_sample.hpp"
#include "gradus/blocks/tree/kept_tree.hpp"
#include "gradus/blocks/tree/packed_trees.hpp"
#include "gradus/blocks/tree/trees.hpp"
#include "gradus/contract/feature_use.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct ForestModel;

// The forest as it is asked: see blocks/tree/packed_trees.hpp.
class CompiledForest {
 public:
  explicit CompiledForest(const ForestModel& model);
  void predict(const RowBlock& rows, double* out) const;

 private:
  const ForestModel& model_;
  PackedTrees packed_;
};

struct ForestModel {
  TreeCriterion criterion = TreeCriterion::gini;  // never automatic
  Trees trees;                      // values: class shares, or the mean (median) of a node
  std::vector<double> importances;  // column: impurity taken off, mean over the trees
  std::optional<double> oob_error;  // share of wrong classes, or mean squared error
  std::int64_t oob_rows = 0;        // rows that at least one tree did not draw
  std::vector<double> oob_curve;    // the error of the first 1, 2, ... trees, -1 while unknown
  ForestFindings findings;          // what was asked for beyond the trees

  template <class M = ForestModel>
  static constexpr auto describe() {
    return Members{field(&M::criterion, 1, "criterion"),     field(&M::trees, 2, "trees"),
                   field(&M::importances, 3, "importances"), field(&M::oob_error, 4, "oob_error"),
                   field(&M::oob_rows, 5, "oob_rows"),       field(&M::oob_curve, 6, "oob_curve"),
                   field(&M::findings, 7, "findings")};
  }

  static constexpr Quantity quantities[] = {
      {"criterion", "The impurity that splits were judged by."},
      {"trees", "The number of trees."},
      {"nodes", "The number of nodes of all trees."},
      {"leaves", "The number of leaves of all trees."},
      {"depth", "The most questions that a tree asks a row."},
      {"feature_importances", "For each column, its share of the impurity that was taken off."},
      {"oob_error", "Wrong classes (share) or mean squared error on rows that trees did not draw."},
      {"oob_rows", "The number of rows that at least one tree did not draw."},
      {"oob_curve", "The out-of-bag error of the first 1, 2, 3, ... trees; null while unknown."},
      {"permutation_importances",
       "For each column, by how much the error on rows that a tree did not draw grows when the "
       "column is shuffled among them: mean over the trees."},
      {"permutation_deviations", "The standard error of each of these means."},
      {"proximities", "For each two training rows, the share of trees where they share a leaf."},
      {"outliers",
       "For each training row, how far it is from the other rows of its class: above 10 is odd."},
      {"prototypes",
       "For each class, the medians (and quartiles) of the rows around its densest place."},
      {"missing_estimates", "For each missing training cell, what similar rows have there."},
  };

  void predict(const RowBlock& rows, double* out) const;
  CompiledForest compiled() const { return CompiledForest(*this); }
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  // See contract/entry.hpp.
  std::size_t kept_trees() const { return trees.count(); }
  Value kept_tree(std::size_t index, const Signature& signature) const {
    return tree_of_ensemble(trees, index, signature);
  }
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
  // Exact Shapley values of the scores; see blocks/shap.
  std::size_t contribution_scores() const { return static_cast<std::size_t>(trees.width); }
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const;
  FeatureUse feature_use(const Signature& signature) const;
};

}  // namespace gradus
