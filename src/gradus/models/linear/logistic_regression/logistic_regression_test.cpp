#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/linear/logistic_regression/explain.hpp"
#include "gradus/models/linear/logistic_regression/model.hpp"
#include "gradus/models/linear/logistic_regression/testing.hpp"
#include "gradus/models/linear/logistic_regression/wald.hpp"

namespace gradus {
namespace {

TEST(LogisticRegression, every_solver_finds_the_same_line) {
  for (const std::size_t classes : {2U, 3U}) {
    const Dataset data = noisy(200, classes);
    const auto newton =
        fit(LogisticRegression{.solver = LogisticSolver::newton, .tol = 1e-10}, data, "y");
    EXPECT_LT(newton.model().n_iter, 12);
    for (const LogisticSolver solver : {LogisticSolver::lbfgs, LogisticSolver::gradient_descent}) {
      const auto other =
          fit(LogisticRegression{.solver = solver, .max_iter = 20000, .tol = 1e-8}, data, "y");
      expect_same_line(newton.model(), other.model(), 1e-5);
    }
    const auto stochastic = fit(LogisticRegression{.solver = LogisticSolver::sgd,
                                                   .max_iter = 400,
                                                   .tol = 1e-4,
                                                   .step_rule = StepRule::falling},
                                data, "y");
    const double best = newton.model().log_likelihood;
    EXPECT_NEAR(stochastic.model().log_likelihood, best, 0.02 * std::abs(best));
  }
}

TEST(LogisticRegression, the_gradient_of_the_stated_objective_vanishes) {
  const Dataset data = noisy(150, 2);
  const LogisticRegression learner{.C = 0.5, .tol = 1e-12};
  const auto fitted = fit(learner, data, "y");
  const LogisticRegressionModel& model = fitted.model();
  std::vector<double> gradient(4, 0.0);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    double z = model.intercept[0];
    for (std::size_t j = 0; j < 3; ++j) z += model.coefficients(0, j) * data.columns()[j].number(i);
    const double gap = 1 / (1 + std::exp(-z)) - data.column("y").code(i);
    gradient[3] += gap;
    for (std::size_t j = 0; j < 3; ++j) gradient[j] += gap * data.columns()[j].number(i);
  }
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(gradient[j] + model.coefficients(0, j) / learner.C, 0, 1e-7);
  }
  EXPECT_NEAR(gradient[3], 0, 1e-9) << "the intercept is not penalised";
}

TEST(LogisticRegression, a_long_table_starts_from_a_sample_and_ends_at_the_same_line) {
  const Dataset data = noisy(110000, 2, 2);
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  const auto newton = fit(LogisticRegression{.tol = 1e-9}, data, "y", context);
  EXPECT_NE(recorder.steps()[0].text.find("every 16th row"), std::string::npos);
  EXPECT_LE(newton.model().n_iter, 8);
  const auto plain = fit(
      LogisticRegression{.solver = LogisticSolver::lbfgs, .max_iter = 500, .tol = 1e-9}, data, "y");
  expect_same_line(newton.model(), plain.model(), 1e-6);
}

TEST(LogisticRegression, separable_classes_have_no_maximum_likelihood) {
  const Dataset separable = of_one_column({1, 2, 3, 4, 5, 6}, {0, 0, 0, 1, 1, 1});
  for (const LogisticSolver solver :
       {LogisticSolver::newton, LogisticSolver::lbfgs, LogisticSolver::gradient_descent}) {
    try {
      fit(LogisticRegression{.penalty = LogisticPenalty::none, .solver = solver}, separable, "y");
      FAIL() << "found a maximum";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::numerical);
      EXPECT_NE(error.message().find("separable"), std::string::npos) << error.what();
      EXPECT_NE(error.hint().find("l2"), std::string::npos);
    }
  }
  const auto shrunk = fit(LogisticRegression{}, separable, "y");
  EXPECT_GT(shrunk.model().coefficients(0, 0), 0);
}

