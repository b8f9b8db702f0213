#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

constexpr double kDigits = 1e-9;

std::vector<double> numbers(const Value& list) {
  std::vector<double> out;
  for (const Value& item : list.as_array()) out.push_back(item.as_number());
  return out;
}

const Step& step_at(const Recorder& trace, const std::string& path) {
  for (const Step& step : trace.steps()) {
    if (step.path == path) return step;
  }
  throw Error(ErrorKind::internal, path, "no such step");
}

// A wavy function of two columns with noise; the third column says nothing.
Dataset wavy(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<double> c(rows);
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.uniform() * 6;
    b[i] = stream.normal();
    c[i] = stream.normal();
    y[i] = 5 + std::sin(a[i]) * 2 + b[i] * b[i] + stream.normal() / 10;
  }
  return Dataset({Column::numeric("a", a), Column::numeric("b", b), Column::numeric("c", c),
                  Column::numeric("y", y)});
}

double mean_squared_error(const AnyModel& model, const Dataset& data) {
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  double sum = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    sum += std::pow(said.values[i] - data.column("y").number(i), 2);
  }
  return sum / static_cast<double>(data.rows());
}

// The share of rows whose target is at most the answer.
double share_below(const AnyModel& model, const Dataset& data) {
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  double below = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    below += data.column("y").number(i) <= said.values[i] ? 1 : 0;
  }
  return below / static_cast<double>(data.rows());
}

GradientBoosting stumps() {
  GradientBoosting learner;
  learner.n_estimators = 3;
  learner.learning_rate = 0.5;
  learner.tree.max_leaf_nodes = 2;
  learner.tree.min_samples_leaf = 1;
  learner.tree.l2_regularization = 0;
  learner.sample.subsample = 1;
  learner.init = BoostingStart::zero;
  return learner;
}

TEST(GradientBoosting, three_rounds_of_stumps_have_the_textbook_numbers) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4}),
                      Column::numeric("y", std::vector<double>{1, 2, 4, 7})});
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(stumps(), data, "y", context);
  const double thresholds[] = {3.5, 2.5, 2.5};
  const double left[] = {2.333333333, 0.3333333333, 0.1666666667};
  const double right[] = {7, 3.166666667, 1.583333333};
  const double loss[] = {5.25, 1.447916667, 0.4973958333};
  const std::vector<double> targets[] = {{1, 2, 4, 7},
                                         {-0.1666666667, 0.8333333333, 2.833333333, 3.5},
                                         {-0.3333333333, 0.6666666667, 1.25, 1.916666667}};
  for (std::size_t round = 0; round < 3; ++round) {
    const std::string path = "round " + std::to_string(round + 1);
    const std::vector<double> residuals =
        numbers(step_at(trace, path + "/residuals").values.at("residuals"));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(residuals[i], targets[round][i], kDigits);
    const Value& values = step_at(trace, path).values;
    EXPECT_NEAR(values.at("loss").as_number(), loss[round], kDigits);
    EXPECT_EQ(values.at("question").as_string(),
              "x <= " + std::string(thresholds[round] == 3.5 ? "3.5" : "2.5"));
    EXPECT_NEAR(values.at("leaves").as_array()[0].at("value").as_number(), left[round], kDigits);
    EXPECT_NEAR(values.at("leaves").as_array()[1].at("value").as_number(), right[round], kDigits);
  }
  EXPECT_THAT(step_at(trace, "round 1/tree").text, HasSubstr("x <= 3.5 gains most"));
}

TEST(GradientBoosting, learns_a_wavy_function_and_knows_the_idle_column) {
  const Dataset train = wavy(2000, 1);
  const AnyModel model = fit(GradientBoosting{}, train, "y");
  EXPECT_LT(mean_squared_error(model, wavy(500, 2)), 0.1);
  const Value importances = model.fitted().at("feature_importances");
  EXPECT_GT(importances.at("a").as_number(), 0.3);
  EXPECT_GT(importances.at("b").as_number(), 0.3);
  EXPECT_LT(importances.at("c").as_number(), 0.01);
}

TEST(GradientBoosting, quantiles_and_medians_are_met) {
  const Dataset train = wavy(3000, 3);
  for (const double q : {0.2, 0.5, 0.9}) {
    GradientBoosting learner{.loss = BoostingLoss::quantile, .n_estimators = 300, .quantile = q};
    EXPECT_NEAR(share_below(fit(learner, train, "y"), train), q, 0.05) << q;
  }
  GradientBoosting median{.loss = BoostingLoss::absolute_error, .n_estimators = 300};
  EXPECT_NEAR(share_below(fit(median, train, "y"), train), 0.5, 0.05);
}

TEST(GradientBoosting, huber_does_not_mind_a_few_wild_targets) {
  const Dataset clean = wavy(2000, 5);
  std::vector<double> y(clean.rows());
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = clean.column("y").number(i) + (i % 40 == 0 ? 500 : 0);
  }
  const Dataset wild = clean.with_column(Column::numeric("y", y));
  const double squared = mean_squared_error(fit(GradientBoosting{}, wild, "y"), clean);
  GradientBoosting learner{.loss = BoostingLoss::huber};
  EXPECT_LT(mean_squared_error(fit(learner, wild, "y"), clean), squared / 10);
}

