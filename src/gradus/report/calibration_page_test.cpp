#include "gradus/report/calibration_page.hpp"

#include <gtest/gtest.h>

namespace gradus::report {
namespace {

Value scores(double log_loss, double probability) {
  Value bin = object({{"low", 0.8}, {"high", 0.9}});
  bin["weight"] = 20.0;
  bin["probability"] = probability;
  bin["share"] = 0.6;
  return object({{"log_loss", log_loss},
                 {"ece", 0.25},
                 {"calibration", Value(Value::Array{std::move(bin)})}});
}

TEST(CalibrationPage, measures_stand_side_by_side) {
  const Table table = calibration_table(scores(0.9, 0.85), scores(0.6, 0.62));
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"log_loss", "0.9", "0.6"}));
  EXPECT_EQ(table.rows[1], (std::vector<std::string>{"brier", "undefined", "undefined"}));
}

TEST(CalibrationPage, the_picture_has_both_curves_with_their_intervals) {
  const Figure figure = reliability_figure(scores(0.9, 0.85), scores(0.6, 0.62));
  const auto& chart = std::get<Chart>(figure.picture);
  ASSERT_EQ(chart.series.size(), 3U);
  EXPECT_EQ(chart.series[0].x, std::vector<double>{0.85});
  EXPECT_EQ(chart.series[1].x, std::vector<double>{0.62});
  EXPECT_LT(chart.series[1].low[0], 0.6);
  EXPECT_GT(chart.series[1].high[0], 0.6);
}

}  // namespace
}  // namespace gradus::report