TEST(LogisticRegression, classes_separated_along_one_column_only_are_found_too) {
  // z is 1 only in rows of class yes: its coefficient would be infinite, that of x would not.
  std::vector<double> x, z;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 60; ++i) {
    x.push_back(Stream(5, static_cast<std::uint64_t>(i)).normal());
    y.push_back(i % 3 == 0 ? 1 : 0);
    z.push_back(i % 6 == 0 ? 1 : 0);
  }
  const Dataset data(
      {Column::numeric("x", x), Column::numeric("z", z), Column::nominal("y", y, {"no", "yes"})});
  EXPECT_THROW(fit(LogisticRegression{.penalty = LogisticPenalty::none, .tol = 1e-9}, data, "y"),
               Error);
  EXPECT_NO_THROW(fit(LogisticRegression{}, data, "y"));
}

TEST(LogisticRegression, strong_but_overlapping_classes_are_not_mistaken_for_separable) {
  const Dataset data =
      of_one_column({-50, -40, -30, -20, -1, 1, 20, 30, 40, 50}, {0, 0, 0, 0, 1, 0, 1, 1, 1, 1});
  const auto model =
      fit(LogisticRegression{.penalty = LogisticPenalty::none, .tol = 1e-10}, data, "y");
  EXPECT_TRUE(std::isfinite(model.model().coefficients(0, 0)));
}

TEST(LogisticRegression, integer_weights_are_repeated_rows_and_the_order_does_not_matter) {
  const Dataset data = noisy(60, 3);
  std::vector<double> weights;
  std::vector<std::size_t> repeated;
  std::vector<std::size_t> backwards;
  for (std::size_t i = 0; i < 60; ++i) {
    weights.push_back(static_cast<double>(i % 4));
    repeated.insert(repeated.end(), i % 4, i);
    backwards.push_back(59 - i);
  }
  const LogisticRegression learner{};
  const auto weighted = fit(learner, data.with_weights(weights), "y");
  expect_same_line(weighted.model(), fit(learner, data.take(repeated), "y").model(), 1e-9);
  expect_same_line(fit(learner, data, "y").model(), fit(learner, data.take(backwards), "y").model(),
                   1e-9);
}

TEST(LogisticRegression, balanced_classes_are_rows_weighted_by_hand) {
  const Dataset data = noisy(90, 2);
  double yes = 0;
  for (std::size_t i = 0; i < 90; ++i) yes += data.column("y").code(i);
  std::vector<double> weights;
  for (std::size_t i = 0; i < 90; ++i) {
    weights.push_back(45 / (data.column("y").code(i) == 1 ? yes : 90 - yes));
  }
  const auto balanced =
      fit(LogisticRegression{.class_weight = ClassWeightRule::balanced}, data, "y");
  expect_same_line(balanced.model(),
                   fit(LogisticRegression{}, data.with_weights(weights), "y").model(), 1e-9);
}

TEST(LogisticRegression, standard_errors_are_the_root_of_the_inverse_hessian) {
  const Dataset data = noisy(120, 2, 1);
  const auto fitted =
      fit(LogisticRegression{.penalty = LogisticPenalty::none, .tol = 1e-11}, data, "y");
  const LogisticRegressionModel& model = fitted.model();
  double h[3] = {0, 0, 0};
  for (std::size_t i = 0; i < 120; ++i) {
    const double x = data.columns()[0].number(i);
    const double p = 1 / (1 + std::exp(-model.intercept[0] - model.coefficients(0, 0) * x));
    h[0] += p * (1 - p);
    h[1] += p * (1 - p) * x;
    h[2] += p * (1 - p) * x * x;
  }
  const double determinant = h[0] * h[2] - h[1] * h[1];
  const WaldStatistics& s = model.statistics[0];
  EXPECT_NEAR(s.standard_errors[0], std::sqrt(h[2] / determinant), 1e-9);
  EXPECT_NEAR(s.standard_errors[1], std::sqrt(h[0] / determinant), 1e-9);
  EXPECT_NEAR(s.z_values[1], model.coefficients(0, 0) / s.standard_errors[1], 1e-12);
  EXPECT_NEAR(s.interval_high[1] - s.interval_low[1], 2 * 1.959963984540054 * s.standard_errors[1],
              1e-9);
}

