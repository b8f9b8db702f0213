#include "gradus/evaluate/ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/random.hpp"
#include "gradus/evaluate/radix_sort.hpp"

namespace gradus {
namespace {

using Scores = std::vector<double>;
using Sides = std::vector<std::uint8_t>;

// AUC by its definition: every positive against every negative.
double pairs_won(const Scores& scores, const Sides& positive, const Scores& weights) {
  double won = 0;
  double all = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (positive[i] == 0 || positive[j] == 1) continue;
      const double weight = weights.empty() ? 1 : weights[i] * weights[j];
      all += weight;
      won += weight * (scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0);
    }
  }
  return won / all;
}

TEST(RadixSort, keys_come_out_in_order_with_their_values_for_any_thread_count) {
  Stream stream(1);
  std::vector<std::uint64_t> keys(300000);
  std::vector<double> values(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = stream.next() >> (stream.below(3) * 20);
    values[i] = static_cast<double>(keys[i]);
  }
  std::vector<std::uint64_t> expected = keys;
  std::sort(expected.begin(), expected.end());
  for (const int threads : {1, 3}) {
    std::vector<std::uint64_t> sorted = keys;
    std::vector<double> moved = values;
    Context context;
    context.threads = threads;
    radix_sort(sorted, moved, context);
    ASSERT_EQ(sorted, expected);
    for (std::size_t i = 0; i < moved.size(); i += 997) {
      ASSERT_EQ(moved[i], static_cast<double>(sorted[i]));
    }
  }
}

TEST(Ranking, the_area_is_the_share_of_pairs_won) {
  Stream stream(3);
  for (const bool weighted : {false, true}) {
    Scores scores;
    Sides positive;
    Scores weights;
    for (int i = 0; i < 200; ++i) {
      scores.push_back(static_cast<double>(stream.below(40)) - 20);  // many ties, both signs
      positive.push_back(static_cast<std::uint8_t>(stream.below(2)));
      if (weighted) weights.push_back(static_cast<double>(stream.below(4)));
    }
    EXPECT_NEAR(*area_under_roc(Ranking(scores, positive, weights)),
                pairs_won(scores, positive, weights), 1e-14);
  }
}

TEST(Ranking, zero_and_minus_zero_tie_and_infinities_rank_at_the_ends) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(area_under_roc(Ranking(Scores{0.0, -0.0}, Sides{1, 0})), 0.5);
  EXPECT_EQ(area_under_roc(Ranking(Scores{-inf, -1e300, inf}, Sides{0, 0, 1})), 1.0);
}

TEST(Ranking, a_side_without_rows_leaves_the_area_undefined) {
  EXPECT_FALSE(area_under_roc(Ranking(Scores{1, 2}, Sides{1, 1})));
  EXPECT_FALSE(area_with_error(Ranking(Scores{1, 2}, Sides{1, 0})));
  EXPECT_FALSE(average_precision(Ranking(Scores{1, 2}, Sides{0, 0})));
}

TEST(Ranking, average_precision_sums_over_distinct_scores) {
  EXPECT_NEAR(*average_precision(Ranking(Scores{.1, .4, .35, .8}, Sides{0, 0, 1, 1})), 5.0 / 6,
              1e-15);
}

TEST(Ranking, the_curve_of_the_textbook_ranking_keeps_its_corners) {
  const Scores scores = {0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505};
  const Sides positive = {1, 1, 0, 1, 1, 0, 0, 1, 0, 0};
  std::vector<std::pair<double, double>> corners;
  for (const CurvePoint& p : threshold_curve(Ranking(scores, positive), 100)) {
    corners.emplace_back(p.false_positives / 5, p.true_positives / 5);
  }
  const std::vector<std::pair<double, double>> expected = {
      {0, 0}, {0, 0.4}, {0.2, 0.4}, {0.2, 0.8}, {0.6, 0.8}, {0.6, 1}, {1, 1}};
  // The first score after "nothing is positive" stays.
  ASSERT_EQ(corners.size(), expected.size() + 1);
  corners.erase(corners.begin() + 1);
  EXPECT_EQ(corners, expected);
}

TEST(Ranking, a_long_curve_is_thinned_and_keeps_its_ends) {
  Stream stream(8);
  Scores scores;
  Sides positive;
  for (int i = 0; i < 5000; ++i) {
    scores.push_back(stream.uniform());
    positive.push_back(static_cast<std::uint8_t>(stream.below(2)));
  }
  const Ranking ranking(scores, positive);
  const auto curve = threshold_curve(ranking, 50);
  ASSERT_EQ(curve.size(), 50U);
  EXPECT_EQ(curve.front().true_positives, 0);
  EXPECT_EQ(curve.back().true_positives, ranking.positives());
  EXPECT_EQ(curve.back().false_positives, ranking.negatives());
}

