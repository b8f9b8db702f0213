#include "gradus/report/threshold_figures.hpp"

#include <gtest/gtest.h>

#include "gradus/evaluate/metrics.hpp"

namespace gradus::report {
namespace {

// Scores of the positive class "b": 0.9 b, 0.6 a, 0.4 b, 0.1 a.
Value judged(const EvaluateOptions& options) {
  static const std::vector<std::string> labels = {"a", "b"};
  const std::vector<std::int32_t> actual = {1, 0, 1, 0};
  const std::vector<std::int32_t> predicted = {1, 1, 0, 0};
  const std::vector<double> numbers = {0.1, 0.9, 0.4, 0.6, 0.6, 0.4, 0.9, 0.1};
  return evaluate_class_answers(
      {.actual = actual, .predicted = predicted, .labels = labels, .numbers = numbers}, options);
}

Chart chart(const std::vector<Block>& blocks, const std::string& title) {
  for (const Block& block : blocks) {
    const auto& figure = std::get<Figure>(block);
    if (figure.title() == title) return std::get<Chart>(figure.picture);
  }
  throw std::runtime_error("there is no figure " + title);
}

TEST(ThresholdFigures, precision_recall_and_f1_follow_the_threshold) {
  const Chart found =
      chart(threshold_figures(judged({.classes = {.curve_points = 100}})), "Threshold");
  const Series& precision = found.series[0];
  const Series& recall = found.series[1];
  EXPECT_EQ(precision.x, (std::vector<double>{0.9, 0.6, 0.4, 0.1}));
  EXPECT_EQ(precision.y[0], 1);
  EXPECT_EQ(recall.y[0], 0.5);
  EXPECT_NEAR(found.series[2].y[2], 0.8, 1e-12);  // P = 2/3, R = 1
  EXPECT_EQ(found.series[3].x, (std::vector<double>{0.5, 0.5}));
}

TEST(ThresholdFigures, costs_have_a_picture_whose_least_is_the_cheapest_threshold) {
  const Value scores =
      judged({.classes = {.curve_points = 100}, .costs = {{"b:a", 10}, {"a:b", 1}}});
  const Chart found = chart(threshold_figures(scores), "Cost by threshold");
  // From 0.9, 0.6, 0.4, 0.1 on: a miss; a miss and an alarm; an alarm; two alarms.
  EXPECT_EQ(found.series[0].y, (std::vector<double>{2.5, 2.75, 0.25, 0.5}));
  EXPECT_EQ(found.series[1].x, std::vector<double>{0.4});
  EXPECT_EQ(found.series[1].y, std::vector<double>{0.25});
}

TEST(ThresholdFigures, the_lift_of_the_best_row_is_how_rare_the_class_is) {
  const Chart found =
      chart(threshold_figures(judged({.classes = {.curve_points = 100}})), "Lift curve");
  EXPECT_EQ(found.series[0].y.front(), 2);  // half of the rows are positive
  EXPECT_EQ(found.series[0].y.back(), 1);
}

TEST(ThresholdFigures, without_curves_there_is_nothing_to_draw) {
  EXPECT_TRUE(threshold_figures(judged({})).empty());
}

TEST(ThresholdTable, names_the_thresholds_that_are_best) {
  const Table table = threshold_table(judged({}));
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[2][0], "F1");
  EXPECT_EQ(table.rows[2][1], "0.4");
  EXPECT_EQ(table.rows[2][2], "0.8");
  EXPECT_TRUE(threshold_table(object({{"accuracy", 1}})).rows.empty());
}

}  // namespace
}  // namespace gradus::report
