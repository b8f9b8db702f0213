// Several boosted ensembles that are averaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "gradus/models/boosting/gradient_boosting/purpose.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

// Noise around a hill: what the draws of a fit make of it differs.
Dataset hills(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.uniform() * 4 - 2;
    b[i] = stream.uniform() * 4 - 2;
    y[i] = std::exp(-a[i] * a[i]) + b[i] / 4 + stream.normal() / 2;
  }
  return Dataset(
      {Column::numeric("a", a), Column::numeric("b", b), Column::numeric("y", std::move(y))});
}

std::vector<double> predicted(const AnyModel& model, const Dataset& data) {
  return model.predict(data, {}, {.extra = Extra::ignore}).values;
}

TEST(BoostedEnsembles, are_the_mean_of_fits_with_other_seeds) {
  const Dataset data = hills(300, 1);
  GradientBoosting learner{.n_estimators = 25, .n_ensembles = 3, .random_state = 7};
  const auto mean = fit(learner, data, "y");
  EXPECT_EQ(mean.model().rounds(), 25U);
  EXPECT_EQ(mean.model().trees.count(), 75U);
  std::vector<double> expected(data.rows(), 0.0);
  learner.n_ensembles = 1;
  for (std::uint64_t member = 0; member < 3; ++member) {
    learner.random_state = member == 0 ? 7 : Stream(7, member, kEnsemblePurpose).next();
    const std::vector<double> said = predicted(fit(learner, data, "y"), data);
    for (std::size_t i = 0; i < said.size(); ++i) expected[i] += said[i] / 3;
  }
  const std::vector<double> said = predicted(mean, data);
  for (std::size_t i = 0; i < said.size(); ++i) EXPECT_NEAR(said[i], expected[i], 1e-12);
}

TEST(BoostedEnsembles, are_better_than_one_of_them_where_there_is_noise) {
  const Dataset data = hills(400, 2);
  const Dataset test = hills(4000, 3);
  const auto error = [&](int ensembles) {
    const GradientBoosting learner{.n_estimators = 100, .n_ensembles = ensembles};
    const std::vector<double> said = predicted(fit(learner, data, "y"), test);
    double sum = 0;
    for (std::size_t i = 0; i < said.size(); ++i) {
      sum += std::pow(said[i] - test.column("y").number(i), 2);
    }
    return sum;
  };
  EXPECT_LT(error(4), error(1));
}

TEST(BoostedEnsembles, have_the_same_bytes_for_any_number_of_threads) {
  const Dataset data = hills(200, 4);
  for (const std::optional<int> rounds : {std::optional<int>(), std::optional<int>(20)}) {
    GradientBoosting learner{.n_estimators = rounds, .n_ensembles = 3};
    const auto alone = to_bytes(fit(AnyLearner(learner), data, {.target = {"y"}}));
    const auto many = to_bytes(fit(AnyLearner(learner), data, {.target = {"y"}}, {.threads = 4}));
    EXPECT_EQ(alone, many);
  }
}

TEST(BoostedEnsembles, the_losses_are_those_of_the_mean) {
  const Dataset data = hills(300, 5);
  const GradientBoosting learner{.n_estimators = 40, .n_ensembles = 3};
  const auto model = fit(learner, data, "y");
  const std::vector<double> said = predicted(model, data);
  double sum = 0;
  for (std::size_t i = 0; i < said.size(); ++i) {
    sum += std::pow(said[i] - data.column("y").number(i), 2);
  }
  const std::vector<double>& losses = model.model().training_loss;
  ASSERT_FALSE(losses.empty());
  EXPECT_EQ(model.model().training_rounds.back(), 40);
  EXPECT_NEAR(losses.back(), sum / static_cast<double>(said.size()), 1e-9);
}

TEST(BoostedEnsembles, stop_early_together) {
  const Dataset data = hills(300, 6);
  GradientBoosting learner{.n_estimators = 300, .learning_rate = 0.3, .n_ensembles = 2};
  learner.stopping.early_stopping = true;
  const auto model = fit(learner, data, "y");
  const std::size_t rounds = model.model().rounds();
  const std::vector<double>& losses = model.model().validation_loss;
  EXPECT_LT(rounds, 300U);
  EXPECT_EQ(model.model().trees.count(), 2 * rounds);
  for (const double loss : losses) EXPECT_GE(loss, losses[rounds - 1] - 1e-7);
}

TEST(BoostedEnsembles, tell_their_rounds_one_after_the_other) {
  const Dataset data = hills(40, 7);
  Recorder trace;
  const auto model =
      fit(GradientBoosting{.n_estimators = 2, .n_ensembles = 2}, data, "y", {.trace = &trace});
  std::vector<std::string> titles;
  for (const Step& step : trace.steps()) titles.push_back(step.title);
  EXPECT_THAT(titles, testing::Contains("Ensemble 1, round 1: the leaves and their steps"));
  EXPECT_THAT(titles, testing::Contains("Ensemble 2, round 2: the leaves and their steps"));
  const Step& last = trace.steps().back();
  EXPECT_THAT(last.formula, HasSubstr("1/2 · Σ"));
  EXPECT_THAT(last.text, HasSubstr("the mean of 2 ensembles"));
  EXPECT_EQ(last.values.at("rounds").as_integer(), 2);
}

TEST(BoostedEnsembles, the_story_of_open_rounds_tells_what_the_folds_found) {
  const Dataset data = hills(150, 8);
  Recorder trace(100'000);
  const auto model = fit(GradientBoosting{}, data, "y", {.trace = &trace});
  EXPECT_THAT(trace.steps().back().text, HasSubstr("5 folds, each held out"));
}

}  // namespace
}  // namespace gradus
