#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/sgd/descent.hpp"
#include "gradus/models/linear/sgd/explain.hpp"
#include "gradus/models/linear/sgd/model.hpp"

namespace gradus {
namespace {

Dataset noisy(std::size_t n) {
  std::vector<std::vector<double>> x(5);
  std::vector<std::int32_t> y;
  std::vector<double> t;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(77, i);
    double sum = 0.5 * stream.normal() + 0.4;
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[j].push_back(stream.below(2) == 0 ? 0 : stream.normal());
      sum += (j < 2 ? 1.5 : 0) * x[j].back();
    }
    y.push_back(sum > 0 ? 1 : 0);
    t.push_back(sum);
  }
  std::vector<Column> out;
  for (std::size_t j = 0; j < x.size(); ++j) {
    out.push_back(Column::numeric("f" + std::to_string(j + 1), x[j]));
  }
  out.push_back(Column::nominal("y", y, {"no", "yes"}));
  out.push_back(Column::numeric("t", t));
  return Dataset(std::move(out));
}
Dataset with(const Dataset& data, const std::string& target) {
  return data.without(target == "y" ? "t" : "y");
}

double mean_loss(const Dataset& data, const SgdModel& m, LossKind kind, double alpha) {
  double total = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    double z = m.functions.intercept[0];
    for (std::size_t j = 0; j < 5; ++j) {
      z += m.functions.coefficients(0, j) * data.columns()[j].number(i);
    }
    const Column& target = data.columns()[5];
    const double y = target.is_numeric() ? target.number(i) : target.code(i);
    total += loss_at({kind, 0.1}, z, y).value / static_cast<double>(data.rows());
  }
  for (const double w : m.functions.coefficients.values) total += alpha * w * w / 2;
  return total;
}

TEST(Sgd, the_first_steps_of_least_mean_squares_are_those_of_the_text) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3}),
                      Column::numeric("t", std::vector<double>{1, 2, 2})});
  const Sgd learner{.loss = SgdLoss::squared,
                    .penalty = SgdPenalty::none,
                    .learning_rate = SgdRate::constant,
                    .eta0 = 0.1,
                    .max_iter = 1,
                    .shuffle = false};
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  const auto model = fit(learner, data, "t", context);
  EXPECT_NEAR(model.model().functions.intercept[0], 0.311, 1e-12);
  EXPECT_NEAR(model.model().functions.coefficients(0, 0), 0.563, 1e-12);
  const double expected[3][2] = {{0.1, 0.1}, {0.27, 0.44}, {0.311, 0.563}};
  for (const Step& step : recorder.steps()) {
    if (!step.path.starts_with("step ")) continue;
    const auto at = static_cast<std::size_t>(step.path.back() - '1');
    EXPECT_NEAR(step.values.at("w").at("intercept").as_number(), expected[at][0], 1e-12);
    EXPECT_NEAR(step.values.at("w").at("x").as_number(), expected[at][1], 1e-12);
  }
}

TEST(Sgd, every_update_and_rate_comes_near_the_least_objective) {
  const Dataset data = with(noisy(600), "y");
  const Sgd best{.loss = SgdLoss::logistic,
                 .alpha = 1e-2,
                 .average = true,
                 .max_iter = 400,
                 .tol = 0,
                 .n_iter_no_change = 400};
  const double least = mean_loss(data, fit(best, data, "y").model(), LossKind::logistic, 1e-2);
  for (const Update update : {Update::plain, Update::momentum, Update::adagrad, Update::adam}) {
    for (const SgdRate rate : {SgdRate::optimal, SgdRate::falling, SgdRate::inverse_scaling,
                               SgdRate::adaptive, SgdRate::constant}) {
      if (update != Update::plain && rate == SgdRate::optimal) continue;
      Sgd learner{.loss = SgdLoss::logistic, .alpha = 1e-2, .learning_rate = rate};
      learner.update_rule = update;
      learner.t0 = 5000;
      learner.eta0 = update == Update::momentum ? 0.002 : 0.02;
      if (update == Update::adagrad) learner.eta0 = 0.5;
      learner.max_iter = 60;
      const double value =
          mean_loss(data, fit(learner, data, "y").model(), LossKind::logistic, 1e-2);
      EXPECT_LT(value, least * 1.1) << static_cast<int>(update) << " " << static_cast<int>(rate);
      EXPECT_GT(value, least * 0.999);
    }
  }
}

TEST(Sgd, every_loss_for_numbers_finds_the_slopes) {
  const Dataset data = with(noisy(800), "t");
  for (const SgdLoss loss : {SgdLoss::squared, SgdLoss::absolute, SgdLoss::huber,
                             SgdLoss::epsilon_insensitive, SgdLoss::squared_epsilon_insensitive}) {
    const Sgd learner{.loss = loss,
                      .learning_rate = SgdRate::constant,
                      .average = true,
                      .max_iter = 100,
                      .tol = 0,
                      .n_iter_no_change = 100};
    const auto model = fit(learner, data, "t");
    EXPECT_NEAR(model.model().functions.coefficients(0, 0), 1.5, 0.12) << static_cast<int>(loss);
    EXPECT_NEAR(model.model().functions.coefficients(0, 4), 0, 0.12);
  }
}

