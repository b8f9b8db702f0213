#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/blocks/forest/forest_model.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/ensemble/random_forest/params.hpp"
#include "gradus/trace/trace.hpp"
#include "support/error_rate.hpp"

namespace gradus {
namespace {

// Two noisy moons of classes; the last column says nothing.
Dataset two_classes(std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<double> c(rows);
  std::vector<std::int32_t> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.normal();
    b[i] = stream.normal();
    c[i] = stream.normal();
    y[i] = a[i] * a[i] + b[i] + stream.normal() / 4 > 0.8 ? 1 : 0;
  }
  return Dataset({Column::numeric("a", a), Column::numeric("b", b), Column::numeric("c", c),
                  Column::nominal("y", y, {"no", "yes"})});
}

TEST(RandomForest, the_out_of_bag_error_is_near_that_on_new_rows) {
  const Dataset train = two_classes(1500, 1);
  const AnyModel model = fit(RandomForest{}, train, "y");
  const Value fitted = model.fitted();
  const double fresh = error_rate(model, two_classes(1500, 2));
  EXPECT_LT(fresh, 0.14);
  EXPECT_NEAR(fitted.at("oob_error").as_number(), fresh, 0.03);
  EXPECT_EQ(fitted.at("oob_rows").as_integer(), 1500);
  EXPECT_EQ(error_rate(model, train), 0);
  const Value& importances = fitted.at("feature_importances");
  EXPECT_GT(importances.at("a").as_number(), 2 * importances.at("c").as_number());
  EXPECT_GT(importances.at("b").as_number(), 2 * importances.at("c").as_number());
}

TEST(RandomForest, a_row_is_left_out_of_a_draw_with_probability_one_over_e) {
  const Dataset train = two_classes(1000, 3);
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(RandomForest{.n_estimators = 20, .forest = {.max_depth = 1}}, train, "y", context);
  double share = 0;
  for (const Step& step : trace.steps()) {
    if (const Value* left = step.values.find("share_left_out")) share += left->as_number() / 20;
  }
  EXPECT_NEAR(share, 0.3676954248, 0.01);  // (1 − 1/1000)^1000
}

TEST(RandomForest, the_growth_that_is_told_is_that_of_its_first_tree) {
  for (const char* target : {"y", "c"}) {
    Recorder trace;
    Context context;
    context.trace = &trace;
    const AnyModel model = fit(RandomForest{.n_estimators = 3, .forest = {.max_depth = 3}},
                               two_classes(60, 4), target, context);
    const Value first = model.tree(0);
    std::size_t nodes = 0;
    for (const Step& step : trace.steps()) {
      if (!step.path.starts_with("tree 1/")) continue;
      ++nodes;
      if (step.path != "tree 1/tree") continue;
      EXPECT_EQ(step.values.at("chosen").as_string(), first.at("question").as_string());
      EXPECT_EQ(step.values.at("weight").as_number(), first.at("n").as_number());
    }
    const std::function<std::size_t(const Value&)> count = [&](const Value& node) {
      const bool inner = node.find("yes") != nullptr;
      return std::size_t{1} + (inner ? count(node.at("yes")) + count(node.at("no")) : 0);
    };
    EXPECT_EQ(nodes, count(first));
  }
}

TEST(RandomForest, gives_each_of_its_trees_with_whole_counts) {
  const AnyModel model = fit(RandomForest{.n_estimators = 4}, two_classes(30, 4), "y");
  ASSERT_EQ(model.trees(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const Value tree = model.tree(i);
    EXPECT_EQ(tree.at("n").as_number(), 30);
    double sum = 0;
    for (const auto& [name, n] : tree.at("counts").as_object()) {
      EXPECT_EQ(n.as_number(), std::floor(n.as_number())) << name;
      sum += n.as_number();
    }
    EXPECT_EQ(sum, 30);
  }
  EXPECT_THROW(model.tree(4), Error);
}

TEST(RandomForest, prototypes_are_refused_where_there_are_no_classes) {
  EXPECT_THROW(fit(RandomForest{.analysis = {.prototypes = 3}}, two_classes(30, 4), "c"), Error);
}

TEST(RandomForest, tells_the_draws_of_a_small_table_and_the_votes_of_a_row) {
  const Dataset train = two_classes(30, 4);
  Recorder trace;
  Context context;
  context.trace = &trace;
  const AnyModel model = fit(RandomForest{.n_estimators = 5}, train, "y", context);
  std::size_t beside = 0;  // five trees, the rows left out, the curve, the forest
  for (const Step& step : trace.steps()) beside += step.path.starts_with("tree 1/") ? 0 : 1;
  ASSERT_EQ(beside, 8U);
  const Value& first = trace.steps()[0].values;
  EXPECT_EQ(first.at("drawn").size(), 30U);
  EXPECT_EQ(first.at("left_out").size(),
            static_cast<std::size_t>(first.at("rows_left_out").as_integer()));
  Recorder row;
  model.explain_row(train, 0, row);
  const Value& vote = row.steps().back().values;
  EXPECT_EQ(vote.at("votes").at("no").as_integer() + vote.at("votes").at("yes").as_integer(), 5);
  const Predictions said = model.predict(train, {}, {.extra = Extra::ignore});
  EXPECT_DOUBLE_EQ(vote.at("probabilities").at("yes").as_number(), said.row(0)[1]);
}

TEST(RandomForest, without_bootstrap_and_with_all_columns_every_tree_is_the_same) {
  const Dataset train = two_classes(200, 5);
  const RandomForest learner{
      .n_estimators = 3, .bootstrap = false, .forest = {.max_features = MaxFeatures::all}};
  const AnyModel model = fit(learner, train, "y");
  const Predictions said = model.predict(train, {}, {.extra = Extra::ignore});
  for (const double p : said.values) EXPECT_TRUE(p == 0 || p == 1);
  EXPECT_EQ(model.fitted().find("oob_error"), nullptr);
}

TEST(RandomForest, leaves_hold_at_least_their_share_of_the_weight) {
  const Dataset train = two_classes(300, 12);
  for (const char* target : {"y", "a"}) {
    const Fitted<RandomForest> model =
        fit(RandomForest{.n_estimators = 5, .forest = {.min_weight_fraction_leaf = 0.3}}, train,
            target);
    const Trees& trees = model.model().trees;
    for (std::size_t tree = 0; tree < trees.count(); ++tree) {
      EXPECT_GT(trees.tree_end(tree) - trees.root(tree), 1U) << target;  // it asks something
      EXPECT_LE(trees.tree_end(tree) - trees.root(tree), 5U) << target;  // 3 leaves of 30 %
    }
  }
}

TEST(RandomForest, regression_answers_means_and_its_seed_matters) {
  Stream stream(6);
  std::vector<double> x(800);
  std::vector<double> y(800);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = stream.uniform() * 6;
    y[i] = std::sin(x[i]) + stream.normal() / 10;
  }
  const Dataset data({Column::numeric("x", x), Column::numeric("y", y)});
  const AnyModel model = fit(RandomForest{.forest = {.min_samples_leaf = 5}}, data, "y");
  EXPECT_LT(model.fitted().at("oob_error").as_number(), 0.02);
  const RandomForest other{.forest = {.min_samples_leaf = 5, .random_state = 1}};
  EXPECT_NE(model.fingerprint(), fit(other, data, "y").fingerprint());
}

TEST(RandomForest, the_curve_ends_in_the_out_of_bag_error_and_falls_on_the_way) {
  const Value fitted = fit(RandomForest{}, two_classes(800, 7), "y").fitted();
  const auto& curve = fitted.at("oob_curve").as_array();
  ASSERT_EQ(curve.size(), 100U);
  EXPECT_DOUBLE_EQ(curve.back().as_number(), fitted.at("oob_error").as_number());
  EXPECT_GT(curve.front().as_number(), curve.back().as_number());
}

// Each row of a small table is answered by hand from the draws and the trees that the trace shows.
void expect_the_error_of_rows_left_out(const RandomForest& learner) {
  const Dataset train = two_classes(30, 8);
  Recorder trace;
  Context context;
  context.trace = &trace;
  const auto model = fit(learner, train, "y", context);
  std::vector<Step> steps;  // but for those of the growth of the first tree
  for (const Step& step : trace.steps()) {
    if (!step.path.starts_with("tree 1/")) steps.push_back(step);
  }
  const Trees& trees = model.model().trees;
  double wrong = 0;
  double rows = 0;
  double mean_loss = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    const double row[] = {train.column("a").number(i), train.column("b").number(i),
                          train.column("c").number(i)};
    double yes = 0;
    double voters = 0;
    double loss = 0;
    for (std::size_t tree = 0; tree < 4; ++tree) {
      bool left_out = false;
      for (const Value& left : steps[tree].values.at("left_out").as_array()) {
        left_out = left_out || left.as_integer() == static_cast<std::int64_t>(i + 1);
      }
      if (!left_out) continue;
      const double p = trees.numbers_of(trees.leaf_of(tree, row))[1];
      yes += p;
      voters += 1;
      loss += (p > 0.5 ? 1 : 0) == train.column("y").code(i) ? 0 : 1;
    }
    if (voters == 0) continue;
    rows += 1;
    mean_loss += loss / voters;
    wrong += (yes > voters / 2 ? 1 : 0) == train.column("y").code(i) ? 0 : 1;
  }
  EXPECT_DOUBLE_EQ(model.fitted().at("oob_error").as_number(), wrong / rows);
  EXPECT_EQ(model.fitted().at("oob_rows").as_integer(), static_cast<std::int64_t>(rows));
  const Value& told = steps[4].values;
  EXPECT_NEAR(told.at("mean_loss_of_trees").as_number(), mean_loss / rows, 1e-12);
}

