#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

Dataset table(const std::vector<std::pair<std::string, std::vector<double>>>& columns) {
  std::vector<Column> out;
  for (const auto& [name, values] : columns) out.push_back(Column::numeric(name, values));
  return Dataset(std::move(out));
}

// y = 1 + sum j x_j + noise; column j is shifted and scaled.
struct Problem {
  std::size_t rows = 200;
  std::size_t features = 4;
  double shift = 0;
  double scale = 1;
  double noise = 0.1;
};

std::vector<std::pair<std::string, std::vector<double>>> numbers(const Problem& p) {
  std::vector<std::pair<std::string, std::vector<double>>> out;
  std::vector<double> y(p.rows, 1.0);
  for (std::size_t j = 0; j < p.features; ++j) {
    std::vector<double> x(p.rows);
    for (std::size_t i = 0; i < p.rows; ++i) {
      const double z = Stream(3, i * p.features + j).normal();
      x[i] = z * p.scale + p.shift;
      y[i] += static_cast<double>(j + 1) * (x[i] - p.shift) / p.scale;
    }
    out.emplace_back("x" + std::to_string(j), x);
  }
  for (std::size_t i = 0; i < p.rows; ++i) y[i] += p.noise * Stream(4, i).normal();
  out.emplace_back("y", y);
  return out;
}

Dataset generated(const Problem& p) { return table(numbers(p)); }

TEST(LinearRegression, simple_regression_is_that_of_the_textbook) {
  const Dataset data = table({{"x", {1, 2, 3, 4, 5}}, {"y", {1, 2, 1.3, 3.75, 2.25}}});
  const auto fitted = fit(LinearRegression{}, data, "y");
  const auto& model = fitted.model();
  EXPECT_NEAR(model.coefficients(0, 0), 0.425, 1e-15);
  EXPECT_NEAR(model.intercept[0], 0.785, 1e-15);
  EXPECT_NEAR(model.statistics[0].residual_sum_of_squares, 2.79075, 1e-14);
  EXPECT_NEAR(model.statistics[0].r2, 0.3929192952, 1e-10);
  EXPECT_EQ(model.solver, LinearSolver::cholesky);
}

TEST(LinearRegression, multiple_regression_is_that_of_the_textbook) {
  const Dataset data =
      table({{"x1", {1, 1, 2, 0}}, {"x2", {1, 2, 2, 1}}, {"y", {3.25, 6.5, 3.5, 5.0}}});
  for (const auto solver : {LinearSolver::cholesky, LinearSolver::qr, LinearSolver::svd}) {
    const auto model = fit(LinearRegression{.solver = solver}, data, "y").model();
    EXPECT_EQ(model.solver, solver);
    EXPECT_NEAR(model.intercept[0], 2.0625, 1e-13);
    EXPECT_NEAR(model.coefficients(0, 0), -2.375, 1e-13);
    EXPECT_NEAR(model.coefficients(0, 1), 3.25, 1e-13);
    EXPECT_NEAR(model.statistics[0].residual_sum_of_squares, 0.390625, 1e-13);
    EXPECT_NEAR(model.statistics[0].r2, 0.9425287356, 1e-10);
  }
}

TEST(LinearRegression, a_grade_is_predicted_from_an_aptitude_test) {
  const Dataset data = table({{"x", {95, 85, 80, 70, 60}}, {"y", {85, 95, 70, 65, 70}}});
  const auto model = fit(LinearRegression{}, data, "y");
  EXPECT_NEAR(model.model().coefficients(0, 0), 47.0 / 73, 1e-14);
  EXPECT_NEAR(model.model().intercept[0], 1955.0 / 73, 1e-12);
  EXPECT_NEAR(model.model().statistics[0].r2, 0.4803218091, 1e-10);
  const auto predicted = model.predict(table({{"x", {80}}}));
  EXPECT_NEAR(predicted.values[0], 78.28767123, 1e-8);
}

