// Ridge, lasso and elastic net: one engine, three learners.
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/blocks/linear/shrunk_model.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/learners.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"

namespace gradus {
namespace {

// y depends on the first two of `columns` columns; columns differ in size and have large means.
Dataset table(std::size_t n, std::size_t columns) {
  std::vector<std::vector<double>> x(columns);
  std::vector<double> y;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(31, i);
    for (std::size_t j = 0; j < columns; ++j) {
      x[j].push_back((stream.normal() + 5) * (1 + static_cast<double>(j % 4)));
    }
    y.push_back(3 * x[0][i] - 2 * x[1][i] + stream.normal() + 100);
  }
  std::vector<Column> out;
  for (std::size_t j = 0; j < columns; ++j) {
    out.push_back(Column::numeric("x" + std::to_string(j + 1), x[j]));
  }
  out.push_back(Column::numeric("y", y));
  return Dataset(std::move(out));
}

// The residuals are at right angles to the constant, and correlate with each column by the penalty.
void expect_optimal(const ShrunkModel& model, const Dataset& data, double alpha, double l1_ratio) {
  const std::size_t d = model.coefficients.width();
  const auto n = static_cast<double>(data.rows());
  std::vector<double> sums(d + 1, 0.0);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    double gap = data.column("y").number(i) - model.intercept[0];
    for (std::size_t j = 0; j < d; ++j)
      gap -= model.coefficients(0, j) * data.columns()[j].number(i);
    sums[d] += gap / n;
    for (std::size_t j = 0; j < d; ++j) sums[j] += gap * data.columns()[j].number(i) / n;
  }
  EXPECT_NEAR(sums[d], 0, 1e-8);
  for (std::size_t j = 0; j < d; ++j) {
    const double b = model.coefficients(0, j);
    const double rest = sums[j] - alpha * (1 - l1_ratio) * b;
    if (b == 0) {
      EXPECT_LE(std::abs(rest), alpha * l1_ratio + 1e-3) << j;
    } else {
      EXPECT_NEAR(rest, std::copysign(alpha * l1_ratio, b), 1e-3) << j;
    }
  }
}

TEST(Lasso, meets_the_conditions_of_its_optimum) {
  const Dataset data = table(120, 8);
  for (const double alpha : {0.01, 0.5, 3.0}) {
    expect_optimal(fit(Lasso{.alpha = alpha, .descent = {.tol = 1e-12}}, data, "y").model(), data,
                   alpha, 1);
    expect_optimal(
        fit(ElasticNet{.alpha = alpha, .l1_ratio = 0.3, .descent = {.tol = 1e-12}}, data, "y")
            .model(),
        data, alpha, 0.3);
  }
}

TEST(Lasso, meets_them_with_many_columns_of_which_few_or_most_enter) {
  const Dataset data = table(600, 300);
  for (const double alpha : {0.001, 0.2, 3.0}) {
    const auto fitted = fit(Lasso{.alpha = alpha, .descent = {.tol = 1e-12}}, data, "y");
    EXPECT_TRUE(fitted.model().converged);
    expect_optimal(fitted.model(), data, alpha, 1);
  }
}

TEST(Lasso, drops_columns_that_say_nothing) {
  const auto fitted = fit(Lasso{.alpha = 0.5}, table(200, 10), "y");
  EXPECT_NE(fitted.model().coefficients(0, 0), 0);
  EXPECT_NE(fitted.model().coefficients(0, 1), 0);
  for (std::size_t j = 2; j < 10; ++j) EXPECT_EQ(fitted.model().coefficients(0, j), 0);
  EXPECT_EQ(fitted.fitted().at("nonzero").as_integer(), 2);
  EXPECT_TRUE(fitted.model().converged);
}

TEST(Lasso, with_more_columns_than_rows_meets_them_too) {
  const Dataset data = table(12, 40);
  expect_optimal(fit(Lasso{.alpha = 0.2, .descent = {.tol = 1e-12}}, data, "y").model(), data, 0.2,
                 1);
  expect_optimal(fit(ElasticNet{.alpha = 0.2, .descent = {.tol = 1e-12}}, data, "y").model(), data,
                 0.2, 0.5);
}

TEST(Lasso, a_huge_alpha_leaves_the_mean) {
  const Dataset data = table(40, 3);
  double mean = 0;
  for (std::size_t i = 0; i < 40; ++i) mean += data.column("y").number(i) / 40;
  for (const double alpha : {1e6, 1e308}) {
    const auto model = fit(Lasso{.alpha = alpha}, data, "y");
    EXPECT_EQ(model.model().coefficients.values, std::vector<double>(3, 0.0));
    EXPECT_NEAR(model.model().intercept[0], mean, 1e-9);
  }
}

