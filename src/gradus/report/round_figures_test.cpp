#include "gradus/report/round_figures.hpp"

#include <gtest/gtest.h>

namespace gradus::report {
namespace {

Value list(std::vector<double> numbers) { return Value(std::move(numbers)); }

Chart only(const std::vector<Block>& blocks) {
  EXPECT_EQ(blocks.size(), 1U);
  return std::get<Chart>(std::get<Figure>(blocks.at(0)).picture);
}

TEST(RoundFigures, boosting_shows_both_losses_and_the_best_round) {
  const Value fitted = object(
      {{"training_curve", object({{"rounds", list({1, 2, 4})}, {"losses", list({3, 2, 1})}})},
       {"validation_loss", list({3, 2.5, 2.75, 2.9})}});
  const std::vector<Block> blocks = round_figures(fitted);
  const Chart chart = only(blocks);
  EXPECT_EQ(chart.series[0].x, (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(chart.series[1].y, (std::vector<double>{3, 2.5, 2.75, 2.9}));
  EXPECT_NE(chart.description.find("after round 2"), std::string::npos);
}

TEST(RoundFigures, a_forest_shows_its_out_of_bag_error_from_where_it_is_known) {
  const Value fitted =
      object({{"oob_curve", Value(Value::Array{Value(), Value(0.5), Value(0.25)})}});
  const std::vector<Block> blocks = round_figures(fitted);
  EXPECT_EQ(only(blocks).series[0].x, (std::vector<double>{2, 3}));
}

TEST(RoundFigures, a_pruned_tree_shows_the_errors_of_its_sizes) {
  const auto size = [](double leaves, double error) {
    return object({{"alpha", 0}, {"leaves", leaves}, {"error", error}, {"standard_error", 0.1}});
  };
  const Value fitted =
      object({{"cross_validation", Value(Value::Array{size(9, 0.5), size(3, 0.25)})}});
  const std::vector<Block> blocks = round_figures(fitted);
  EXPECT_EQ(only(blocks).series[0].x, (std::vector<double>{9, 3}));
  EXPECT_EQ(only(blocks).series[0].high[1], 0.35);
}

TEST(RoundFigures, adaboost_shows_how_hard_its_rounds_were_and_others_nothing) {
  const Value boosted = object({{"errors", list({0.3, 0.4})}, {"steps", list({0.4, 0.2})}});
  EXPECT_EQ(only(round_figures(boosted)).series[0].y, (std::vector<double>{0.3, 0.4}));
  EXPECT_TRUE(round_figures(object({{"errors", object({{"a", 1}})}})).empty());
  EXPECT_TRUE(round_figures(object()).empty());
}

}  // namespace
}  // namespace gradus::report
