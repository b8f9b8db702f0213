// The fitted baseline: one row of numbers that answers every question.
#pragma once

#include <string>
#include <vector>

#include "gradus/core/describe.hpp"
#include "gradus/models/baseline/baseline/params.hpp"

namespace gradus {

struct BaselineModel {
  BaselineStrategy strategy = BaselineStrategy::automatic;  // never `automatic` once fitted
  std::vector<double> answer;  // class probabilities, or one number per output

  template <class M = BaselineModel>
  static constexpr auto describe() {
    return Members{field(&M::strategy, 1, "strategy"), field(&M::answer, 2, "answer")};
  }

  static constexpr Quantity quantities[] = {
      {"strategy", "What is predicted: the strategy that auto stood for."},
      {"priors", "The share of each class in the training data, or of the constant class 1."},
      {"prediction", "The number predicted for every row, by target."},
  };

  static constexpr bool reads_rows = false;  // every row has the same answer
  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
};

}  // namespace gradus