TEST(LogisticRegression, under_a_penalty_or_with_dependent_columns_nothing_is_claimed) {
  const Dataset data = noisy(80, 2);
  EXPECT_TRUE(std::isnan(fit(LogisticRegression{}, data, "y").model().statistics[0].p_values[0]));
  std::vector<double> twice;
  for (std::size_t i = 0; i < 80; ++i) twice.push_back(2 * data.columns()[0].number(i) + 1);
  const auto dependent = fit(LogisticRegression{.penalty = LogisticPenalty::none},
                             data.with_column(Column::numeric("twice", twice)), "y");
  EXPECT_TRUE(std::isnan(dependent.model().statistics[0].standard_errors[1]));
  EXPECT_TRUE(dependent.fitted().at("p_values").at("x1").is_null());
}

TEST(LogisticRegression, a_constant_column_gets_the_coefficient_0) {
  const Dataset data =
      noisy(50, 2).with_column(Column::numeric("same", std::vector<double>(50, 14.62)));
  for (const LogisticPenalty penalty : {LogisticPenalty::l2, LogisticPenalty::none}) {
    const auto model = fit(LogisticRegression{.penalty = penalty}, data, "y");
    EXPECT_EQ(model.fitted().at("coefficients").at("same").as_number(), 0);
  }
}

TEST(LogisticRegression, the_units_of_a_column_do_not_matter_without_a_penalty) {
  const Dataset data = noisy(80, 2);
  Dataset moved = data;
  for (const double scale : {1e150, 1e-150}) {
    std::vector<double> x;
    for (std::size_t i = 0; i < 80; ++i) x.push_back(data.columns()[0].number(i) * scale);
    moved = data.with_column(Column::numeric("x1", x));
    const LogisticRegression learner{.penalty = LogisticPenalty::none, .tol = 1e-10};
    const auto before = fit(learner, data, "y");
    const auto after = fit(learner, moved, "y");
    const double ratio =
        after.model().coefficients(0, 0) * scale / before.model().coefficients(0, 0);
    EXPECT_NEAR(ratio, 1, 1e-6);
    EXPECT_NEAR(after.model().intercept[0], before.model().intercept[0], 1e-6);
  }
}

TEST(LogisticRegression, a_strong_and_a_weak_penalty_are_its_limits) {
  const Dataset data = noisy(100, 2);
  const auto crushed = fit(LogisticRegression{.C = 1e-300}, data, "y");
  for (const double w : crushed.model().coefficients.values) EXPECT_NEAR(w, 0, 1e-20);
  const auto free = fit(LogisticRegression{.C = 1e300, .tol = 1e-10}, data, "y");
  const auto none =
      fit(LogisticRegression{.penalty = LogisticPenalty::none, .tol = 1e-10}, data, "y");
  expect_same_line(free.model(), none.model(), 1e-6);
}

TEST(LogisticRegression, one_class_is_refused) {
  const Dataset one({Column::numeric("x", std::vector<double>{1, 2, 3}),
                     Column::nominal("y", {0, 0, 0}, {"no"})});
  EXPECT_THROW(fit(LogisticRegression{}, one, "y"), Error);
  const Dataset weighted = of_one_column({1, 2, 3, 4}, {0, 1, 0, 1}).with_weights({1, 0, 1, 0});
  EXPECT_THROW(fit(LogisticRegression{}, weighted, "y"), Error);
}

TEST(LogisticRegression, too_few_iterations_are_said) {
  const auto model =
      fit(LogisticRegression{.solver = LogisticSolver::gradient_descent, .max_iter = 2},
          noisy(60, 2), "y");
  EXPECT_EQ(model.model().stop, StopReason::limit_reached);
  EXPECT_NE(model.fitted().at("note").as_string().find("max_iter"), std::string::npos);
}

TEST(LogisticRegression, a_step_that_diverges_is_refused_or_stays_finite) {
  const LogisticRegression wild{.solver = LogisticSolver::gradient_descent,
                                .max_iter = 500,
                                .step_rule = StepRule::constant,
                                .learning_rate = 1e308};
  try {
    const auto model = fit(wild, noisy(60, 2), "y");
    for (const double w : model.model().coefficients.values) EXPECT_TRUE(std::isfinite(w));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::numerical);
  }
}

