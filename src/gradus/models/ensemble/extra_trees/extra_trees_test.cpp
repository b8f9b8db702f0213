#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/blocks/forest/forest_model.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/ensemble/extra_trees/params.hpp"
#include "support/error_rate.hpp"

namespace gradus {
namespace {

// A curved border in two of four columns.
Dataset curved(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<std::vector<double>> x(4, std::vector<double>(rows));
  std::vector<std::int32_t> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::vector<double>& column : x) column[i] = stream.normal();
    y[i] = x[0][i] * x[0][i] + x[1][i] > 0.8 ? 1 : 0;
  }
  return Dataset({Column::numeric("a", x[0]), Column::numeric("b", x[1]),
                  Column::numeric("c", x[2]), Column::numeric("d", x[3]),
                  Column::nominal("y", y, {"no", "yes"})});
}

TEST(ExtraTrees, learns_a_curved_border_and_its_training_rows_by_heart) {
  const Dataset train = curved(1000, 1);
  const AnyModel model = fit(ExtraTrees{}, train, "y");
  EXPECT_EQ(error_rate(model, train), 0);
  EXPECT_LT(error_rate(model, curved(1000, 2)), 0.1);
  EXPECT_EQ(model.fitted().find("oob_error"), nullptr);
}

TEST(ExtraTrees, leaves_hold_at_least_their_share_of_the_weight) {
  const Dataset train = curved(300, 12);
  for (const char* target : {"y", "a"}) {
    const Fitted<ExtraTrees> model = fit(
        ExtraTrees{.n_estimators = 20, .forest = {.min_weight_fraction_leaf = 0.3}}, train, target);
    const Trees& trees = model.model().trees;
    EXPECT_GT(trees.nodes(), trees.count()) << target;  // some of them ask something
    for (std::size_t tree = 0; tree < trees.count(); ++tree) {
      EXPECT_LE(trees.tree_end(tree) - trees.root(tree), 5U) << target;  // 3 leaves of 30 %
    }
  }
}

TEST(ExtraTrees, with_bins_draws_edges_and_rows_go_where_their_numbers_go) {
  const Dataset train = curved(700, 13);
  const Fitted<ExtraTrees> model =
      fit(ExtraTrees{.n_estimators = 12, .forest = {.max_bins = 6}}, train, "y");
  const Trees& trees = model.model().trees;
  std::set<double> asked[4];
  for (std::size_t node = 0; node < trees.nodes(); ++node) {
    if (!trees.is_leaf(node)) asked[trees.feature[node]].insert(trees.threshold[node]);
  }
  for (const std::set<double>& edges : asked) EXPECT_EQ(edges.size(), 5U);
  // Every tree saw all rows: a leaf answers the shares of those that reach it.
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    std::vector<double> rows(trees.nodes(), 0.0);
    std::vector<double> yes(trees.nodes(), 0.0);
    for (std::size_t i = 0; i < train.rows(); ++i) {
      std::vector<double> row;
      for (const char* name : {"a", "b", "c", "d"}) row.push_back(train.column(name).number(i));
      const std::size_t leaf = trees.leaf_of(tree, row);
      rows[leaf] += 1;
      yes[leaf] += train.column("y").code(i);
    }
    for (std::size_t node = trees.root(tree); node < trees.tree_end(tree); ++node) {
      if (!trees.is_leaf(node)) continue;
      EXPECT_DOUBLE_EQ(trees.numbers_of(node)[1], yes[node] / rows[node]);
    }
  }
}

TEST(ExtraTrees, every_threshold_lies_between_the_numbers_of_its_column) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 4, 8}),
                      Column::numeric("y", std::vector<double>{0, 1, 2, 3})});
  const Fitted<ExtraTrees> model = fit(ExtraTrees{.n_estimators = 200}, data, "y");
  const Trees& trees = model.model().trees;
  double sum = 0;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    const double threshold = trees.threshold[trees.root(tree)];
    EXPECT_GE(threshold, 1);
    EXPECT_LT(threshold, 8);
    sum += threshold;
  }
  EXPECT_NEAR(sum / 200, 4.5, 0.5);  // uniform on [1, 8]
}

TEST(ExtraTrees, parts_categories_and_missing_cells_by_chance) {
  const Dataset data(
      {Column::nominal("color", std::vector<std::int32_t>{0, 0, 1, 1, 2, 2},
                       {"red", "green", "blue"}),
       Column::numeric("x", std::vector<double>{1, NAN, 1, NAN, 1, NAN}),
       Column::nominal("y", std::vector<std::int32_t>{0, 1, 1, 0, 0, 1}, {"no", "yes"})});
  const AnyModel model = fit(ExtraTrees{.n_estimators = 20}, data, "y");
  EXPECT_EQ(error_rate(model, data), 0);
}

// Every row has a category of its own, and the classes are chance.
Dataset identified(std::size_t rows) {
  Stream stream(9);
  std::vector<std::int32_t> id;
  std::vector<std::string> names;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < rows; ++i) {
    id.push_back(static_cast<std::int32_t>(i));
    names.push_back("u" + std::to_string(i));
    y.push_back(static_cast<std::int32_t>(stream.below(2)));
  }
  return Dataset({Column::nominal("id", id, names), Column::nominal("y", y, {"no", "yes"})});
}

TEST(ExtraTrees, categories_by_the_thousand_cost_what_a_node_has_of_them) {
  const Dataset data = identified(6000);
  const Fitted<ExtraTrees> model = fit(ExtraTrees{.n_estimators = 2}, data, "y");
  EXPECT_EQ(error_rate(model, data), 0);
  const Trees& trees = model.model().trees;
  EXPECT_GT(trees.nodes(), 6000U);
  EXPECT_LT(trees.sets.size(), trees.nodes() * 12);  // bits for each node would be 90 on average
  EXPECT_EQ(to_bytes(from_bytes(to_bytes(model))), to_bytes(model));
}

TEST(ExtraTrees, a_forest_above_the_memory_limit_is_refused) {
  Context context;
  context.memory_limit = 800000;
  const Dataset data = identified(6000);
  EXPECT_NO_THROW(fit(ExtraTrees{.n_estimators = 1}, data, "y", context));
  try {
    fit(ExtraTrees{.n_estimators = 5}, data, "y", context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    EXPECT_THAT(error.message(), testing::HasSubstr("a forest of 5 such trees"));
  }
}

TEST(ExtraTrees, with_a_bootstrap_has_an_out_of_bag_error) {
  const AnyModel model = fit(ExtraTrees{.bootstrap = true}, curved(600, 3), "y");
  EXPECT_NEAR(model.fitted().at("oob_error").as_number(), error_rate(model, curved(1000, 4)), 0.04);
}

TEST(ExtraTrees, all_criteria_for_numbers_find_the_step) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 60; ++i) {
    x.push_back(i);
    y.push_back(i < 30 ? 1 : 5);
  }
  const Dataset data({Column::numeric("x", x), Column::numeric("y", y)});
  for (const TreeCriterion criterion :
       {TreeCriterion::squared_error, TreeCriterion::absolute_error, TreeCriterion::poisson}) {
    const AnyModel model = fit(ExtraTrees{.forest = {.criterion = criterion}}, data, "y");
    const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_DOUBLE_EQ(said.row(i)[0], y[i]);
  }
}

}  // namespace
}  // namespace gradus
