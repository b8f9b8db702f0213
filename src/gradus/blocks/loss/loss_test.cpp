#include "gradus/blocks/loss/loss.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

const std::vector<Loss>& all_losses() {
  static const std::vector<Loss> losses = {{LossKind::squared, 1},
                                           {LossKind::absolute, 1},
                                           {LossKind::huber, 0.8},
                                           {LossKind::log_cosh, 1},
                                           {LossKind::epsilon_insensitive, 0.3},
                                           {LossKind::quantile, 0.2},
                                           {LossKind::poisson, 1},
                                           {LossKind::logistic, 1},
                                           {LossKind::hinge, 1},
                                           {LossKind::squared_hinge, 1},
                                           {LossKind::exponential, 1},
                                           {LossKind::squared_epsilon_insensitive, 0.3},
                                           {LossKind::perceptron, 1},
                                           {LossKind::gamma, 1},
                                           {LossKind::tweedie, 1.3}};
  return losses;
}

std::string name_of(const Loss& loss) {
  return std::string(enum_names(loss.kind)[static_cast<std::size_t>(loss.kind)]);
}

TEST(Loss, slope_and_curvature_are_the_numeric_derivatives) {
  constexpr double kStep = 1e-5;
  for (const Loss& loss : all_losses()) {
    for (const double y : {0.0, 1.0}) {
      for (const double z : {-2.37, -1.13, -0.42, 0.17, 0.61, 1.44, 3.3}) {
        const LossAt here = loss_at(loss, z, y);
        const LossAt above = loss_at(loss, z + kStep, y);
        const LossAt below = loss_at(loss, z - kStep, y);
        EXPECT_NEAR(here.slope, (above.value - below.value) / (2 * kStep), 1e-8)
            << name_of(loss) << " at " << z << " for " << y;
        EXPECT_NEAR(here.curvature, (above.slope - below.slope) / (2 * kStep), 1e-8)
            << name_of(loss) << " at " << z << " for " << y;
      }
    }
  }
}

TEST(Loss, corners_have_the_middle_slope_and_no_curvature) {
  EXPECT_EQ(loss_at({LossKind::absolute, 1}, 2, 2).slope, 0);
  EXPECT_EQ(loss_at({LossKind::quantile, 0.2}, 2, 2).slope, 0.3);
  EXPECT_EQ(loss_at({LossKind::hinge, 1}, 1, 1).slope, -0.5);
  EXPECT_EQ(loss_at({LossKind::epsilon_insensitive, 0.5}, 2.5, 2).slope, 0);
}

TEST(Loss, known_values) {
  EXPECT_DOUBLE_EQ(loss_at({LossKind::huber, 1.5}, 4, 1).value, 1.5 * (3 - 0.75));
  EXPECT_DOUBLE_EQ(loss_at({LossKind::quantile, 0.9}, 1, 3).value, 0.9 * 2);
  EXPECT_DOUBLE_EQ(loss_at({LossKind::logistic, 1}, 0, 1).value, std::log(2));
  EXPECT_DOUBLE_EQ(loss_at({LossKind::log_cosh, 1}, 1.5, 0).value, std::log(std::cosh(1.5)));
  EXPECT_NEAR(loss_at({LossKind::log_cosh, 1}, 1e-6, 0).value, 5e-13, 1e-25);
  EXPECT_DOUBLE_EQ(loss_at({LossKind::squared_hinge, 1}, 0.5, 0).value, 2.25);
  EXPECT_DOUBLE_EQ(loss_at({LossKind::exponential, 1}, -1, 1).value, std::exp(1));
  EXPECT_DOUBLE_EQ(loss_at({LossKind::poisson, 1}, std::log(3), 2).value, 3 - 2 * std::log(3));
  EXPECT_DOUBLE_EQ(loss_at({LossKind::gamma, 1}, std::log(4), 2).value, 0.5 + std::log(4));
  EXPECT_DOUBLE_EQ(loss_at({LossKind::tweedie, 1.5}, std::log(4), 3).value, 2 * 2 + 3 * 2 * 0.5);
}

