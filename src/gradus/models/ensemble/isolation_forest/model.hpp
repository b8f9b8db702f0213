// The fitted isolation forest: trees whose nodes know how many cuts isolate a row that ends there.
// They keep how many that is beyond c(ψ), so that the sum of ordinary ones is exactly 0.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gradus/blocks/tree/kept_tree.hpp"
#include "gradus/blocks/tree/packed_trees.hpp"
#include "gradus/blocks/tree/trees.hpp"
#include "gradus/contract/feature_use.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/ensemble/isolation_forest/params.hpp"

namespace gradus {

struct IsolationForestModel;

// The forest as it is asked: see blocks/tree/packed_trees.hpp.
class CompiledIsolation {
 public:
  explicit CompiledIsolation(const IsolationForestModel& model);
  void predict(const RowBlock& rows, double* out) const;
  // See IsolationForestModel::transform.
  void transform(const RowBlock& rows, double* out) const;

 private:
  const IsolationForestModel& model_;
  PackedTrees packed_;
};

struct IsolationForestModel {
  Trees trees;             // value: depth of the node + c(rows in it) − c(ψ)
  std::int64_t rows = 0;   // ψ: rows of each tree
  double threshold = 0.5;  // scores above it are outliers

  template <class M = IsolationForestModel>
  static constexpr auto describe() {
    return Members{field(&M::trees, 1, "trees"), field(&M::rows, 2, "rows"),
                   field(&M::threshold, 3, "threshold")};
  }

  static constexpr Quantity quantities[] = {
      {"trees", "The number of trees."},
      {"rows_per_tree", "The number of rows that each tree was grown on."},
      {"expected_cuts", "c(ψ): the mean number of cuts that isolate one of so many rows."},
      {"threshold", "Rows with an anomaly score above it are outliers."},
      {"nodes", "The number of nodes of all trees."},
      {"depth", "The most cuts that a tree makes."},
  };

  // The anomaly score for a mean number of cuts beyond c(ψ).
  double score(double beyond) const;

  void predict(const RowBlock& rows, double* out) const;
  CompiledIsolation compiled() const { return CompiledIsolation(*this); }
  Value fitted(const Signature& signature) const;
  // anomaly_score and mean_cuts.
  std::vector<std::string> coordinates(const Signature& signature) const;
  void transform(const RowBlock& rows, double* out) const;
  void check(const Signature& signature) const;
  FeatureUse feature_use(const Signature& signature) const;
  // See contract/entry.hpp.
  std::size_t kept_trees() const { return trees.count(); }
  Value kept_tree(std::size_t index, const Signature& signature) const {
    return tree_of_ensemble(trees, index, signature);
  }
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

// c(n): the mean number of comparisons of an unsuccessful search in a binary tree of n rows.
double expected_cuts(std::int64_t rows);

}  // namespace gradus
