// From probabilities to answers: the likeliest class, a class from a threshold on, or the class
// whose mistakes are expected to cost least:
//
//   argmin over p of  sum over a of  P(a) cost(a, p)
//
//   std::vector<std::int32_t> said = decide(predictions, {.positive = "ill", .threshold = 0.2});
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gradus/api/any_model.hpp"

namespace gradus {

struct DecisionRule {
  std::string positive = {};  // called from `threshold` on, else the likeliest of the others
  double threshold = 0.5;
  // `actual:predicted` = cost; other mistakes cost 1, hits 0.
  std::vector<std::pair<std::string, double>> costs = {};

  bool is_plain() const { return positive.empty() && costs.empty(); }
};

// The class of every row, as its index. Error{usage} when a class is not known, or a rule asks for
// probabilities that the model does not give.
std::vector<std::int32_t> decide(const Predictions& predictions, const DecisionRule& rule);

// The cost of predicting p where a is true, [a][p]; empty when nothing is said about costs.
std::vector<std::vector<double>> cost_matrix(
    const std::vector<std::pair<std::string, double>>& costs,
    const std::vector<std::string>& labels);

}  // namespace gradus