TEST(LogisticRegression, shows_every_round_of_reweighted_least_squares) {
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  const Dataset data = of_one_column({-1, 0, 1, 2}, {0, 1, 0, 1});
  const auto model =
      fit(LogisticRegression{.penalty = LogisticPenalty::none, .tol = 1e-12}, data, "y", context);
  const Step& start = recorder.steps()[1];
  EXPECT_EQ(start.path, "iteration 0");
  EXPECT_NEAR(start.values.at("rows").as_array()[2].at("R").as_number(), 0.25, 1e-15);
  EXPECT_NEAR(start.values.at("hessian").as_array()[1].as_array()[1].as_number(), 1.5, 1e-12);
  EXPECT_NEAR(start.values.at("update").as_array()[1].as_number(), 0.8, 1e-12);
  const Step& last = recorder.steps()[static_cast<std::size_t>(model.model().n_iter) + 1];
  EXPECT_NEAR(last.values.at("w").at("x").as_number(), model.model().coefficients(0, 0), 1e-12);
}

TEST(Wald, information_that_vanishes_along_a_column_is_seen) {
  linalg::Matrix start = linalg::Matrix::zeros(2, 2);
  start(0, 0) = start(1, 1) = 1;
  linalg::Matrix now = start;
  EXPECT_NEAR(least_information_left(start, now), 1, 1e-12);
  now(1, 1) = 1e-9;
  EXPECT_NEAR(least_information_left(start, now), 1e-9, 1e-15);
}

TEST(LogisticRegression, sparse_rows_give_the_line_of_the_dense_rows) {
  for (const std::size_t classes : {2U, 4U}) {
    const Dataset sparse = sparse_words(300, 400, classes);
    const Dataset dense = made_dense(sparse);
    LogisticRegression learner{.C = 10, .max_iter = 1000, .tol = 1e-10};
    LogisticRegression finest = learner;  // newton_cg counts what is left to gain, not the slope
    finest.tol = 1e-15;
    finest.solver = LogisticSolver::newton_cg;
    const auto from_sparse = fit(finest, sparse, "y");
    EXPECT_TRUE(from_sparse.model().statistics.empty());
    const auto from_dense = fit(learner, dense, "y");
    EXPECT_EQ(from_dense.model().solver, LogisticSolver::lbfgs);
    // newton_cg ends where the value cannot fall: 1e-16 of it is 1e-8 of a coefficient.
    expect_same_line(from_sparse.model(), from_dense.model(), 1e-5);
    learner.solver = LogisticSolver::lbfgs;
    expect_same_line(fit(learner, sparse, "y").model(), from_sparse.model(), 1e-5);
    expect_same_line(fit(finest, dense, "y").model(), from_sparse.model(), 1e-12);
    const auto p = from_sparse.predict(sparse).values;
    const auto q = from_dense.predict(dense).values;
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], q[i], 1e-8);
  }
}

// |w|^2 / 2 + C times the losses.
double objective(const LogisticRegressionModel& model) {
  double square = 0;
  for (const double w : model.coefficients.values) square += w * w;
  return square / 2 - model.log_likelihood / model.lambda;
}

TEST(LogisticRegression, the_dual_has_the_line_of_the_other_solvers) {
  for (const std::size_t classes : {2U, 4U}) {
    for (const bool intercept : {true, false}) {
      const Dataset sparse = sparse_words(300, 400, classes);
      LogisticRegression learner{.C = 2,
                                 .fit_intercept = intercept,
                                 .solver = LogisticSolver::newton_cg,
                                 .max_iter = 2000,
                                 .tol = 1e-14};
      const auto exact = fit(learner, sparse, "y");
      learner.solver = LogisticSolver::dual;
      learner.tol = 1e-13;
      const auto dual = fit(learner, sparse, "y");
      EXPECT_EQ(dual.model().stop, StopReason::gradient_small);
      expect_same_line(dual.model(), exact.model(), 1e-4);
      EXPECT_NEAR(objective(dual.model()), objective(exact.model()),
                  1e-10 * objective(exact.model()));
      expect_same_line(fit(learner, made_dense(sparse), "y").model(), dual.model(), 1e-4);
      // As exact as it was asked to be.
      learner.tol = 1e-4;
      const auto rough = fit(learner, sparse, "y");
      EXPECT_LT(rough.model().n_iter, dual.model().n_iter);
      EXPECT_LE(objective(rough.model()), objective(exact.model()) * (1 + 1e-4));
    }
  }
}

