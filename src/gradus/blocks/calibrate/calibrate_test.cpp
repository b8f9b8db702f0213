#include "gradus/blocks/calibrate/calibrate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

TEST(Platt, is_the_maximum_of_the_likelihood_on_smoothed_targets) {
  const std::vector<double> scores = {-2, -1.5, -1, -0.2, 0.1, 0.4, 0.9, 1.6, 2.5};
  const std::vector<std::uint8_t> positive = {0, 0, 1, 0, 1, 0, 1, 1, 1};
  const PlattMap map = fit_platt({scores, positive, {}});
  double ga = 0;
  double gb = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double target = positive[i] != 0 ? 6.0 / 7 : 1.0 / 6;  // 5 positive, 4 negative
    ga += (map(scores[i]) - target) * scores[i];
    gb += map(scores[i]) - target;
  }
  EXPECT_NEAR(ga, 0, 1e-9);
  EXPECT_NEAR(gb, 0, 1e-9);
  EXPECT_LT(map.a, 0);
}

TEST(Platt, of_separated_scores_stays_finite_and_short_of_certain) {
  const std::vector<double> scores = {1, 2, 3, 4};
  const std::vector<std::uint8_t> positive = {0, 0, 1, 1};
  const PlattMap map = fit_platt({scores, positive, {}});
  EXPECT_TRUE(std::isfinite(map.a) && std::isfinite(map.b));
  EXPECT_GT(map(4), 0.7);
  EXPECT_LT(map(4), 1);
}

TEST(Platt, of_equal_scores_or_one_class_is_the_smoothed_share) {
  const std::vector<double> scores = {3, 3, 3, 3};
  const std::vector<std::uint8_t> positive = {1, 0, 0, 0};
  // (1·2/3 + 3·1/5) / 4
  EXPECT_NEAR(fit_platt({scores, positive, {}})(3), (2.0 / 3 + 3.0 / 5) / 4, 1e-9);
  const std::vector<std::uint8_t> none = {0, 0, 0, 0};
  EXPECT_NEAR(fit_platt({scores, none, {}})(3), 1.0 / 6, 1e-9);
}

TEST(Platt, takes_huge_and_tiny_scores) {
  const std::vector<std::uint8_t> positive = {0, 1, 0, 1, 1};
  for (const double scale : {1e-200, 1e-8, 1e8, 1e150}) {
    std::vector<double> scores = {-2, -1, 0.5, 1, 2};
    const PlattMap plain = fit_platt({scores, positive, {}});
    const double wanted = plain(1);
    for (double& score : scores) score *= scale;
    const PlattMap map = fit_platt({scores, positive, {}});
    if (!std::isfinite(map.a)) continue;
    EXPECT_NEAR(map(scale), wanted, 1e-6) << scale;
  }
}

TEST(Platt, an_integer_weight_is_a_row_written_that_often) {
  const std::vector<double> scores = {-1, 0.5, 1, 2};
  const std::vector<std::uint8_t> positive = {0, 1, 0, 1};
  const std::vector<double> weights = {2, 1, 3, 0};
  const std::vector<double> written = {-1, -1, 0.5, 1, 1, 1};
  const std::vector<std::uint8_t> labels = {0, 0, 1, 0, 0, 0};
  const PlattMap weighted = fit_platt({scores, positive, weights});
  const PlattMap plain = fit_platt({written, labels, {}});
  EXPECT_NEAR(weighted.a, plain.a, 1e-7);
  EXPECT_NEAR(weighted.b, plain.b, 1e-7);
}

TEST(Isotonic, pools_neighbours_that_fall) {
  const std::vector<double> scores = {1, 2, 3, 4, 5, 6};
  const std::vector<std::uint8_t> positive = {0, 1, 0, 0, 1, 1};
  const IsotonicMap map = fit_isotonic({scores, positive, {}});
  EXPECT_THAT(map.scores, ElementsAre(1, 2, 4, 5, 6));
  EXPECT_EQ(map(1), 0);
  EXPECT_NEAR(map(3), 1.0 / 3, 1e-15);
  EXPECT_NEAR(map(1.5), 1.0 / 6, 1e-15);
  EXPECT_EQ(map(-100), 0);
  EXPECT_EQ(map(100), 1);
}

TEST(Isotonic, equal_scores_are_one_point_and_weights_are_repetitions) {
  const std::vector<double> scores = {1, 1, 2, 2};
  const std::vector<std::uint8_t> positive = {0, 1, 1, 0};
  const std::vector<double> weights = {3, 1, 3, 1};
  const IsotonicMap map = fit_isotonic({scores, positive, weights});
  EXPECT_THAT(map.values, ElementsAre(0.25, 0.75));
}

TEST(Isotonic, is_the_rising_function_of_least_squares) {
  Stream stream(3);
  std::vector<double> scores(40);
  std::vector<std::uint8_t> positive(40);
  for (std::size_t i = 0; i < 40; ++i) {
    scores[i] = static_cast<double>(i);
    positive[i] = stream.uniform() < static_cast<double>(i) / 40 ? 1 : 0;
  }
  const IsotonicMap map = fit_isotonic({scores, positive, {}});
  double before = 0;
  for (const double score : scores) {
    EXPECT_GE(map(score), before);
    before = map(score);
  }
  // Max-min formula of isotonic regression at one point.
  const std::size_t at = 17;
  double best = 0;
  for (std::size_t low = 0; low <= at; ++low) {
    double least = 1;
    for (std::size_t high = at; high < 40; ++high) {
      double sum = 0;
      for (std::size_t i = low; i <= high; ++i) sum += positive[i];
      least = std::min(least, sum / static_cast<double>(high - low + 1));
    }
    best = std::max(best, least);
  }
  EXPECT_NEAR(map(17), best, 1e-12);
}

TEST(Temperature, is_found_again) {
  Stream stream(4);
  std::vector<double> logs;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 20000; ++i) {
    const double z = stream.normal();
    // The truth is softmax of z; the scores say three times as much.
    logs.insert(logs.end(), {0.0, 3 * z});
    labels.push_back(stream.uniform() < 1 / (1 + std::exp(-z)) ? 1 : 0);
  }
  const ClassScores scores{logs, 2, labels, {}};
  const double temperature = fit_temperature(scores);
  EXPECT_NEAR(temperature, 3, 0.2);
  const double best = cross_entropy(scores, temperature);
  EXPECT_LE(best, cross_entropy(scores, temperature * 1.01));
  EXPECT_LE(best, cross_entropy(scores, temperature / 1.01));
}

TEST(Temperature, softens_without_overflow) {
  std::vector<double> z = {1e300, 0, -1e300};
  soften(z, 2);
  EXPECT_THAT(z, ElementsAre(1, 0, 0));
  std::vector<double> equal = {5, 5};
  soften(equal, 0.001);
  EXPECT_THAT(equal, ElementsAre(0.5, 0.5));
}

}  // namespace
}  // namespace gradus
