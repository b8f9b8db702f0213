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
};

}  // namespace gradus