TEST(LinearRegression, the_price_of_a_used_car_is_that_of_the_textbook) {
  const Dataset data =
      table({{"price", {13500, 13750, 13950, 14950, 13750, 12950, 16900, 18600, 21500, 12950}},
             {"age", {23, 23, 24, 26, 30, 32, 27, 30, 27, 23}},
             {"distance", {46986, 72937, 41711, 48000, 38500, 61000, 94612, 75889, 19700, 71138}},
             {"weight", {1165, 1165, 1165, 1165, 1170, 1170, 1245, 1245, 1185, 1105}}});
  const auto model = fit(LinearRegression{}, data, "price");
  EXPECT_NEAR(model.model().intercept[0], -47607.37153, 1e-4);
  EXPECT_NEAR(model.model().coefficients(0, 0), -148.3904899, 1e-6);
  EXPECT_NEAR(model.model().coefficients(0, 1), -0.06294981351, 1e-10);
  EXPECT_NEAR(model.model().coefficients(0, 2), 59.77150799, 1e-7);
  EXPECT_NEAR(model.model().statistics[0].r2, 0.5738917185, 1e-10);
  const auto price =
      model.predict(table({{"age", {25}}, {"distance", {53240}}, {"weight", {1200}}}));
  EXPECT_NEAR(price.values[0], 17057.22774, 1e-4);
}

TEST(LinearRegression, the_normal_equations_give_the_maximum_likelihood_weights) {
  const auto model =
      fit(LinearRegression{}, table({{"x", {1, 2, 3}}, {"t", {1, 2, 2}}}), "t").model();
  EXPECT_NEAR(model.intercept[0], 2.0 / 3, 1e-15);
  EXPECT_NEAR(model.coefficients(0, 0), 0.5, 1e-15);
  EXPECT_NEAR(model.statistics[0].residual_sum_of_squares / 2, 0.08333333333, 1e-11);
}

// Form B of the textbook, sum r^2 + lambda |w|^2, where the bias is an ordinary penalised column.
TEST(LinearRegression, the_penalty_is_not_multiplied_by_the_number_of_rows) {
  const Dataset data = table({{"one", {1, 1, 1}}, {"x", {1, 2, 3}}, {"t", {1, 2, 2}}});
  for (const auto solver : {LinearSolver::automatic, LinearSolver::qr, LinearSolver::svd}) {
    const LinearRegression ridge{.fit_intercept = false, .alpha = 0.5, .solver = solver};
    const auto model = fit(ridge, data, "t").model();
    EXPECT_NEAR(model.coefficients(0, 0), 0.4406779661, 1e-10);
    EXPECT_NEAR(model.coefficients(0, 1), 0.5762711864, 1e-10);
    EXPECT_TRUE(std::isnan(model.statistics[0].standard_errors[0]));
  }
}

TEST(LinearRegression, the_penalty_leaves_the_intercept_alone) {
  const Dataset data = table({{"x", {1, 2, 3, 4}}, {"y", {101, 103, 102, 106}}});
  const auto model = fit(LinearRegression{.alpha = 1e12}, data, "y").model();
  EXPECT_NEAR(model.coefficients(0, 0), 0, 1e-10);
  EXPECT_NEAR(model.intercept[0], 103, 1e-9);
}