TEST(RandomForest, the_rows_left_out_are_answered_by_the_trees_that_did_not_draw_them) {
  expect_the_error_of_rows_left_out({.n_estimators = 4});
}

TEST(RandomForest, with_bins_rows_left_out_go_where_their_numbers_go) {
  for (const int bins : {2, 4, 7}) {
    expect_the_error_of_rows_left_out({.n_estimators = 4, .forest = {.max_bins = bins}});
  }
}

TEST(RandomForest, with_bins_learns_nearly_as_well) {
  const Dataset train = two_classes(2000, 21);
  const Dataset test = two_classes(2000, 22);
  const auto exact = fit(RandomForest{.n_estimators = 30}, train, "y");
  const auto binned = fit(RandomForest{.n_estimators = 30, .forest = {.max_bins = 64}}, train, "y");
  EXPECT_LT(error_rate(binned, test), error_rate(exact, test) + 0.02);
  EXPECT_NE(exact.fingerprint(), binned.fingerprint());
}

TEST(RandomForest, shuffling_a_column_that_matters_harms) {
  const RandomForest learner{.analysis = {.permutation_importance = true}};
  const Value fitted = fit(learner, two_classes(800, 9), "y").fitted();
  const Value& importances = fitted.at("permutation_importances");
  const Value& deviations = fitted.at("permutation_deviations");
  EXPECT_GT(importances.at("a").as_number(), 0.1);
  EXPECT_GT(importances.at("b").as_number(), 0.1);
  EXPECT_LT(std::abs(importances.at("c").as_number()), 0.02);
  EXPECT_GT(importances.at("a").as_number(), 5 * deviations.at("a").as_number());
}

