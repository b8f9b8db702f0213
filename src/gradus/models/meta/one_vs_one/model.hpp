// The fitted pairs: (0, 1), (0, 2), ..., (1, 2), ...
#pragma once

#include <span>

#include "gradus/core/describe.hpp"
#include "gradus/models/meta/dichotomies.hpp"
#include "gradus/models/meta/one_vs_one/params.hpp"

namespace gradus {

struct OneVsOneModel {
  Dichotomies questions;

  template <class M = OneVsOneModel>
  static constexpr auto describe() {
    return Members{field(&M::questions, 1, "questions")};
  }

  static constexpr Quantity quantities[] = {
      {"problems", "The number of pairs of classes."},
      {"estimator", "The learner of the pairs."},
  };

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