// R: summary(lm(y ~ x)) for x = 1..5, y = 1, 2, 1.3, 3.75, 2.25, by the formulas themselves.
TEST(LinearRegression, standard_errors_and_tests_follow_their_formulas) {
  const Dataset data = table({{"x", {1, 2, 3, 4, 5}}, {"y", {1, 2, 1.3, 3.75, 2.25}}});
  const auto model = fit(LinearRegression{}, data, "y").model();
  const LinearStatistics& s = model.statistics[0];
  const double sigma = std::sqrt(2.79075 / 3);
  EXPECT_NEAR(s.residual_standard_error, sigma, 1e-14);
  EXPECT_NEAR(s.standard_errors[1], sigma / std::sqrt(10.0), 1e-14);
  EXPECT_NEAR(s.standard_errors[0], sigma * std::sqrt(1.0 / 5 + 9.0 / 10), 1e-14);
  EXPECT_NEAR(s.t_values[1], 0.425 / s.standard_errors[1], 1e-13);
  EXPECT_NEAR(s.f_statistic, s.t_values[1] * s.t_values[1], 1e-12);
  EXPECT_NEAR(s.f_p_value, s.p_values[1], 1e-12);
  // The 97.5 % point of Student's t with 3 degrees of freedom.
  EXPECT_NEAR(s.interval_high[1], 0.425 + 3.182446305284263 * s.standard_errors[1], 1e-12);
  EXPECT_NEAR(s.adjusted_r2, 1 - (1 - s.r2) * 4 / 3, 1e-14);
  EXPECT_EQ(model.degrees_of_freedom, 3);
  EXPECT_NEAR(s.residual_quantiles[0], -0.76, 1e-14);
  EXPECT_NEAR(s.residual_quantiles[2], -0.21, 1e-14);
  EXPECT_NEAR(s.residual_quantiles[4], 1.265, 1e-14);
}

TEST(LinearRegression, threads_do_not_change_a_byte) {
  const Dataset data = generated({.rows = 20000, .features = 7});
  for (const auto solver : {LinearSolver::automatic, LinearSolver::qr}) {
    const LinearRegression learner{.solver = solver};
    const std::string one = fit(learner, data, "y", {.threads = 1}).fingerprint();
    EXPECT_EQ(fit(learner, data, "y", {.threads = 2}).fingerprint(), one);
    EXPECT_EQ(fit(learner, data, "y", {.threads = 8}).fingerprint(), one);
  }
}

TEST(LinearRegression, a_trace_does_not_change_a_byte) {
  const Dataset data = generated({});
  Recorder recorder;
  const auto traced = fit(LinearRegression{}, data, "y", {.trace = &recorder});
  EXPECT_EQ(traced.fingerprint(), fit(LinearRegression{}, data, "y").fingerprint());
  EXPECT_GE(recorder.steps().size(), 5U);
}

TEST(LinearRegression, a_row_of_weight_two_equals_the_row_written_twice) {
  auto columns = numbers({.rows = 50, .features = 2});
  auto twice = columns;
  std::vector<double> weights(50, 1.0);
  for (const std::size_t row : {3U, 17U, 49U}) {
    weights[row] = 2;
    for (auto& [name, values] : twice) values.push_back(values[row]);
  }
  weights[5] = 0;
  for (auto& [name, values] : twice) values.erase(values.begin() + 5);
  for (const auto solver : {LinearSolver::automatic, LinearSolver::svd}) {
    const LinearRegression learner{.solver = solver};
    const auto a = fit(learner, table(columns).with_weights(weights), "y").model();
    const auto b = fit(learner, table(twice), "y").model();
    EXPECT_NEAR(a.intercept[0], b.intercept[0], 1e-12);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(a.coefficients(0, j), b.coefficients(0, j), 1e-12);
    }
    EXPECT_NEAR(a.statistics[0].r2, b.statistics[0].r2, 1e-12);
    EXPECT_EQ(a.degrees_of_freedom, 49 - 3);
  }
}

TEST(LinearRegression, a_huge_offset_keeps_its_digits) {
  const auto near = fit(LinearRegression{}, generated({.noise = 0}), "y").model();
  const auto far = fit(LinearRegression{}, generated({.shift = 1e9, .noise = 0}), "y").model();
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(far.coefficients(0, j) / near.coefficients(0, j), 1, 1e-6);
  }
}