TEST(Sgd, l1_makes_useless_columns_exactly_zero) {
  const Dataset data = with(noisy(500), "t");
  for (const SgdPenalty penalty : {SgdPenalty::l1, SgdPenalty::elastic_net}) {
    const Sgd learner{.penalty = penalty, .alpha = 0.1, .l1_ratio = 0.9, .max_iter = 200};
    const auto w = fit(learner, data, "t").model().functions.coefficients.values;
    EXPECT_GT(w[0], 1);
    EXPECT_EQ(w[2] == 0 || w[3] == 0 || w[4] == 0, true);
  }
}

TEST(Sgd, averaging_is_the_mean_of_w_after_every_step) {
  const Dataset data = with(noisy(30), "y");
  Sgd learner{.alpha = 0.05, .max_iter = 1};
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  learner.average = true;
  const auto model = fit(learner, data, "y", context);
  double sum = 0, b = 0;
  int steps = 0;
  for (const Step& step : recorder.steps()) {
    if (!step.path.starts_with("step ")) continue;
    sum += step.values.at("w").at("f1").as_number();
    b += step.values.at("w").at("intercept").as_number();
    ++steps;
  }
  ASSERT_EQ(steps, 30);
  EXPECT_NEAR(model.model().functions.coefficients(0, 0), sum / steps, 1e-12);
  EXPECT_NEAR(model.model().functions.intercept[0], b / steps, 1e-12);
}

TEST(Sgd, sparse_rows_take_the_steps_of_the_dense_rows) {
  const Dataset data = with(noisy(200), "y");
  CsrArrays matrix;
  matrix.cols = 5;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      const double x = data.columns()[j].number(i);
      if (x == 0) continue;
      matrix.add(static_cast<std::uint32_t>(j), x);
    }
    matrix.end_row();
  }
  const Dataset sparse =
      Dataset({data.column("y")}).with_sparse({std::make_shared<CsrMatrix>(matrix), "f", 1});
  for (const SgdPenalty penalty : {SgdPenalty::l2, SgdPenalty::l1}) {
    const Sgd learner{.loss = SgdLoss::logistic, .penalty = penalty, .alpha = 1e-3, .max_iter = 5};
    const auto a = fit(learner, data, "y").model().functions.coefficients.values;
    const auto b = fit(learner, sparse, "y").model().functions.coefficients.values;
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(a[j], b[j], 1e-9);
  }
}

TEST(Sgd, goes_on_with_new_rows_where_it_stands) {
  const Dataset data = with(noisy(400), "y");
  std::vector<std::size_t> first(200), second(200);
  for (std::size_t i = 0; i < 200; ++i) {
    first[i] = i;
    second[i] = 200 + i;
  }
  FitOptions options;
  options.target = {"y"};
  const AnyLearner learner(Sgd{.max_iter = 1, .shuffle = false});
  const AnyModel at_once = fit(learner, data, options);
  const AnyModel in_parts =
      update(fit(learner, data.take(first), options), data.take(second), options);
  const auto p = at_once.predict(with(noisy(400), "y").without("y")).values;
  const auto q = in_parts.predict(with(noisy(400), "y").without("y")).values;
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], q[i], 1e-9 * (1 + std::abs(p[i])));
}

TEST(Sgd, stops_early_on_rows_set_aside) {
  const Dataset data = with(noisy(500), "y");
  const auto model =
      fit(Sgd{.loss = SgdLoss::logistic, .max_iter = 500, .early_stopping = true}, data, "y");
  EXPECT_TRUE(model.model().converged);
  EXPECT_LT(model.model().n_iter[0], 100);
}

TEST(Sgd, huge_columns_cannot_make_a_squared_loss_diverge) {
  const Dataset data = with(noisy(100), "t");
  std::vector<double> large;
  for (std::size_t i = 0; i < 100; ++i) large.push_back(1e9 + 1e7 * data.columns()[0].number(i));
  const auto model = fit(Sgd{.max_iter = 20}, data.with_column(Column::numeric("f1", large)), "t");
  for (const double w : model.model().functions.coefficients.values) EXPECT_TRUE(std::isfinite(w));
}

TEST(Sgd, losses_of_the_other_task_and_one_class_are_refused) {
  EXPECT_THROW(fit(Sgd{.loss = SgdLoss::squared}, with(noisy(20), "y"), "y"), Error);
  EXPECT_THROW(fit(Sgd{.loss = SgdLoss::hinge}, with(noisy(20), "t"), "t"), Error);
  EXPECT_THROW(fit(Sgd{.loss = SgdLoss::quantile, .epsilon = 2}, with(noisy(20), "t"), "t"), Error);
  const Dataset one(
      {Column::numeric("x", std::vector<double>{1, 2}), Column::nominal("y", {0, 0}, {"a"})});
  EXPECT_THROW(fit(Sgd{}, one, "y"), Error);
}

