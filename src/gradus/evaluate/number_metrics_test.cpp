#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/evaluate/metrics.hpp"

namespace gradus {
namespace {

using Numbers = std::vector<double>;

TEST(NumberMetrics, the_textbook_example_of_mae_and_rmse) {
  const NumberEvaluation out =
      evaluate_numbers(Numbers{3.0, -0.5, 2.0, 7.0}, Numbers{2.5, 0.0, 2.0, 8.0});
  EXPECT_EQ(out.n, 4);
  EXPECT_DOUBLE_EQ(out.mae, 0.5);
  EXPECT_NEAR(out.rmse, 0.6123724357, 1e-10);
  EXPECT_DOUBLE_EQ(out.mse, 0.375);
  EXPECT_DOUBLE_EQ(out.median_ae, 0.5);
  EXPECT_DOUBLE_EQ(out.max_error, 1.0);
  EXPECT_NEAR(*out.r2, 0.9486081370449679, 1e-15);
}

TEST(NumberMetrics, squared_and_absolute_risk_of_the_textbook) {
  const NumberEvaluation out = evaluate_numbers(Numbers{1, 2, 5}, Numbers{1.5, 2, 3});
  EXPECT_NEAR(out.mse, 1.416666667, 1e-9);
  EXPECT_NEAR(out.mae, 0.8333333333, 1e-10);
}

TEST(NumberMetrics, the_mean_as_answer_has_r2_of_zero_and_is_the_baseline) {
  const NumberEvaluation out = evaluate_numbers(Numbers{1, 2, 3}, Numbers{2, 2, 2});
  EXPECT_DOUBLE_EQ(*out.r2, 0.0);
  EXPECT_DOUBLE_EQ(out.rmse, out.mean_baseline_rmse);
}

TEST(NumberMetrics, a_constant_target_has_no_r2) {
  const NumberEvaluation out = evaluate_numbers(Numbers{0.1, 0.1, 0.1}, Numbers{0, 0, 0});
  EXPECT_FALSE(out.r2);
  EXPECT_EQ(out.mean_baseline_rmse, 0.0);
  EXPECT_TRUE(to_value(out).at("r2").is_null());
  EXPECT_DOUBLE_EQ(to_value(out).at("mae").as_number(), 0.1);
}

TEST(NumberMetrics, a_weight_of_two_is_a_row_written_twice) {
  const NumberEvaluation weighted =
      evaluate_numbers(Numbers{1, 4, 9}, Numbers{2, 2, 20}, Numbers{2, 1, 1});
  const NumberEvaluation repeated = evaluate_numbers(Numbers{1, 1, 4, 9}, Numbers{2, 2, 2, 20});
  EXPECT_DOUBLE_EQ(weighted.mae, repeated.mae);
  EXPECT_DOUBLE_EQ(weighted.rmse, repeated.rmse);
  EXPECT_DOUBLE_EQ(*weighted.r2, *repeated.r2);
  EXPECT_DOUBLE_EQ(weighted.median_ae, repeated.median_ae);
  EXPECT_DOUBLE_EQ(weighted.mean_baseline_rmse, repeated.mean_baseline_rmse);
}

TEST(NumberMetrics, a_row_of_weight_zero_is_absent) {
  const NumberEvaluation out =
      evaluate_numbers(Numbers{1, 2, 3}, Numbers{1, 3, 90}, Numbers{1, 1, 0});
  EXPECT_EQ(out.max_error, 1.0);
  EXPECT_EQ(out.median_ae, 0.5);
  EXPECT_EQ(out.n, 2);
}

TEST(NumberMetrics, explained_variance_percentages_and_quantile_loss) {
  const NumberEvaluation out = evaluate_numbers(Numbers{3.0, -0.5, 2.0, 7.0},
                                                Numbers{2.5, 0.0, 2.0, 8.0}, {}, {.quantile = 0.9});
  EXPECT_NEAR(*out.explained_variance, 0.9571734475374732, 1e-15);
  EXPECT_NEAR(*out.mape, 0.3273809523809524, 1e-15);
  EXPECT_NEAR(out.quantile_loss, 0.15, 1e-15);
  EXPECT_DOUBLE_EQ(out.mean_error, 0.25);
}

TEST(NumberMetrics, percentages_of_zero_are_undefined_and_say_why) {
  const NumberEvaluation out = evaluate_numbers(Numbers{0, 1}, Numbers{1, 1});
  EXPECT_FALSE(out.mape);
  EXPECT_EQ(to_value(out).at("undefined").at("mape").as_string(), "an actual value is 0");
  EXPECT_THROW(evaluate_numbers(Numbers{1}, Numbers{1}, {}, {.quantile = 1}), Error);
}

TEST(NumberMetrics, no_rows_are_an_error) { EXPECT_THROW(evaluate_numbers({}, {}), Error); }

// A power of two is a change of units and of nothing else.
TEST(NumberMetrics, numbers_whose_squares_have_no_number_are_measured_in_other_units) {
  const std::vector<double> actual = {1, 2, 4, 7};
  const std::vector<double> said = {1.5, 2, 3, 7.25};
  const std::vector<double> weights = {1, 2, 1, 3};
  const NumberEvaluation plain = evaluate_numbers(actual, said, weights);
  for (const int power : {900, -900}) {
    std::vector<double> large = actual;
    std::vector<double> guess = said;
    for (double& x : large) x = std::ldexp(x, power);
    for (double& x : guess) x = std::ldexp(x, power);
    const NumberEvaluation out = evaluate_numbers(large, guess, weights);
    EXPECT_NEAR(*out.r2, *plain.r2, 1e-15);
    EXPECT_NEAR(*out.r2_error, *plain.r2_error, 1e-15);
    EXPECT_NEAR(*out.explained_variance, *plain.explained_variance, 1e-15);
    EXPECT_NEAR(*out.mape, *plain.mape, 1e-15);
    const std::pair<double, double> with_units[] = {
        {out.mae, plain.mae},
        {out.rmse, plain.rmse},
        {out.mean_error, plain.mean_error},
        {out.median_ae, plain.median_ae},
        {out.max_error, plain.max_error},
        {out.quantile_loss, plain.quantile_loss},
        {out.mean_baseline_rmse, plain.mean_baseline_rmse},
        {out.mae_error, plain.mae_error},
        {out.rmse_error, plain.rmse_error},
        {out.mean_error_error, plain.mean_error_error}};
    for (const auto& [found, expected] : with_units) {
      EXPECT_NEAR(std::ldexp(found, -power), expected, 1e-14);
    }
    EXPECT_TRUE(std::isnan(out.mse));
    ASSERT_EQ(out.undefined.size(), 1U);
    EXPECT_EQ(out.undefined[0].first, "mse");
    EXPECT_THAT(out.undefined[0].second, testing::HasSubstr(power > 0 ? "too large" : "too small"));
  }
}

}  // namespace
}  // namespace gradus
