#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/tree/decision_tree/params.hpp"
#include "gradus/trace/trace.hpp"
#include "support/tables.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Step root_step(const Dataset& data, const std::string& target, const DecisionTree& learner) {
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(learner, data, target, context);
  return trace.steps().front();
}

std::vector<std::string> keys(const Value& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.as_object()) out.push_back(key);
  return out;
}

// x = 0 … n − 1; the class changes in the middle.
Dataset halves(std::size_t n) {
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < n; ++i) {
    x.push_back(static_cast<double>(i));
    y.push_back(i < n / 2 ? 0 : 1);
  }
  return Dataset({Column::numeric("x", x), Column::nominal("y", y, {"low", "high"})});
}

TEST(DecisionTreeStory, merits_are_of_all_columns_that_reach_the_mean_gain_and_of_no_other) {
  const Step root =
      root_step(testing_tables::play_tennis(), "play",
                {.criterion = TreeCriterion::gain_ratio, .nominal = NominalSplits::multiway});
  // Humidity parts the days in halves: its split information is 1 and its merit is its gain.
  EXPECT_THAT(keys(root.values.at("merits")), ElementsAre("outlook", "humidity"));
  EXPECT_NEAR(root.values.at("mean_gain").as_number(), 0.118984, 1e-6);
  EXPECT_THAT(root.text, HasSubstr("at least the mean, 0.119"));
}

TEST(DecisionTreeStory, a_gain_that_is_nothing_but_rounding_is_shown_as_zero) {
  const Step root = root_step(testing_tables::play_tennis(), "play",
                              {.criterion = TreeCriterion::misclassification});
  EXPECT_EQ(root.values.at("gains").at("wind").as_number(), 0);
  EXPECT_EQ(root.formula.find("e-17"), std::string::npos) << root.formula;
  EXPECT_THAT(root.formula, HasSubstr("wind = strong: 0.3571 − 6/14·0.5 − 8/14·0.25 = 0"));
}

TEST(DecisionTreeStory, every_set_of_categories_is_listed_with_its_gain) {
  const Step root =
      root_step(testing_tables::play_tennis(), "play", {.criterion = TreeCriterion::entropy});
  std::vector<std::string> asked;
  double most = 0;
  for (const Value& one : root.values.at("thresholds").at("outlook").as_array()) {
    asked.push_back(one.at("question").as_string());
    most = std::max(most, one.at("gain").as_number());
  }
  // Three categories in the order of their share have two cuts.
  EXPECT_THAT(asked, ElementsAre("outlook = sunny", "outlook = overcast"));
  EXPECT_DOUBLE_EQ(most, root.values.at("gains").at("outlook").as_number());
}

TEST(DecisionTreeStory, one_against_the_rest_lists_every_category) {
  const Step root =
      root_step(testing_tables::play_tennis(), "play",
                {.criterion = TreeCriterion::entropy, .nominal = NominalSplits::one_vs_rest});
  EXPECT_EQ(root.values.at("thresholds").at("temperature").size(), 3U);
}

TEST(DecisionTreeStory, both_sides_of_a_question_are_shown_with_their_counts) {
  const Step root =
      root_step(testing_tables::play_tennis(), "play", {.criterion = TreeCriterion::entropy});
  const Value& sides = root.values.at("sides").at("wind");
  EXPECT_EQ(sides.at("yes").at("n").as_integer(), 6);
  EXPECT_EQ(sides.at("yes").at("impurity").as_number(), 1);
  EXPECT_EQ(sides.at("no").at("counts").at("yes").as_number(), 6);
  EXPECT_EQ(sides.at("no").at("counts").at("no").as_number(), 2);
}

TEST(DecisionTreeStory, of_many_cuts_the_ten_best_are_listed_and_their_number_is_said) {
  const Step root = root_step(halves(80), "y", {});
  const Value& cuts = root.values.at("thresholds").at("x");
  ASSERT_EQ(cuts.size(), 10U);
  EXPECT_EQ(cuts.as_array()[0].at("threshold").as_number(), 39.5);
  EXPECT_EQ(cuts.as_array()[0].at("impurity").as_number(), 0);
  EXPECT_EQ(root.values.at("tried").at("x").as_integer(), 79);
  EXPECT_THAT(root.text, HasSubstr("the 10 best are listed: 79 of x"));
  // Few are all there, in their order.
  const Step few = root_step(halves(20), "y", {});
  EXPECT_EQ(few.values.at("thresholds").at("x").size(), 19U);
  EXPECT_EQ(few.values.find("tried"), nullptr);
}

TEST(DecisionTreeStory, counts_are_whole_where_rows_are) {
  // 1/49 · 49 is not 1 in binary.
  std::vector<double> x(49, 0.0);
  std::vector<std::int32_t> y(49, 0);
  y[0] = 1;
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"a", "b"})});
  const Value tree = fit(DecisionTree{}, data, "y").fitted().at("tree");
  EXPECT_EQ(tree.at("counts").at("b").as_number(), 1);
  EXPECT_EQ(tree.at("counts").at("a").as_number(), 48);
}

}  // namespace
}  // namespace gradus