TEST(Lasso, alpha_0_is_least_squares) {
  const Dataset data = table(60, 4);
  const auto plain = fit(LinearRegression{}, data, "y");
  for (std::size_t j = 0; j < 4; ++j) {
    const double b = plain.model().coefficients(0, j);
    EXPECT_NEAR(fit(Lasso{.alpha = 0}, data, "y").model().coefficients(0, j), b, 1e-9);
    EXPECT_NEAR(fit(Ridge{.alpha = 0}, data, "y").model().coefficients(0, j), b, 1e-9);
    EXPECT_NEAR(fit(ElasticNet{.alpha = 0}, data, "y").model().coefficients(0, j), b, 1e-9);
  }
}

TEST(Ridge, equals_linear_regression_with_the_same_alpha) {
  const Dataset data = table(60, 6);
  for (const double alpha : {0.1, 10.0, 1e5}) {
    const auto ridge = fit(Ridge{.alpha = alpha}, data, "y");
    const auto plain = fit(LinearRegression{.alpha = alpha}, data, "y");
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_NEAR(ridge.model().coefficients(0, j), plain.model().coefficients(0, j), 1e-10);
    }
    EXPECT_NEAR(ridge.model().intercept[0], plain.model().intercept[0], 1e-8);
  }
}

TEST(Ridge, is_the_elastic_net_without_absolute_values) {
  const Dataset data = table(50, 4);
  const auto ridge = fit(Ridge{.alpha = 25}, data, "y");
  const auto net = fit(ElasticNet{.alpha = 0.5, .l1_ratio = 0}, data, "y");
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(ridge.model().coefficients(0, j), net.model().coefficients(0, j), 1e-10);
  }
}

TEST(Ridge, states_its_objective) {
  const Dataset data = table(50, 2);
  const auto fitted = fit(Ridge{.alpha = 7}, data, "y");
  const ShrunkModel& model = fitted.model();
  double value = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    double gap = data.column("y").number(i) - model.intercept[0];
    for (std::size_t j = 0; j < 2; ++j)
      gap -= model.coefficients(0, j) * data.columns()[j].number(i);
    value += gap * gap;
  }
  for (const double b : model.coefficients.values) value += 7 * b * b;
  EXPECT_NEAR(model.objective[0], value, 1e-8 * value);
}

TEST(Ridge, dependent_columns_share) {
  Dataset data = table(40, 2);
  std::vector<double> copy;
  for (std::size_t i = 0; i < 40; ++i) copy.push_back(data.columns()[0].number(i));
  data = data.with_column(Column::numeric("copy", copy));
  for (const double alpha : {1e-9, 1.0}) {
    const auto model = fit(Ridge{.alpha = alpha}, data, "y");
    EXPECT_NEAR(model.model().coefficients(0, 0), model.model().coefficients(0, 2), 1e-5);
  }
}

TEST(ElasticNet, several_outputs_are_fitted_one_by_one) {
  const Dataset data = table(60, 3);
  std::vector<double> other;
  for (std::size_t i = 0; i < 60; ++i) other.push_back(-2 * data.column("y").number(i));
  const Dataset both = data.with_column(Column::numeric("other", other));
  FitOptions options;
  options.target = {"y", "other"};
  const AnyModel model = fit(AnyLearner(ElasticNet{.alpha = 0.1}), both, options);
  const auto single = fit(ElasticNet{.alpha = 0.1}, data, "y");
  const Predictions together = model.predict(both);
  const Predictions alone = single.predict(data);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_NEAR(together.row(i)[0], alone.row(i)[0], 1e-9);
}

TEST(Lasso, cross_validation_from_sums_is_cross_validation_of_rows) {
  const Dataset data = table(53, 5);
  const auto chosen = fit(Lasso{.shrinkage = {.choice = {.folds = 4, .n_alphas = 7, .eps = 0.01}},
                                .descent = {.tol = 1e-13}},
                          data, "y");
  const ShrunkModel& model = chosen.model();
  ASSERT_EQ(model.path_alpha.size(), 7U);
  EXPECT_NEAR(model.path_alpha.back(), 0.01 * model.path_alpha.front(), 1e-12);
  for (std::size_t a = 0; a < 7; ++a) {
    double mean = 0;
    for (std::size_t f = 0, begin = 0; f < 4; ++f) {
      const std::size_t end = begin + 53 / 4 + (f < 53 % 4 ? 1 : 0);
      std::vector<std::size_t> train, test;
      for (std::size_t i = 0; i < 53; ++i) (i >= begin && i < end ? test : train).push_back(i);
      const auto fold = fit(Lasso{.alpha = model.path_alpha[a], .descent = {.tol = 1e-13}},
                            data.take(train), "y");
      const Predictions got = fold.predict(data.take(test));
      double error = 0;
      for (std::size_t i = 0; i < test.size(); ++i) {
        error += std::pow(got.row(i)[0] - data.column("y").number(test[i]), 2);
      }
      mean += error / static_cast<double>(test.size()) / 4;
      begin = end;
    }
    EXPECT_NEAR(model.path_error[a], mean, 1e-5 * mean) << a;
    EXPECT_GE(mean, model.path_error[static_cast<std::size_t>(
                        std::find(model.path_alpha.begin(), model.path_alpha.end(), model.alpha) -
                        model.path_alpha.begin())] *
                        (1 - 1e-5));
  }
  const auto direct = fit(Lasso{.alpha = model.alpha, .descent = {.tol = 1e-13}}, data, "y");
  EXPECT_NEAR(direct.model().coefficients(0, 0), model.coefficients(0, 0), 1e-8);
}