TEST(LogisticRegression, dual_and_saga_tell_how_the_loss_falls) {
  for (const std::size_t classes : {2U, 3U}) {
    const Dataset sparse = sparse_words(300, 40, classes);
    for (const Dataset& data : {sparse, made_dense(sparse)}) {
      for (const LogisticSolver solver : {LogisticSolver::dual, LogisticSolver::saga}) {
        const LogisticRegression learner{.solver = solver, .max_iter = 500, .tol = 1e-8};
        const auto fitted = fit(learner, data, "y");
        const std::vector<double>& curve = fitted.model().loss_curve;
        ASSERT_EQ(curve.size(), static_cast<std::size_t>(fitted.model().n_iter) + 1);
        EXPECT_NEAR(curve.front(), std::log(static_cast<double>(classes)), 1e-12);
        EXPECT_LT(curve.back(), curve.front());
        const double least = objective(fitted.model()) / 300;
        EXPECT_NEAR(curve.back(), least, (solver == LogisticSolver::dual ? 1e-6 : 0.1) * least);
        Recorder recorder;
        Context context;
        context.trace = &recorder;
        EXPECT_EQ(fit(learner, data, "y", context).model().loss_curve, curve);
      }
    }
  }
}

TEST(LogisticRegression, wide_sparse_rows_take_the_dual_and_end_with_newton_where_it_creeps) {
  const Dataset data = sparse_words(300, 400, 3);
  const auto quick = fit(LogisticRegression{}, data, "y");
  EXPECT_EQ(quick.model().solver, LogisticSolver::dual);
  // Columns of very different size.
  CsrArrays matrix = data.sparse()->matrix->arrays();
  for (std::size_t at = 0; at < matrix.value.size(); ++at) {
    matrix.value[at] *= matrix.index[at] % 3 == 0 ? 100 : 1;
  }
  const Dataset uneven =
      Dataset({data.column("y")}).with_sparse({std::make_shared<CsrMatrix>(matrix), "f", 1});
  const auto long_way = fit(LogisticRegression{.C = 10}, uneven, "y");
  EXPECT_EQ(long_way.model().solver, LogisticSolver::newton_cg);
  EXPECT_EQ(long_way.model().stop, StopReason::gradient_small);
  EXPECT_GT(long_way.model().n_iter, 40) << "its sweeps count";
  EXPECT_EQ(long_way.model().loss_curve.size(),
            static_cast<std::size_t>(long_way.model().n_iter) + 1);
  const auto straight = fit(
      LogisticRegression{.C = 10, .solver = LogisticSolver::newton_cg, .tol = 1e-12}, uneven, "y");
  EXPECT_NEAR(objective(long_way.model()), objective(straight.model()),
              1e-4 * objective(straight.model()));
}

TEST(LogisticRegression, the_dual_counts_weights_as_copies_and_knows_no_places_of_rows) {
  const LogisticRegression learner{.C = 1e-3, .solver = LogisticSolver::dual};
  const Dataset data = noisy(60, 3);
  std::vector<std::size_t> turned;
  std::vector<std::size_t> twice;
  for (std::size_t i = data.rows(); i > 0; --i) turned.push_back(i - 1);
  for (std::size_t i = 0; i < data.rows(); ++i) twice.insert(twice.end(), 2, i);
  const auto plain = fit(learner, data.with_weights(std::vector<double>(data.rows(), 2.0)), "y");
  const auto copied = fit(learner, data.take(twice), "y");
  EXPECT_EQ(plain.model().n_iter, copied.model().n_iter);
  expect_same_line(plain.model(), copied.model(), 1e-12);
  expect_same_line(fit(learner, data, "y").model(), fit(learner, data.take(turned), "y").model(),
                   1e-12);
  EXPECT_NE(fit(learner, data, "y").model().coefficients.values, plain.model().coefficients.values);
}