// Twelve rows, row i using column i alone; the first and the eleventh are of the class.
Dataset rare_columns(std::size_t count) {
  std::vector<Column> columns;
  std::vector<std::optional<std::string>> classes(12);
  for (std::size_t j = 0; j < count; ++j) {
    std::vector<double> x(12, 0.0);
    if (j < 12) x[j] = 1;
    columns.push_back(Column::numeric("w" + std::to_string(j), std::move(x)));
  }
  for (std::size_t i = 0; i < 12; ++i) classes[i] = i % 10 == 0 ? "yes" : "no";
  columns.push_back(categorical_from_texts("y", classes));
  return Dataset(std::move(columns));
}

TEST(Sgd, the_intercept_moves_at_a_hundredth_of_the_pace_beside_columns_that_few_rows_use) {
  // The first rate is 10: the intercept goes 10, 0, -10, stays, 0, -10; or down in tenths.
  const Sgd once{.max_iter = 1, .shuffle = false};
  const auto intercept = [&](std::size_t columns) {
    return fit(once, rare_columns(columns), "y").model().functions.intercept[0];
  };
  EXPECT_NEAR(intercept(90), -10, 0.3);
  EXPECT_NEAR(intercept(200), -0.8, 0.03);
}

TEST(Sgd, stops_early_by_the_validation_rows_of_the_user) {
  const Dataset all = with(noisy(600), "y");
  std::vector<std::size_t> first(400);
  std::vector<std::size_t> second(200);
  for (std::size_t i = 0; i < 600; ++i) (i < 400 ? first[i] : second[i - 400]) = i;
  const Dataset train = all.take(first);
  const Dataset other = all.take(second);
  Sgd learner{.loss = SgdLoss::logistic, .max_iter = 200, .early_stopping = true};
  FitOptions options{.target = {"y"}, .validation = &other};
  Recorder trace;
  Context context;
  context.trace = &trace;
  const Fitted<Sgd> model(fit(learner, train, options, context));
  EXPECT_TRUE(model.model().converged);
  // All training rows teach.
  EXPECT_EQ(model.model().steps[0], 400 * model.model().n_iter[0]);
  double judged = 0;
  for (const Step& step : trace.steps()) {
    if (step.values.find("validation_loss") == nullptr) continue;
    judged = step.values.at("validation_loss").as_number();
    EXPECT_NE(step.formula.find("on the validation rows"), std::string::npos);
  }
  EXPECT_NEAR(judged, mean_loss(other, model.model(), LossKind::logistic, 0), 1e-9);
  learner.early_stopping = false;
  EXPECT_THROW(fit(learner, train, options), Error);
}

TEST(Sgd, judges_classes_side_by_side_as_it_judges_them_one_by_one) {
  std::vector<double> x;
  std::vector<double> z;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < 300; ++i) {
    Stream stream(5, i);
    y.push_back(static_cast<std::int32_t>(i % 3));
    x.push_back(stream.normal() + 2 * (i % 3 == 1 ? 1 : 0));
    z.push_back(stream.normal() + 2 * (i % 3 == 2 ? 1 : 0));
  }
  const Dataset all(
      {Column::numeric("x", x), Column::numeric("z", z), Column::nominal("y", y, {"a", "b", "c"})});
  std::vector<std::size_t> second;
  for (std::size_t i = 150; i < 300; ++i) second.push_back(i);
  const Dataset other = all.take(second);
  FitOptions options{.target = {"y"}, .validation = &other};
  Sgd learner{.loss = SgdLoss::logistic, .max_iter = 3, .early_stopping = true};
  Recorder trace;
  Context context;
  context.trace = &trace;
  const Fitted<Sgd> model(fit(learner, all, options, context));
  const LinearFunctions& f = model.model().functions;
  std::vector<double> judged;  // after the last pass of each class
  for (const Step& step : trace.steps()) {
    if (step.path.ends_with("pass 3")) {
      judged.push_back(step.values.at("validation_loss").as_number());
    }
  }
  ASSERT_EQ(judged.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    double loss = 0;
    for (std::size_t i = 0; i < other.rows(); ++i) {
      const double score = f.intercept[k] + f.coefficients.row(k)[0] * other.column("x").number(i) +
                           f.coefficients.row(k)[1] * other.column("z").number(i);
      const bool mine = other.column("y").code(i) == static_cast<std::int32_t>(k);
      loss += std::log1p(std::exp(mine ? -score : score)) / static_cast<double>(other.rows());
    }
    EXPECT_NEAR(judged[k], loss, 1e-9) << k;
  }
}

}  // namespace
}  // namespace gradus
