// The fitted forest: all trees in one set of arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gradus/blocks/tree/trees.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/ensemble/random_forest/params.hpp"

namespace gradus {

struct RandomForestModel {
  TreeCriterion criterion = TreeCriterion::gini;  // never automatic
  Trees trees;                      // values: class shares, or the mean (median) of a node
  std::vector<double> importances;  // column: impurity taken off, mean over the trees
  std::optional<double> oob_error;  // share of wrong classes, or mean squared error
  std::int64_t oob_rows = 0;        // rows that at least one tree did not draw

  template <class M = RandomForestModel>
  static constexpr auto describe() {
    return Members{field(&M::criterion, 1, "criterion"), field(&M::trees, 2, "trees"),
                   field(&M::importances, 3, "importances"), field(&M::oob_error, 4, "oob_error"),
                   field(&M::oob_rows, 5, "oob_rows")};
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
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
  // Exact Shapley values of the scores; see blocks/shap.
  std::size_t contribution_scores() const { return static_cast<std::size_t>(trees.width); }
  void contributions(const RowBlock& rows, double* out) const;
};

}  // namespace gradus