TEST(GradientBoosting, poisson_and_gamma_answer_positive_means) {
  Stream stream(8);
  std::vector<double> x(2000);
  std::vector<double> y(2000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i % 2);
    y[i] = (x[i] == 1 ? 6.0 : 2.0) + static_cast<double>(stream.below(3)) - 1;
  }
  const Dataset data({Column::numeric("x", x), Column::numeric("y", y)});
  for (const BoostingLoss loss : {BoostingLoss::poisson, BoostingLoss::gamma}) {
    const Predictions said =
        fit(GradientBoosting{.loss = loss}, data, "y").predict(data, {}, {.extra = Extra::ignore});
    EXPECT_NEAR(said.values[0], 2, 0.1);
    EXPECT_NEAR(said.values[1], 6, 0.2);
  }
}

TEST(GradientBoosting, refuses_losses_and_targets_that_do_not_fit) {
  const Dataset data = wavy(50, 9);
  EXPECT_THROW(fit(GradientBoosting{.loss = BoostingLoss::log_loss}, data, "y"), Error);
  const Dataset negative = data.with_column(Column::numeric("y", std::vector<double>(50, -1.0)));
  EXPECT_THROW(fit(GradientBoosting{.loss = BoostingLoss::poisson}, negative, "y"), Error);
  const Dataset zero = data.with_column(Column::numeric("y", std::vector<double>(50, 0.0)));
  EXPECT_THROW(fit(GradientBoosting{.loss = BoostingLoss::gamma}, zero, "y"), Error);
  EXPECT_THROW(fit(GradientBoosting{.loss = BoostingLoss::poisson}, zero, "y"), Error);
}

TEST(GradientBoosting, stops_early_and_keeps_the_best_round) {
  const Dataset train = wavy(600, 10);
  GradientBoosting learner;
  learner.n_estimators = 2000;
  learner.learning_rate = 0.5;
  learner.stopping.early_stopping = true;
  const AnyModel model = fit(learner, train, "y");
  const Value fitted = model.fitted();
  const std::vector<double> losses = numbers(fitted.at("validation_loss"));
  const auto kept = static_cast<std::size_t>(fitted.at("rounds").as_integer());
  EXPECT_LT(losses.size(), 500U);
  EXPECT_EQ(losses.size(), kept + static_cast<std::size_t>(learner.stopping.n_iter_no_change));
  EXPECT_NEAR(losses[kept - 1], *std::min_element(losses.begin(), losses.end()), 1e-6);
}

TEST(GradientBoosting, samples_rows_and_columns_by_its_seed_alone) {
  const Dataset train = wavy(800, 11);
  GradientBoosting learner{.n_estimators = 40,
                           .learning_rate = 0.2,
                           .sample = {.subsample = 0.5, .colsample_bytree = 0.5}};
  const AnyModel first = fit(learner, train, "y");
  EXPECT_EQ(first.fingerprint(), fit(learner, train, "y").fingerprint());
  learner.random_state = 1;
  EXPECT_NE(first.fingerprint(), fit(learner, train, "y").fingerprint());
  EXPECT_LT(mean_squared_error(first, train), 1);
}

TEST(GradientBoosting, a_weight_of_zero_is_a_row_left_out) {
  const Dataset data = wavy(400, 12);
  std::vector<double> weights(400);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < 400; ++i) {
    weights[i] = i % 3 == 0 ? 0 : 1;
    if (i % 3 != 0) kept.push_back(i);
  }
  GradientBoosting learner{.n_estimators = 10, .sample = {.subsample = 1}};
  const Predictions a =
      fit(learner, data.with_weights(weights), "y").predict(data, {}, {.extra = Extra::ignore});
  const Predictions b =
      fit(learner, data.take(kept), "y").predict(data, {}, {.extra = Extra::ignore});
  for (std::size_t i = 0; i < 400; ++i) EXPECT_NEAR(a.values[i], b.values[i], 1e-9);
}

TEST(GradientBoosting, takes_categories_and_missing_cells_as_they_are) {
  std::vector<std::int32_t> color;
  std::vector<double> size;
  std::vector<std::int32_t> target;
  for (std::size_t i = 0; i < 600; ++i) {
    color.push_back(i % 7 == 6 ? kMissingCode : static_cast<std::int32_t>(i % 7));
    size.push_back(i % 5 == 0 ? std::numeric_limits<double>::quiet_NaN()
                              : static_cast<double>(i % 11));
    target.push_back(i % 7 == 6 ? 2 : (i % 7 == 1 || i % 7 == 4 ? 1 : (i % 5 == 0 ? 1 : 0)));
  }
  const Dataset data({Column::nominal("color", color, {"a", "b", "c", "d", "e", "f"}),
                      Column::numeric("size", size),
                      Column::nominal("target", target, {"x", "y", "z"})});
  const AnyModel model = fit(GradientBoosting{}, data, "target");
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  for (std::size_t i = 0; i < data.rows(); ++i) {
    EXPECT_EQ(said.label(i), static_cast<std::size_t>(target[i])) << i;
  }
  Recorder trace;
  model.explain_row(data, 6, trace);
  EXPECT_EQ(trace.steps().back().values.at("prediction").as_string(), "z");
}

TEST(GradientBoosting, the_steps_of_a_row_add_up_to_its_answer) {
  const Dataset data = wavy(300, 13);
  const AnyModel model = fit(GradientBoosting{.n_estimators = 7}, data, "y");
  Recorder trace;
  model.explain_row(data, 5, trace);
  ASSERT_EQ(trace.steps().size(), 10U);
  const Value& last = trace.steps().back().values;
  EXPECT_EQ(last.at("prediction").as_number(),
            model.predict(data, {}, {.extra = Extra::ignore}).values[5]);
}

}  // namespace
}  // namespace gradus