TEST(LogisticRegression, the_steps_of_the_dual_lead_to_the_model) {
  const Dataset data = of_one_column({1, 2, 3, 4, 5, 6}, {0, 0, 1, 0, 1, 1});
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  const LogisticRegression learner{.solver = LogisticSolver::dual, .max_iter = 200};
  const auto told = fit(learner, data, "y", context);
  EXPECT_EQ(told.model().coefficients.values, fit(learner, data, "y").model().coefficients.values);
  std::vector<double> p = {0, 0, 1, 0, 1, 1};
  std::size_t visits = 0;
  std::size_t sweeps = 0;
  for (const Step& step : recorder.steps()) {
    sweeps += step.text.find("best one given all others") != std::string::npos ? 1 : 0;
    if (!step.title.starts_with("Row ")) continue;
    const auto row = static_cast<std::size_t>(step.values.at("row").as_integer() - 1);
    EXPECT_EQ(step.values.at("before").as_number(), p[row]);
    p[row] = step.values.at("after").as_number();
    ++visits;
  }
  EXPECT_GE(visits, 6U);
  EXPECT_EQ(sweeps, static_cast<std::size_t>(told.model().n_iter)) << "the last one says stop";
  const auto last = std::find_if(recorder.steps().begin(), recorder.steps().end(),
                                 [](const Step& step) { return step.text.starts_with("Stop"); });
  ASSERT_NE(last, recorder.steps().end());
  EXPECT_LE(last->values.at("gap").as_number(), 1e-6 * last->values.at("loss").as_number());
}

TEST(LogisticRegression, the_dual_needs_its_penalty) {
  const Dataset data = noisy(50, 2);
  for (const LogisticPenalty penalty : {LogisticPenalty::none, LogisticPenalty::l1}) {
    const LogisticRegression learner{.penalty = penalty, .solver = LogisticSolver::dual};
    EXPECT_THROW(fit(learner, data, "y"), Error);
  }
}

TEST(LogisticRegression, separable_sparse_rows_have_no_maximum_without_a_penalty) {
  const Dataset data = sparse_words(60, 400, 2);
  EXPECT_THROW(fit(LogisticRegression{.penalty = LogisticPenalty::none}, data, "y"), Error);
  EXPECT_THROW(fit(LogisticRegression{.solver = LogisticSolver::sgd}, data, "y"), Error);
}

TEST(LogisticRegression, shows_the_iterations_over_sparse_rows) {
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  const auto model = fit(LogisticRegression{}, sparse_words(80, 400, 2), "y", context);
  const Step* last = nullptr;
  for (const Step& step : recorder.steps()) {
    if (step.path.starts_with("iteration")) last = &step;
  }
  ASSERT_NE(last, nullptr);
  const double objective = last->values.at("loss").as_number();
  double square = 0;
  for (const double w : model.model().coefficients.values) square += w * w;
  EXPECT_NEAR(objective, -model.model().log_likelihood + square / 2, 1e-9 * objective);
}

TEST(LogisticRegression, l1_and_elastic_net_satisfy_the_conditions_of_a_minimum) {
  const Dataset data = noisy(200, 2, 6);
  for (const double ratio : {1.0, 0.4}) {
    for (const LogisticSolver solver :
         {LogisticSolver::coordinate_descent, LogisticSolver::proximal_gradient,
          LogisticSolver::owlqn, LogisticSolver::saga}) {
      const LogisticRegression learner{.penalty = LogisticPenalty::elastic_net,
                                       .C = 0.02,
                                       .l1_ratio = ratio,
                                       .solver = solver,
                                       .max_iter = 20000,
                                       .tol = 1e-9};
      const auto fitted = fit(learner, data, "y");
      const LogisticRegressionModel& m = fitted.model();
      EXPECT_NE(m.stop, StopReason::limit_reached);
      const auto p = fitted.predict(data).values;
      for (std::size_t j = 0; j < 6; ++j) {
        double slope = 0;
        for (std::size_t i = 0; i < 200; ++i) {
          slope += (p[2 * i + 1] - data.column("y").code(i)) * data.columns()[j].number(i);
        }
        const double w = m.coefficients(0, j);
        slope += (1 - ratio) * w / learner.C;
        const double edge = ratio / learner.C;
        if (w == 0) {
          EXPECT_LE(std::abs(slope), edge * (1 + 1e-6)) << j;
        } else {
          EXPECT_NEAR(slope, -std::copysign(edge, w), 1e-4 * edge) << j;
        }
      }
    }
  }
}

