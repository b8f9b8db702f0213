// The fitted questions, one for each class.
#pragma once

#include <span>

#include "gradus/core/describe.hpp"
#include "gradus/models/meta/dichotomies.hpp"
#include "gradus/models/meta/one_vs_rest/params.hpp"

namespace gradus {

struct OneVsRestModel {
  Dichotomies questions;

  template <class M = OneVsRestModel>
  static constexpr auto describe() {
    return Members{field(&M::questions, 1, "questions")};
  }

  static constexpr Quantity quantities[] = {
      {"problems", "The number of questions with two answers."},
      {"estimator", "The learner of the questions."},
  };

  void predict(const RowBlock& rows, double* out) const;
  bool predicts_sparse() const { return questions.predicts_sparse(); }
  void predict(const SparseRows& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
  // See contract/entry.hpp: the score of a class is what its own question adds up to. Where there
  // are more than two classes this is not the answer, which shares them out.
  std::size_t contribution_scores() const;
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const;
  bool contributes_answers() const;
  std::string no_contributions() const;
  std::size_t kept_trees() const { return questions.kept_trees(); }
  Value kept_tree(std::size_t index, const Signature& signature) const {
    return questions.kept_tree(index, signature);
  }
  std::optional<FeatureUse> feature_use(const Signature& signature) const {
    return questions.feature_use(signature);
  }
};

}  // namespace gradus
