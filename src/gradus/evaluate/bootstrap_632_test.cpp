#include "gradus/evaluate/bootstrap_632.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/random.hpp"
#include "gradus/evaluate/cross_validate.hpp"

namespace gradus {
namespace {

TEST(Bootstrap632, without_overfitting_it_is_the_632_estimate) {
  const double plus =
      score_632_plus({.training = 0.9, .left_out = 0.9, .no_information = 0.5}, Better::higher);
  EXPECT_NEAR(plus, 0.9, 1e-15);
}

// Efron and Tibshirani's own case: a learner that remembers its rows where there is nothing to
// learn. Training error 0, left-out error and no-information error 0.5: the answer is 0.5, where
// .632 says 0.316.
TEST(Bootstrap632, a_learner_that_only_remembers_is_seen_through) {
  EXPECT_NEAR(
      score_632_plus({.training = 0, .left_out = 0.5, .no_information = 0.5}, Better::lower), 0.5,
      1e-15);
  EXPECT_NEAR(
      score_632_plus({.training = 1, .left_out = 0.5, .no_information = 0.5}, Better::higher), 0.5,
      1e-15);
}

TEST(Bootstrap632, in_between_the_weight_is_between) {
  // R = 0.25 / 0.5, w = 0.632 / (1 - 0.184) = 0.7745...
  const double weight = 0.632 / (1 - 0.368 * 0.5);
  EXPECT_NEAR(
      score_632_plus({.training = 0, .left_out = 0.25, .no_information = 0.5}, Better::lower),
      weight * 0.25, 1e-15);
}

TEST(Bootstrap632, the_no_information_score_is_the_mean_over_all_pairs) {
  Stream stream(3);
  TargetData target{
      .task = Task::regress, .classes = {}, .outputs = {"y"}, .codes = {}, .numbers = {}};
  Predictions predictions;
  predictions.task = Task::regress;
  predictions.rows = 40;
  predictions.width = 1;
  std::vector<double> weights;
  for (int i = 0; i < 40; ++i) {
    target.numbers.push_back(stream.normal());
    predictions.values.push_back(std::round(stream.normal() * 2) / 2);
    weights.push_back(1 + static_cast<double>(stream.below(3)));
  }
  double squared = 0;
  double absolute = 0;
  double total = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 40; ++j) {
      const double error = predictions.values[i] - target.numbers[j];
      squared += weights[i] * weights[j] * error * error;
      absolute += weights[i] * weights[j] * std::abs(error);
      total += weights[i] * weights[j];
    }
  }
  const auto score = [&](const char* name) {
    return *no_information_score(find_metric(name, Task::regress), target, predictions, weights);
  };
  EXPECT_NEAR(score("mse"), squared / total, 1e-12);
  EXPECT_NEAR(score("mae"), absolute / total, 1e-12);
  EXPECT_FALSE(
      no_information_score(find_metric("r2", Task::regress), target, predictions, weights));
}

TEST(Bootstrap632, cross_validation_on_noise_is_sobered_by_it) {
  Stream stream(5);
  std::vector<double> x(100);
  std::vector<std::int32_t> kind(100);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = stream.normal();
    kind[i] = static_cast<std::int32_t>(i % 2);
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("kind", kind, {"a", "b"})});
  const Folds folds = make_folds(data, {.scheme = FoldScheme::bootstrap, .folds = 30});
  ValidateOptions options;
  options.fit.target = {"kind"};
  const CrossValidation out = cross_validate(AnyLearner("decision_tree"), data, folds, options);
  EXPECT_GT(*out.score_632, 0.62);
  EXPECT_LT(*out.score_632_plus, 0.58);
}

}  // namespace
}  // namespace gradus