// Two clouds of twenty rows each, and a row of the first class in the middle of the second.
Dataset two_clouds_and_a_stray() {
  Stream stream(10);
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 41; ++i) {
    const bool second = i >= 20;
    x.push_back((second ? 10 : 0) + stream.normal());
    y.push_back(second && i < 40 ? 1 : 0);
  }
  std::vector<std::int32_t> color = y;
  return Dataset({Column::numeric("x", x), Column::nominal("color", color, {"red", "blue"}),
                  Column::nominal("y", y, {"first", "second"})});
}

TEST(RandomForest, proximities_are_shares_of_common_leaves) {
  const Dataset data = two_clouds_and_a_stray();
  const auto model =
      fit(RandomForest{.forest = {.min_samples_leaf = 3}, .analysis = {.proximities = true}}, data,
          "y");
  const Value fitted = model.fitted();
  const auto& rows = fitted.at("proximities").as_array();
  ASSERT_EQ(rows.size(), 41U);
  const Trees& trees = model.model().trees;
  const auto row_of = [&](std::size_t i) {
    return std::vector<double>{data.column("x").number(i),
                               static_cast<double>(data.column("color").code(i))};
  };
  for (const std::size_t i : {0U, 5U, 25U, 40U}) {
    EXPECT_EQ(rows[i].as_array()[i].as_number(), 1);
    for (std::size_t j = 0; j < 41; ++j) {
      double shared = 0;
      for (std::size_t tree = 0; tree < trees.count(); ++tree) {
        shared += trees.leaf_of(tree, row_of(i)) == trees.leaf_of(tree, row_of(j)) ? 1 : 0;
      }
      EXPECT_NEAR(rows[i].as_array()[j].as_number(), shared / 100, 1e-12);
      EXPECT_EQ(rows[j].as_array()[i].as_number(), rows[i].as_array()[j].as_number());
    }
  }
}

