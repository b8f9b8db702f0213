// Where the error of a learner comes from: its spread over training sets, its systematic error, and
// what no learner can know.
//
// With h_D the answer after training set D, h the mean answer and y(x) the mean target at x:
//   E (h_D(x) - y)^2  =  E (h_D(x) - h(x))^2  +  E (h(x) - y(x))^2  +  E (y(x) - y)^2
//   expected error       variance                bias^2                 noise
// Training sets are drawn with replacement from the rows that teach, and every model answers the
// same examined rows. Noise can be seen only where several examined rows have the same features;
// where none has a double it is part of the bias, and is said to be.
// For classes, h and y are the probability of the positive one (of more than two: of each), which
// decomposes the Brier score; beside it stands the 0-1 loss of the labels, split into the errors of
// the commonest answer (bias) and the rest (variance).
//
//   BiasVariance out = bias_variance(AnyLearner("id3"), data, {.validate = options});
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/evaluate/cross_validate.hpp"

namespace gradus {

struct Decomposition {
  double expected_error = 0;
  double variance = 0;
  double bias2 = 0;
  double noise = 0;
};

// Answers of several models to the same rows: `answers[model]` holds rows x width numbers, as does
// `targets`. Rows with the same features have the same number in `groups`.
struct AnswersOfModels {
  const std::vector<std::vector<double>>& answers;
  std::span<const double> targets;
  std::span<const std::size_t> groups;
  std::size_t width = 1;
  std::span<const double> row_weights = {};    // empty: equal
  std::span<const double> model_weights = {};  // empty: equal
};
Decomposition decompose(const AnswersOfModels& in);

struct BiasVarianceOptions {
  ValidateOptions validate = {};
  std::size_t samples = 50;     // training sets
  std::size_t sample_rows = 0;  // rows of each; 0: as many as teach
  double test = 0.3;            // share of the rows that are examined
  // Every possible training set of `sample_rows` rows once, and the table is all there is: the
  // figures are exact and not estimates.
  bool exact = false;
  Seed seed = 0;
};

struct ZeroOne {
  double expected_error = 0;
  double bias = 0;      // error of the commonest answer
  double variance = 0;  // what the spread adds; may be below 0, where it helps
};

struct BiasVariance {
  std::string learner = {};
  Task task = Task::classify;
  Decomposition squared = {};
  std::optional<ZeroOne> zero_one = {};
  std::size_t samples = 0;
  std::size_t sample_rows = 0;
  std::size_t examined = 0;
  std::size_t doubles = 0;  // examined rows that share their features with another
  std::string words = {};
};

BiasVariance bias_variance(const AnyLearner& learner, const Dataset& data,
                           const BiasVarianceOptions& options, const Context& context = {});

Value to_value(const BiasVariance& result);

}  // namespace gradus