TEST(Lasso, cross_validation_says_what_it_cannot_do) {
  const Dataset data = table(10, 2);
  EXPECT_THROW(fit(Lasso{.shrinkage = {.choice = {.folds = 11}}}, data, "y"), Error);
}

TEST(Ridge, chooses_among_given_alphas) {
  const auto model =
      fit(Ridge{.shrinkage = {.choice = {.folds = 5, .alphas = {0.01, 1e7}}}}, table(80, 3), "y");
  EXPECT_EQ(model.model().alpha, 0.01);
  EXPECT_EQ(model.model().path_alpha, (std::vector<double>{1e7, 0.01}));
}

TEST(Lasso, huge_and_tiny_units_change_nothing_but_the_units) {
  const Dataset data = table(40, 2);
  const double base = fit(Lasso{.alpha = 1e-3}, data, "y").model().coefficients(0, 0);
  for (const double scale : {1e150, 1e-150}) {
    std::vector<double> y;
    for (std::size_t i = 0; i < 40; ++i) y.push_back(data.column("y").number(i) * scale);
    const auto model =
        fit(Lasso{.alpha = 1e-3 * scale}, data.with_column(Column::numeric("y", y)), "y");
    EXPECT_NEAR(model.model().coefficients(0, 0) / scale, base, 1e-6);
  }
}

TEST(Lasso, shows_the_soft_threshold_of_each_coordinate) {
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  fit(Lasso{.alpha = 0.5}, table(30, 2), "y", context);
  std::size_t thresholds = 0;
  for (const Step& step : recorder.steps()) {
    if (step.path.rfind("sweep", 0) != 0) continue;
    ++thresholds;
    const double rho = step.values.at("correlation").as_number();
    const double limit = step.values.at("threshold").as_number();
    const double expected = std::copysign(std::fmax(std::abs(rho) - limit, 0), rho) /
                            step.values.at("square").as_number();
    EXPECT_NEAR(step.values.at("after").as_number(), expected, 1e-9 * std::abs(expected));
    EXPECT_DOUBLE_EQ(limit, 0.5 * 30);
  }
  EXPECT_GE(thresholds, 2U);
}

// With x_j replaced by x_j / f_j a penalty of factor f_j is an ordinary one.
TEST(Lasso, penalty_factors_are_units_of_the_columns) {
  const Dataset data = table(60, 3);
  const std::vector<double> factors = {1, 4, 0.5};
  Dataset scaled = data;
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<double> x;
    for (std::size_t i = 0; i < 60; ++i) x.push_back(data.columns()[j].number(i) / factors[j]);
    scaled = scaled.with_column(Column::numeric(data.columns()[j].name(), x));
  }
  const auto ours =
      fit(Lasso{.alpha = 0.2, .shrinkage = {.penalty_factor = factors}, .descent = {.tol = 1e-13}},
          data, "y");
  const auto plain = fit(Lasso{.alpha = 0.2, .descent = {.tol = 1e-13}}, scaled, "y");
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(ours.model().coefficients(0, j), plain.model().coefficients(0, j) / factors[j],
                1e-7);
  }
}

TEST(Lasso, a_factor_of_zero_leaves_a_coefficient_free) {
  const Dataset data = table(60, 3);
  const std::vector<double> free = {0, 1, 1};
  const std::string names[] = {data.columns()[0].name(), "y"};
  const auto alone = fit(LinearRegression{}, data.select(names), "y");
  for (const double alpha : {1e6, 1e12}) {
    const auto lasso = fit(Lasso{.alpha = alpha, .shrinkage = {.penalty_factor = free}}, data, "y");
    const auto ridge = fit(Ridge{.alpha = alpha, .shrinkage = {.penalty_factor = free}}, data, "y");
    EXPECT_NEAR(lasso.model().coefficients(0, 0), alone.model().coefficients(0, 0), 1e-8);
    EXPECT_EQ(lasso.model().coefficients(0, 1), 0);
    EXPECT_NEAR(ridge.model().coefficients(0, 0), alone.model().coefficients(0, 0), 1e-3);
  }
  EXPECT_THROW(fit(Ridge{.shrinkage = {.penalty_factor = {1, 2}}}, data, "y"), Error);
  EXPECT_THROW(fit(Ridge{.shrinkage = {.penalty_factor = {1, 2, -1}}}, data, "y"), Error);
}

}  // namespace
}  // namespace gradus
