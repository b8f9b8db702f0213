#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"
#include "gradus/models/linear/stepwise_regression/model.hpp"

namespace gradus {
namespace {

// Five columns, of which the first and the fourth make the target.
Dataset table(std::size_t n, double unit = 1) {
  std::vector<std::vector<double>> x(5);
  std::vector<double> y;
  for (std::size_t i = 0; i < n; ++i) {
    Stream stream(71, i);
    for (auto& column : x) column.push_back(unit * stream.normal());
    y.push_back(3 * x[0][i] / unit + x[3][i] / unit + 0.5 * stream.normal());
  }
  std::vector<Column> columns;
  for (std::size_t j = 0; j < 5; ++j) {
    columns.push_back(Column::numeric("x" + std::to_string(j), x[j]));
  }
  columns.push_back(Column::numeric("y", y));
  return Dataset(std::move(columns));
}

using Columns = std::vector<std::int64_t>;

TEST(StepwiseRegression, every_way_finds_the_columns_that_matter) {
  for (const StepDirection direction :
       {StepDirection::forward, StepDirection::backward, StepDirection::both}) {
    const auto fitted =
        fit(StepwiseRegression{.direction = direction, .criterion = StepCriterion::bic}, table(400),
            "y");
    EXPECT_EQ(fitted.model().selected, (Columns{0, 3}));
    const auto validated = fit(
        StepwiseRegression{.direction = direction, .criterion = StepCriterion::cross_validation},
        table(400), "y");
    const Columns& found = validated.model().selected;
    EXPECT_LE(found.size(), 3U);
    EXPECT_EQ(std::count(found.begin(), found.end(), 0) + std::count(found.begin(), found.end(), 3),
              2);
  }
}

TEST(StepwiseRegression, the_line_is_least_squares_on_the_columns) {
  const Dataset data = table(100);
  const auto fitted = fit(StepwiseRegression{.max_features = 2}, data, "y");
  EXPECT_EQ(fitted.model().changed, (Columns{0, 3}));
  const std::string names[] = {"x0", "x3", "y"};
  const auto plain = fit(LinearRegression{}, data.select(names), "y");
  EXPECT_EQ(fitted.model().line.coefficients.values, plain.model().coefficients.values);
  // AIC as R has it: n ln(RSS / n) + 2 p.
  const double rss = plain.model().statistics[0].residual_sum_of_squares;
  EXPECT_NEAR(fitted.model().criterion.back(), 100 * std::log(rss / 100) + 6, 1e-8);
}

// 5 + 4 + 3 comparisons from five columns to two.
TEST(StepwiseRegression, counts_the_comparisons_of_the_textbook) {
  const auto fitted = fit(StepwiseRegression{.criterion = StepCriterion::bic}, table(400), "y");
  ASSERT_EQ(fitted.model().selected.size(), 2U);
  EXPECT_EQ(fitted.model().fits, 12);
}

TEST(StepwiseRegression, cross_validation_is_that_of_the_rows) {
  const Dataset data = table(40);
  const auto fitted = fit(
      StepwiseRegression{
          .criterion = StepCriterion::cross_validation, .max_features = 1, .folds = 4},
      data, "y");
  double sum = 0;
  for (std::size_t f = 0; f < 4; ++f) {
    std::vector<std::size_t> inside, outside;
    for (std::size_t i = 0; i < 40; ++i) (i / 10 == f ? inside : outside).push_back(i);
    const std::string names[] = {"x0", "y"};
    const auto line = fit(LinearRegression{}, data.select(names).take(outside), "y");
    const auto predicted = line.predict(data.select(names).take(inside)).values;
    for (std::size_t i = 0; i < 10; ++i) {
      const double r = data.columns()[5].number(inside[i]) - predicted[i];
      sum += r * r;
    }
  }
  EXPECT_NEAR(fitted.model().criterion.back(), sum / 40, 1e-10);
}

TEST(StepwiseRegression, noise_copies_and_units_do_not_confuse_it) {
  for (const double unit : {1e150, 1e-150}) {
    const auto fitted = fit(StepwiseRegression{.max_features = 2}, table(100, unit), "y");
    EXPECT_EQ(fitted.model().selected, (Columns{0, 3}));
  }
  Dataset data = table(60);
  std::vector<double> copy;
  for (std::size_t i = 0; i < 60; ++i) copy.push_back(2 * data.columns()[0].number(i));
  data = data.with_column(Column::numeric("copy", copy));
  const auto all = fit(StepwiseRegression{.direction = StepDirection::backward}, data, "y");
  EXPECT_EQ(all.model().line.rank, static_cast<std::int64_t>(all.model().selected.size()));
}

TEST(StepwiseRegression, a_constant_target_selects_nothing) {
  std::vector<double> x = {1, 2, 3, 4};
  const Dataset data({Column::numeric("x", x), Column::numeric("y", std::vector<double>(4, 7.0))});
  const auto fitted = fit(StepwiseRegression{}, data, "y");
  EXPECT_TRUE(fitted.model().selected.empty());
  EXPECT_NEAR(fitted.predict(data).values[2], 7, 1e-12);
}

TEST(StepwiseRegression, more_folds_than_rows_are_refused) {
  EXPECT_THROW(fit(StepwiseRegression{.criterion = StepCriterion::cross_validation, .folds = 50},
                   table(20), "y"),
               Error);
}

}  // namespace
}  // namespace gradus