TEST(Loss, extreme_margins_keep_their_digits) {
  const Loss logistic{LossKind::logistic, 1};
  EXPECT_EQ(loss_at(logistic, 1e308, 0).value, 1e308);
  EXPECT_EQ(loss_at(logistic, 1e308, 1).value, 0);
  EXPECT_EQ(loss_at(logistic, -1e308, 1).slope, -1);
  // ln(1 + e^-40) is e^-40, not 0; and so is the slope.
  EXPECT_NEAR(loss_at(logistic, 40, 1).value, std::exp(-40), 1e-30);
  EXPECT_NEAR(loss_at(logistic, 40, 1).slope, -std::exp(-40), 1e-30);
  EXPECT_NEAR(loss_at(logistic, -40, 0).curvature, std::exp(-40), 1e-30);
  EXPECT_EQ(loss_at({LossKind::log_cosh, 1}, 1e300, 0).slope, 1);
  EXPECT_TRUE(std::isfinite(loss_at({LossKind::log_cosh, 1}, 1e300, 0).value));
}

TEST(Loss, a_block_gives_what_single_rows_give) {
  std::vector<double> z;
  std::vector<double> y;
  for (int i = 0; i < 37; ++i) {
    z.push_back((i - 18) * 2.7);
    y.push_back(i % 3 == 0 ? 1 : 0);
  }
  z[5] = 745;
  z[6] = -1e300;
  for (const Loss& loss : all_losses()) {
    std::vector<double> value(z.size()), slope(z.size()), curvature(z.size());
    loss_block(loss, z.data(), y.data(), z.size(), {value.data(), slope.data(), curvature.data()});
    for (std::size_t i = 0; i < z.size(); ++i) {
      const LossAt one = loss_at(loss, z[i], y[i]);
      EXPECT_DOUBLE_EQ(value[i], one.value) << name_of(loss) << " " << z[i];
      EXPECT_DOUBLE_EQ(slope[i], one.slope) << name_of(loss) << " " << z[i];
      EXPECT_DOUBLE_EQ(curvature[i], one.curvature) << name_of(loss) << " " << z[i];
    }
  }
}

TEST(CrossEntropy, is_the_textbook_softmax) {
  std::vector<double> scores = {1, 2, 0.5};
  const double target = 1;
  double value = 0;
  cross_entropy_block(scores.data(), &target, 1, 3, &value);
  EXPECT_NEAR(scores[0], 0.2312238976, 1e-10);
  EXPECT_NEAR(scores[1], 0.6285317192, 1e-10);
  EXPECT_NEAR(scores[2], 0.1402443832, 1e-10);
  EXPECT_NEAR(value, 0.4643687841, 1e-10);
}

TEST(CrossEntropy, extreme_scores_neither_overflow_nor_lose_the_loss) {
  std::vector<double> scores = {1e300, -1e300, 0, 2000, 1000, 0};
  const std::vector<double> target = {1, 1};
  std::vector<double> value(2);
  cross_entropy_block(scores.data(), target.data(), 2, 3, value.data());
  EXPECT_EQ(value[0], 2e300);
  EXPECT_EQ(value[1], 1000);
  EXPECT_EQ(scores[0], 1);
  EXPECT_EQ(scores[1], 0);
  std::vector<double> plain = {5, 5};
  softmax_rows(plain.data(), 1, 2);
  EXPECT_EQ(plain, (std::vector<double>{0.5, 0.5}));
}

TEST(SoftmaxRows, two_classes_have_the_shares_of_their_powers_to_the_last_bit) {
  Stream stream(3);
  std::vector<double> scores(2 * 200);
  for (double& score : scores) score = 30 * stream.normal();
  scores[4] = scores[5];      // a tie
  scores[6] = 1e300;          // beyond any power
  scores[9] = 2 + scores[8];  // the second class ahead
  std::vector<double> expected;
  for (std::size_t i = 0; i < scores.size(); i += 2) {
    const double largest = std::max(scores[i], scores[i + 1]);
    double powers[] = {scores[i] - largest, scores[i + 1] - largest};
    simd::exp(powers, powers, 2);
    expected.push_back(powers[0] / (powers[0] + powers[1]));
    expected.push_back(powers[1] / (powers[0] + powers[1]));
  }
  softmax_rows(scores.data(), 200, 2);
  EXPECT_EQ(scores, expected);
}

}  // namespace
}  // namespace gradus