TEST(RandomForest, a_row_among_another_class_is_an_outlier_and_prototypes_are_medians) {
  const Dataset data = two_clouds_and_a_stray();
  const RandomForest learner{.forest = {.max_features = MaxFeatures::all, .min_samples_leaf = 3},
                             .analysis = {.outliers = true, .prototypes = 10}};
  const std::vector<std::string> names = {"x", "y"};
  const Value fitted = fit(learner, data.select(names), "y").fitted();
  const auto& outliers = fitted.at("outliers").as_array();
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_LT(outliers[i].as_number(), outliers[40].as_number());
  }
  const Value& prototypes = fitted.at("prototypes");
  EXPECT_NEAR(prototypes.at("first").at("center").at("x").as_number(), 0, 1.5);
  EXPECT_NEAR(prototypes.at("second").at("center").at("x").as_number(), 10, 1.5);
  EXPECT_LE(prototypes.at("second").at("lower").at("x").as_number(),
            prototypes.at("second").at("upper").at("x").as_number());
}

TEST(RandomForest, tries_a_number_of_columns_or_a_share_of_them) {
  const Dataset train = two_classes(200, 7);
  const auto grown = [&](ColumnsTried tried) {
    return fit(RandomForest{.n_estimators = 5, .forest = {.max_features = tried}}, train, "y")
        .fitted()
        .at("feature_importances");
  };
  EXPECT_EQ(grown(1), grown(MaxFeatures::sqrt));
  EXPECT_EQ(grown(0.001), grown(1));
  EXPECT_EQ(grown(0.7), grown(2));
  EXPECT_EQ(grown(1.0), grown(MaxFeatures::all));
  EXPECT_EQ(grown(3), grown(MaxFeatures::all));
  EXPECT_NE(grown(1), grown(2));
  for (const double wrong : {4.0, 2.5}) {
    try {
      grown(wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_EQ(error.where(), "--max_features");
    }
  }
}

TEST(RandomForest, missing_cells_are_estimated_from_similar_rows) {
  Dataset data = two_clouds_and_a_stray();
  std::vector<double> holed(41);
  for (std::size_t i = 0; i < 41; ++i) {
    holed[i] = i == 3 || i == 30 ? NAN : data.column("x").number(i);
  }
  std::vector<std::int32_t> color(41);
  for (std::size_t i = 0; i < 41; ++i) color[i] = i == 7 ? kMissingCode : data.column("y").code(i);
  data = data.with_column(Column::numeric("x", holed))
             .with_column(Column::nominal("color", color, {"red", "blue"}));
  const Value fitted = fit(RandomForest{.analysis = {.missing_rounds = 2}}, data, "y").fitted();
  const auto& cells = fitted.at("missing_estimates").as_array();
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(cells[0].at("row").as_integer(), 4);
  EXPECT_NEAR(cells[0].at("estimate").as_number(), 0, 2.5);
  EXPECT_EQ(cells[1].at("row").as_integer(), 31);
  EXPECT_NEAR(cells[1].at("estimate").as_number(), 10, 2.5);
  EXPECT_EQ(cells[2].at("column").as_string(), "color");
  EXPECT_EQ(cells[2].at("estimate").as_string(), "red");
}

}  // namespace
}  // namespace gradus
