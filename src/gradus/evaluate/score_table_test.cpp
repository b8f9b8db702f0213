#include "gradus/evaluate/score_table.hpp"

#include <gtest/gtest.h>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

using Numbers = std::vector<double>;

TEST(ScoreTable, classes_with_probabilities_by_the_names_of_their_columns) {
  const Dataset data({Column::nominal("y", {0, 1, 1, 0}, {"a", "b"}),
                      Column::numeric("p(b)", Numbers{0.1, 0.4, 0.35, 0.8}),
                      Column::numeric("p(a)", Numbers{0.9, 0.6, 0.65, 0.2})});
  const Value out = score_table(data, {.target = "y"});
  EXPECT_EQ(out.at("accuracy").as_number(), 0.25);
  EXPECT_EQ(out.at("auc").as_number(), 0.5);
  EXPECT_EQ(
      score_table(data, {.target = "y"}, {.classes = {.positive = "a"}}).at("auc").as_number(),
      0.5);
}

TEST(ScoreTable, numbers_clusters_and_queries) {
  const Dataset data({Column::numeric("y", Numbers{3, 2, 0, 1}),
                      Column::numeric("prediction", Numbers{.1, .9, .8, .1}),
                      Column::nominal("q", {0, 0, 0, 0}, {"one"})});
  EvaluateOptions options;
  options.query = "q";
  const Value out = score_table(data, {.target = "y"}, options);
  EXPECT_NEAR(out.at("ndcg").as_number(), 0.8108918607016135, 1e-14);
  EXPECT_EQ(out.at("queries").as_integer(), 1);
  const Value clusters = score_table(data, {.target = "y", .task = Task::cluster});
  EXPECT_GT(clusters.at("purity").as_number(), 0.5);
}

TEST(ScoreTable, costs_choose_a_threshold) {
  const Dataset data({Column::nominal("y", {0, 1, 0, 1}, {"ill", "well"}),
                      Column::numeric("p(ill)", Numbers{0.3, 0.1, 0.9, 0.35}),
                      Column::numeric("p(well)", Numbers{0.7, 0.9, 0.1, 0.65})});
  EvaluateOptions options;
  options.classes.positive = "ill";
  options.costs = {{"ill:well", 9}};
  const Value costs = score_table(data, {.target = "y"}, options).at("costs");
  EXPECT_EQ(costs.at("mean").as_number(), 9.0 / 4);  // one ill row is missed
  EXPECT_DOUBLE_EQ(costs.at("theoretical_threshold").as_number(), 0.1);
  EXPECT_EQ(costs.at("best_threshold").as_number(), 0.3);
  EXPECT_EQ(costs.at("mean_at_best_threshold").as_number(), 0.25);
  options.costs = {{"ill:healthy", 9}};
  EXPECT_THROW(score_table(data, {.target = "y"}, options), Error);
}

TEST(ScoreTable, what_is_missing_or_impossible_is_refused) {
  const Dataset data({Column::nominal("y", {0, kMissingCode}, {"a"}),
                      Column::nominal("prediction", {0, 0}, {"a"}),
                      Column::numeric("p(a)", Numbers{2, 1})});
  EXPECT_THROW(score_table(data, {.target = "y"}), Error);
  EXPECT_THROW(score_table(data, {.target = "prediction"}), Error);  // a probability of 2
  EXPECT_THROW(score_table(data, {.target = "nothing"}), Error);
  const Dataset plain = data.select(std::vector<std::string>{"prediction"});
  EXPECT_THROW(score_table(plain, {.target = "prediction", .prediction = "other"}), Error);
}

}  // namespace
}  // namespace gradus