TEST(LinearRegression, extreme_scales_give_the_scaled_answer) {
  const auto plain = fit(LinearRegression{}, generated({}), "y").model();
  for (const double scale : {1e150, 1e-200, 1e-300}) {
    const auto model = fit(LinearRegression{}, generated({.scale = scale}), "y").model();
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_NEAR(model.coefficients(0, j) * scale / plain.coefficients(0, j), 1, 1e-9) << scale;
    }
    EXPECT_NEAR(model.statistics[0].r2, plain.statistics[0].r2, 1e-9);
    EXPECT_NEAR(model.statistics[0].t_values[1] / plain.statistics[0].t_values[1], 1, 1e-9);
  }
  for (const double scale : {1e200, 1e-200}) {
    auto columns = numbers({});
    for (double& y : columns.back().second) y *= scale;
    const auto model = fit(LinearRegression{}, table(columns), "y").model();
    EXPECT_NEAR(model.coefficients(0, 1) / scale / plain.coefficients(0, 1), 1, 1e-9);
    EXPECT_NEAR(model.statistics[0].residual_standard_error / scale /
                    plain.statistics[0].residual_standard_error,
                1, 1e-9);
  }
}

TEST(LinearRegression, a_magnitude_out_of_reach_is_an_error_that_names_the_column) {
  auto columns = numbers({.rows = 20, .features = 2});
  columns[1].second[3] = 1.7e308;
  columns[1].second[4] = -1.7e308;
  try {
    fit(LinearRegression{}, table(columns), "y");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::numerical);
    EXPECT_NE(error.where().find("x1"), std::string::npos) << error.what();
  }
}

TEST(LinearRegression, a_coefficient_outside_the_range_of_numbers_is_an_error) {
  auto columns = numbers({.rows = 20, .features = 1, .scale = 1e-200});
  for (double& y : columns.back().second) y *= 1e200;
  EXPECT_THROW(fit(LinearRegression{}, table(columns), "y"), Error);
}

TEST(LinearRegression, a_duplicated_column_shares_its_coefficient) {
  auto columns = numbers({.rows = 60, .features = 3});
  const auto once = fit(LinearRegression{}, table(columns), "y");
  columns.insert(columns.begin(), {"copy", columns[1].second});
  const auto twice = fit(LinearRegression{}, table(columns), "y");
  const auto& model = twice.model();
  EXPECT_EQ(model.rank, 3);
  EXPECT_EQ(model.solver, LinearSolver::svd);
  EXPECT_NEAR(model.coefficients(0, 0), model.coefficients(0, 2), 1e-12);
  EXPECT_NEAR(model.coefficients(0, 0) * 2, once.model().coefficients(0, 1), 1e-12);
  EXPECT_TRUE(std::isnan(model.statistics[0].standard_errors[1]));
  EXPECT_TRUE(twice.fitted().at("standard_errors").at("x0").is_null());
  EXPECT_NE(twice.fitted().find("note"), nullptr);
  const auto expected = once.predict(table(columns), {}, {.extra = Extra::ignore});
  const auto predicted = twice.predict(table(columns), {}, {.extra = Extra::ignore});
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_NEAR(predicted.values[i], expected.values[i], 1e-9);
  }
}

// The shortest b among all with x1 b1 + x2 b2 = y for one centred direction: b parallel to (1,
// 100).
TEST(LinearRegression, the_shortest_solution_is_short_in_the_units_of_the_data) {
  const Dataset data =
      table({{"a", {1, 2, 3, 4}}, {"b", {100, 200, 300, 400}}, {"y", {2, 4, 6, 8}}});
  const auto model = fit(LinearRegression{}, data, "y").model();
  EXPECT_EQ(model.rank, 1);
  EXPECT_NEAR(model.coefficients(0, 0), 2.0 / 10001, 1e-15);
  EXPECT_NEAR(model.coefficients(0, 1), 200.0 / 10001, 1e-14);
}

TEST(LinearRegression, more_columns_than_rows_are_fitted_exactly_by_the_shortest_solution) {
  const Dataset data = generated({.rows = 8, .features = 40});
  const auto model = fit(LinearRegression{}, data, "y");
  EXPECT_EQ(model.model().rank, 7);
  const auto predicted = model.predict(data, {}, {.extra = Extra::ignore});
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(predicted.values[i], data.column("y").number(i), 1e-9);
  }
}