TEST(Ranking, the_cheapest_threshold_weighs_misses_against_alarms) {
  const Ranking ranking(Scores{0.1, 0.4, 0.6, 0.9}, Sides{0, 1, 0, 1});
  const CheapThreshold dear_misses = cheapest_threshold(ranking, {1, 10});
  EXPECT_EQ(dear_misses.threshold, 0.4);
  EXPECT_EQ(dear_misses.cost, 1);
  const CheapThreshold dear_alarms = cheapest_threshold(ranking, {10, 1});
  EXPECT_EQ(dear_alarms.threshold, 0.9);
  EXPECT_EQ(dear_alarms.cost, 1);
}

// DeLong's interval must hold the true area about as often as it says.
TEST(Ranking, the_interval_of_the_area_covers_as_often_as_it_says) {
  const double truth = 0.5 * std::erfc(-1.0 / 2);  // of two normals one deviation apart
  int covered = 0;
  constexpr int kTrials = 400;
  for (int trial = 0; trial < kTrials; ++trial) {
    Stream stream(5, static_cast<std::uint64_t>(trial));
    Scores scores;
    Sides positive;
    for (int i = 0; i < 120; ++i) {
      const bool one = i % 3 == 0;
      scores.push_back(stream.normal() + (one ? 1 : 0));
      positive.push_back(one ? 1 : 0);
    }
    const auto area = area_with_error(Ranking(scores, positive));
    const double half = 1.959963984540054 * area->standard_error;
    if (std::abs(area->area - truth) <= half) ++covered;
  }
  EXPECT_GE(covered, 0.91 * kTrials);
  EXPECT_LE(covered, 0.99 * kTrials);
}

// The cut-offs of the body mass index in the textbook: TPR and FPR of each, the best being 26.
TEST(Ranking, the_best_threshold_of_the_textbook) {
  const double tpr[] = {1, 1, 0.99, 0.95, 0.85, 0.66, 0.47, 0.34, 0.21, 0.17, 0.07, 0.01};
  const double fpr[] = {1, 0.99, 0.885, 0.585, 0.4, 0.265, 0.135, 0.085, 0.07, 0.03, 0.02, 0.005};
  std::vector<double> scores;
  std::vector<std::uint8_t> positive;
  std::vector<double> weights;
  for (std::size_t i = 0; i < 12; ++i) {
    const double next_tpr = i + 1 < 12 ? tpr[i + 1] : 0;
    const double next_fpr = i + 1 < 12 ? fpr[i + 1] : 0;
    for (const bool side : {true, false}) {
      scores.push_back(18 + 2 * static_cast<double>(i));
      positive.push_back(side ? 1 : 0);
      weights.push_back(side ? 100 * (tpr[i] - next_tpr) : 200 * (fpr[i] - next_fpr));
    }
  }
  const GoodThresholds best = good_thresholds(Ranking(scores, positive, weights));
  EXPECT_EQ(best.youden.threshold, 26);
  EXPECT_NEAR(best.youden.value, 0.45, 1e-12);
  EXPECT_EQ(best.closest.threshold, 26);
  EXPECT_NEAR(best.closest.value, 0.4272001873, 1e-10);
  EXPECT_NEAR(best.closest.tpr, 0.85, 1e-12);
  EXPECT_NEAR(best.closest.fpr, 0.4, 1e-12);
}

// The exercise of the textbook, its thresholds turned round: 4 is nearest to (0, 1).
TEST(Ranking, the_best_threshold_of_the_exercise) {
  const double hits[] = {0, 7, 18, 26, 29, 29, 29};
  const double alarms[] = {0, 0, 1, 5, 14, 25, 25};
  std::vector<double> scores;
  std::vector<std::uint8_t> positive;
  std::vector<double> weights;
  for (std::size_t i = 1; i < 7; ++i) {
    for (const bool side : {true, false}) {
      scores.push_back(-1 - static_cast<double>(i));
      positive.push_back(side ? 1 : 0);
      weights.push_back(side ? hits[i] - hits[i - 1] : alarms[i] - alarms[i - 1]);
    }
  }
  const GoodThresholds best = good_thresholds(Ranking(scores, positive, weights));
  EXPECT_EQ(best.closest.threshold, -4);
  EXPECT_NEAR(best.closest.value, 0.2251700375, 1e-10);
}

}  // namespace
}  // namespace gradus
