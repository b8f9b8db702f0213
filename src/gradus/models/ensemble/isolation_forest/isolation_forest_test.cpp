#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/ensemble/isolation_forest/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

// A round cloud, and five rows far away at the end.
Dataset cloud_and_strangers() {
  Stream stream(1);
  std::vector<double> x(505);
  std::vector<double> y(505);
  for (std::size_t i = 0; i < 505; ++i) {
    x[i] = stream.normal() + (i >= 500 ? 9 : 0);
    y[i] = stream.normal() - (i >= 500 ? 9 : 0);
  }
  return Dataset({Column::numeric("x", x), Column::numeric("y", y)});
}

TEST(IsolationForest, expected_cuts_are_those_of_a_search_in_a_binary_tree) {
  EXPECT_EQ(expected_cuts(1), 0);
  EXPECT_EQ(expected_cuts(2), 1);
  EXPECT_NEAR(expected_cuts(3), 1.2073923, 1e-7);
  EXPECT_NEAR(expected_cuts(256), 10.2448, 1e-4);
}

TEST(IsolationForest, strangers_have_the_highest_scores) {
  const Dataset data = cloud_and_strangers();
  const AnyModel model = fit(IsolationForest{}, data);
  const Transformed scores = model.transform(data);
  double ordinary = 0;
  for (std::size_t i = 0; i < 500; ++i) ordinary = std::max(ordinary, scores.values[2 * i]);
  for (std::size_t i = 500; i < 505; ++i) {
    EXPECT_GT(scores.values[2 * i], ordinary);
    EXPECT_GT(scores.values[2 * i], 0.6);
  }
}

TEST(IsolationForest, contamination_is_the_share_that_it_calls_outliers) {
  const Dataset data = cloud_and_strangers();
  const AnyModel model = fit(IsolationForest{.contamination = 0.01}, data);
  const Predictions said = model.predict(data);
  double outliers = 0;
  for (const double cluster : said.values) outliers += cluster;
  EXPECT_EQ(outliers, 6);  // above the quantile between the 6th and 7th of 505 rows
  for (std::size_t i = 500; i < 505; ++i) EXPECT_EQ(said.values[i], 1);
}

TEST(IsolationForest, the_score_of_a_row_is_explained_by_its_cuts) {
  const Dataset data = cloud_and_strangers();
  const AnyModel model = fit(IsolationForest{.n_estimators = 10}, data);
  Recorder trace;
  model.explain_row(data, 3, trace);
  ASSERT_EQ(trace.steps().size(), 11U);
  double sum = 0;
  for (std::size_t tree = 0; tree < 10; ++tree) {
    sum += trace.steps()[tree].values.at("cuts").as_number();
  }
  const Value& answer = trace.steps().back().values;
  EXPECT_NEAR(answer.at("mean_cuts").as_number(), sum / 10, 1e-12);
  EXPECT_NEAR(answer.at("anomaly_score").as_number(), std::exp2(-sum / 10 / expected_cuts(256)),
              1e-12);
  EXPECT_EQ(answer.at("anomaly_score").as_number(), model.transform(data).values[6]);
}

TEST(IsolationForest, answers_are_those_of_the_trees_as_they_are_kept) {
  IsolationForestModel model;
  Stream stream(4);
  // Trees of a few random cuts: the packed walk and the plain one must end in the same leaves.
  for (std::size_t tree = 0; tree < 20; ++tree) {
    std::size_t node = model.trees.begin_tree();
    for (int level = 0; level < 6; ++level) {
      node = model.trees.split(node, {.feature = stream.below(3), .threshold = stream.normal()});
      model.trees.value[node] = stream.normal();
      model.trees.value[node + 1] = stream.normal();
      node += stream.below(2);
    }
  }
  model.rows = 256;
  std::vector<double> numbers(3 * 40);
  for (double& x : numbers) x = stream.normal();
  const RowBlock rows{numbers.data(), 40, 3};
  std::vector<double> kept(80);
  std::vector<double> compiled(80);
  model.transform(rows, kept.data());
  model.compiled().transform(rows, compiled.data());
  EXPECT_EQ(kept, compiled);
  model.predict(rows, kept.data());
  model.compiled().predict(rows, compiled.data());
  EXPECT_EQ(kept, compiled);
}

TEST(IsolationForest, equal_rows_cannot_be_told_apart) {
  const Dataset data({Column::numeric("x", std::vector<double>(40, 2.0))});
  const AnyModel model = fit(IsolationForest{}, data);
  EXPECT_DOUBLE_EQ(model.transform(data).values[0], 0.5);
  EXPECT_EQ(model.predict(data).values[0], 0);
}

TEST(IsolationForest, trees_see_the_share_of_the_columns_that_is_asked_for) {
  const Fitted<IsolationForest> model =
      fit(IsolationForest{.max_features = 0.5}, cloud_and_strangers());
  const Trees& trees = model.model().trees;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    for (std::size_t node = trees.root(tree); node < trees.tree_end(tree); ++node) {
      if (trees.is_leaf(node)) continue;
      EXPECT_EQ(trees.feature[node], trees.feature[trees.root(tree)]);
    }
  }
}

}  // namespace
}  // namespace gradus