// -ln(likelihood) + |w|_1 / C.
double l1_objective(const LogisticRegressionModel& model, double C = 1) {
  double total = -model.log_likelihood;
  for (const double w : model.coefficients.values) total += std::abs(w) / C;
  return total;
}

TEST(LogisticRegression, l1_leaves_few_coefficients_of_wide_sparse_rows) {
  const Dataset sparse = sparse_words(200, 400, 3);
  const LogisticRegression learner{
      .penalty = LogisticPenalty::l1, .C = 1, .max_iter = 5000, .tol = 1e-7};
  const auto from_sparse = fit(learner, sparse, "y");
  EXPECT_EQ(from_sparse.model().solver, LogisticSolver::owlqn);
  const auto& w = from_sparse.model().coefficients.values;
  const auto zeros = std::count(w.begin(), w.end(), 0.0);
  EXPECT_GT(zeros, static_cast<std::ptrdiff_t>(w.size() / 2));
  const double objective = l1_objective(from_sparse.model());
  LogisticRegression other = learner;
  for (const LogisticSolver solver : {LogisticSolver::owlqn, LogisticSolver::proximal_gradient}) {
    other.solver = solver;
    EXPECT_NEAR(l1_objective(fit(other, sparse, "y").model()), objective, 1e-7 * objective);
    EXPECT_NEAR(l1_objective(fit(other, made_dense(sparse), "y").model()), objective,
                1e-7 * objective);
  }
  other.solver = LogisticSolver::saga;
  other.tol = 1e-5;
  EXPECT_NEAR(l1_objective(fit(other, sparse, "y").model()), objective, 1e-6 * objective);
}

TEST(LogisticRegression, saga_solves_l2_and_no_penalty_too) {
  for (const std::size_t classes : {2U, 3U}) {
    const Dataset data = noisy(150, classes);
    for (const LogisticPenalty penalty : {LogisticPenalty::l2, LogisticPenalty::none}) {
      const LogisticRegression exact{.penalty = penalty, .tol = 1e-10};
      LogisticRegression learner = exact;
      learner.solver = LogisticSolver::saga;
      learner.max_iter = 5000;
      learner.tol = 1e-8;
      const auto found = fit(learner, data, "y");
      EXPECT_EQ(found.model().stop, StopReason::gradient_small);
      expect_same_line(found.model(), fit(exact, data, "y").model(), 1e-5);
    }
  }
}

TEST(LogisticRegression, says_how_solvers_with_corners_move) {
  const Dataset data = noisy(60, 2, 6);
  for (const auto& [solver, words] :
       {std::pair{LogisticSolver::owlqn, "changes of the gradient"},
        std::pair{LogisticSolver::saga, "remembered slopes"},
        std::pair{LogisticSolver::coordinate_descent, "soft-threshold"}}) {
    Recorder recorder;
    Context context;
    context.trace = &recorder;
    const LogisticRegression learner{
        .penalty = LogisticPenalty::l1, .C = 0.05, .solver = solver, .max_iter = 500};
    const auto model = fit(learner, data, "y", context);
    bool told = false;
    const Step* last = nullptr;
    for (const Step& step : recorder.steps()) {
      if (!step.path.starts_with("iteration")) continue;
      told = told || step.text.find(words) != std::string::npos;
      last = &step;
    }
    EXPECT_TRUE(told) << words;
    ASSERT_NE(last, nullptr);
    EXPECT_NEAR(last->values.at("loss").as_number(), l1_objective(model.model(), 0.05), 1e-9);
    const auto& w = model.model().coefficients.values;
    EXPECT_EQ(last->values.at("zeros").as_number(),
              static_cast<double>(std::count(w.begin(), w.end(), 0.0)));
  }
}

TEST(LogisticRegression, solvers_that_do_not_fit_the_penalty_are_refused) {
  const Dataset data = noisy(50, 2);
  EXPECT_THROW(
      fit(LogisticRegression{.penalty = LogisticPenalty::l1, .solver = LogisticSolver::lbfgs}, data,
          "y"),
      Error);
  EXPECT_THROW(fit(LogisticRegression{.solver = LogisticSolver::coordinate_descent}, data, "y"),
               Error);
}

}  // namespace
}  // namespace gradus
