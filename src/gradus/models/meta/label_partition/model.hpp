// The fitted divisions, and for nested ones the tree that each belongs to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/models/meta/dichotomies.hpp"
#include "gradus/models/meta/label_partition/params.hpp"

namespace gradus {

struct LabelPartitionModel {
  Dichotomies questions;
  PartitionStrategy strategy = PartitionStrategy::vote;
  std::int64_t trees = 0;          // nested: the number of trees
  std::vector<std::int32_t> tree;  // nested: the tree of each division, ascending

  template <class M = LabelPartitionModel>
  static constexpr auto describe() {
    return Members{field(&M::questions, 1, "questions"), field(&M::strategy, 2, "strategy"),
                   field(&M::trees, 3, "trees"), field(&M::tree, 4, "tree")};
  }

  static constexpr Quantity quantities[] = {
      {"problems", "The number of divisions that were learned."},
      {"partitions", "The two groups of each division."},
      {"estimator", "The learner of the divisions."},
  };

  // Votes of the classes, or their probabilities.
  void decode(std::span<const double> answers, std::span<double> out) const;

  void predict(const RowBlock& rows, double* out) const;
  bool predicts_sparse() const { return questions.predicts_sparse(); }
  void predict(const SparseRows& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
  // See contract/entry.hpp.
  std::string no_contributions() const {
    return "each class gets the votes of its questions, and votes do not add up by feature";
  }
  std::size_t kept_trees() const { return questions.kept_trees(); }
  Value kept_tree(std::size_t index, const Signature& signature) const {
    return questions.kept_tree(index, signature);
  }
  std::optional<FeatureUse> feature_use(const Signature& signature) const {
    return questions.feature_use(signature);
  }
};

}  // namespace gradus