TEST(LinearRegression, constant_columns_get_the_coefficient_zero) {
  auto columns = numbers({.rows = 1000, .features = 2});
  columns.insert(columns.begin(), {"constant", std::vector<double>(1000, 14.62)});
  const auto model = fit(LinearRegression{}, table(columns), "y").model();
  EXPECT_EQ(model.coefficients(0, 0), 0);
  EXPECT_EQ(model.rank, 2);
  columns.resize(1);
  columns.emplace_back("y", std::vector<double>(1000, 2.5));
  for (const auto solver : {LinearSolver::automatic, LinearSolver::qr, LinearSolver::svd}) {
    const auto flat = fit(LinearRegression{.solver = solver}, table(columns), "y").model();
    EXPECT_EQ(flat.coefficients(0, 0), 0);
    EXPECT_EQ(flat.intercept[0], 2.5);
    EXPECT_TRUE(std::isnan(flat.statistics[0].r2));
  }
}

TEST(LinearRegression, one_row_is_enough) {
  const auto model = fit(LinearRegression{}, table({{"x", {3}}, {"y", {7}}}), "y");
  EXPECT_EQ(model.predict(table({{"x", {100}}})).values[0], 7);
  EXPECT_TRUE(model.fitted().at("r2").is_null());
}

TEST(LinearRegression, several_outputs_equal_their_own_fits) {
  auto columns = numbers({.features = 3});
  std::vector<double> z = columns.back().second;
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = 3 * columns[0].second[i] - z[i] * z[i];
  columns.emplace_back("z", z);
  FitOptions both;
  both.target = {"y", "z"};
  const AnyModel joint = fit(AnyLearner(LinearRegression{}), table(columns), both);
  const auto alone = fit(LinearRegression{}, table(columns).without("y"), "z");
  const Value fitted = joint.fitted().at("outputs").at("z");
  for (const std::string name : {"intercept", "x0", "x1", "x2"}) {
    EXPECT_NEAR(fitted.at("coefficients").at(name).as_number(),
                alone.fitted().at("coefficients").at(name).as_number(), 1e-12);
  }
  EXPECT_EQ(joint.signature().width(), 2U);
}

TEST(LinearRegression, a_nominal_column_becomes_differences_to_its_first_level) {
  const Column color = Column::nominal("color", {0, 0, 1, 1, 2, 2}, {"blue", "green", "red"});
  const Dataset data({color, Column::numeric("y", std::vector<double>{1, 3, 5, 7, 11, 13})});
  const auto model = fit(LinearRegression{}, data, "y");
  const Value b = model.fitted().at("coefficients");
  EXPECT_NEAR(b.at("intercept").as_number(), 2, 1e-13);
  EXPECT_NEAR(b.at("color=green").as_number(), 4, 1e-13);
  EXPECT_NEAR(b.at("color=red").as_number(), 10, 1e-13);
}

TEST(LinearRegression, a_forced_cholesky_says_when_it_cannot) {
  auto columns = numbers({.rows = 30, .features = 1});
  columns.insert(columns.begin(), {"copy", columns[0].second});
  EXPECT_THROW(fit(LinearRegression{.solver = LinearSolver::cholesky}, table(columns), "y"), Error);
}

TEST(LinearRegression, a_prediction_does_not_depend_on_the_block_around_it) {
  const Dataset data = generated({.rows = 300, .features = 19});
  const auto model = fit(LinearRegression{}, data, "y");
  const auto all = model.predict(data, {}, {.extra = Extra::ignore});
  for (const std::size_t row : {0U, 1U, 255U, 299U}) {
    const std::size_t chosen[] = {row};
    const auto one = model.predict(data.take(chosen), {}, {.extra = Extra::ignore});
    EXPECT_EQ(one.values[0], all.values[row]);
  }
}

TEST(LinearRegression, a_model_that_does_not_fit_its_signature_is_refused) {
  const auto fitted = fit(LinearRegression{}, generated({}), "y");
  auto model = fitted.model();
  model.check(fitted.signature());
  model.coefficients.rows = 7;
  EXPECT_THROW(model.check(fitted.signature()), Error);
}

}  // namespace
}  // namespace gradus
