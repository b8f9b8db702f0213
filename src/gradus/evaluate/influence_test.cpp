// Importance and dependence, for models of any kind.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/evaluate/dependence.hpp"
#include "gradus/evaluate/importance.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"

namespace gradus {
namespace {

// y = 3 a − 2 b exactly; c says nothing, color shifts by its code.
Dataset linear_table(std::size_t rows) {
  Stream stream(1);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<double> c(rows);
  std::vector<double> y(rows);
  std::vector<std::int32_t> color(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.normal();
    b[i] = stream.normal();
    c[i] = stream.normal();
    color[i] = static_cast<std::int32_t>(stream.below(3));
    y[i] = 3 * a[i] - 2 * b[i] + color[i];
  }
  return Dataset({Column::numeric("a", a), Column::numeric("b", b), Column::numeric("c", c),
                  Column::nominal("color", color, {"red", "green", "blue"}),
                  Column::numeric("y", y)});
}

TEST(PermutationImportance, orders_columns_by_what_the_score_loses) {
  const Dataset data = linear_table(2000);
  const AnyModel model = fit(LinearRegression{}, data, "y");
  const Importance found = permutation_importance(model, data, {.metric = "mse", .repeats = 10});
  ASSERT_EQ(found.columns.size(), 4U);
  EXPECT_EQ(found.columns[0].column, "a");
  EXPECT_EQ(found.columns[1].column, "b");
  EXPECT_EQ(found.columns[3].column, "c");
  // Shuffling a coefficient β costs 2 β² var(x) of the squared error.
  EXPECT_NEAR(found.columns[0].mean, 18, 1.5);
  EXPECT_NEAR(found.columns[1].mean, 8, 0.8);
  EXPECT_NEAR(found.columns[3].mean, 0, 1e-12);
  EXPECT_EQ(found.columns[0].drops.size(), 10U);
  EXPECT_GT(found.columns[0].deviation, 0);
}

TEST(PermutationImportance, is_the_same_for_any_number_of_threads) {
  const Dataset data = linear_table(300);
  const AnyModel model = fit(LinearRegression{}, data, "y");
  const Value one = to_value(permutation_importance(model, data, {}, {.threads = 1}));
  const Value three = to_value(permutation_importance(model, data, {}, {.threads = 3}));
  EXPECT_EQ(to_json(one), to_json(three));
  const Value other = to_value(permutation_importance(model, data, {.seed = 1}));
  EXPECT_NE(to_json(one), to_json(other));
}

TEST(PermutationImportance, refuses_a_measure_that_is_not_of_the_task) {
  const Dataset data = linear_table(50);
  const AnyModel model = fit(LinearRegression{}, data, "y");
  EXPECT_THROW(permutation_importance(model, data, {.metric = "accuracy"}), Error);
}

TEST(ContributionImportance, is_the_mean_size_of_the_contributions) {
  const Dataset data = linear_table(1000);
  const AnyModel model = fit(GradientBoosting{}, data, "y");
  const Importance found = contribution_importance(model, data);
  EXPECT_EQ(found.columns[0].column, "a");
  EXPECT_EQ(found.columns[1].column, "b");
  const Contributions parts = model.contributions(data, {}, {.extra = Extra::ignore});
  double sum = 0;
  for (std::size_t i = 0; i < parts.rows; ++i) sum += std::abs(parts.values[i * 5]);
  EXPECT_NEAR(found.columns[0].mean, sum / 1000, 1e-9);
  EXPECT_THROW(contribution_importance(fit(LinearRegression{}, data, "y"), data), Error);
}

TEST(PartialDependence, of_a_linear_model_is_its_line) {
  const Dataset data = linear_table(800);
  const AnyModel model = fit(LinearRegression{}, data, "y");
  const Dependence found = partial_dependence(model, data, "a", {.points = 9, .curves = 4});
  ASSERT_EQ(found.numbers.size(), 9U);
  EXPECT_EQ(found.rows, 800U);
  for (std::size_t i = 1; i < 9; ++i) {
    const double run = found.numbers[i] - found.numbers[i - 1];
    EXPECT_NEAR(found.mean[0][i] - found.mean[0][i - 1], 3 * run, 1e-9);
    for (const std::vector<double>& curve : found.curves[0]) {
      EXPECT_NEAR(curve[i] - curve[i - 1], 3 * run, 1e-9);
    }
  }
  EXPECT_EQ(found.curve_rows.size(), 4U);
  // A curve goes through the row itself: set to its own value, nothing changes.
  EXPECT_NEAR(found.range(), 3 * (found.numbers.back() - found.numbers.front()), 1e-9);
}

TEST(PartialDependence, of_categories_has_a_point_for_each_that_occurs) {
  const Dataset data = linear_table(800);
  const AnyModel model = fit(LinearRegression{}, data, "y");
  const Dependence found = partial_dependence(model, data, "color", {.most_rows = 100});
  EXPECT_EQ(found.levels, (std::vector<std::string>{"red", "green", "blue"}));
  EXPECT_EQ(found.rows, 100U);
  EXPECT_NEAR(found.mean[0][2] - found.mean[0][0], 2, 1e-9);
  EXPECT_THROW(partial_dependence(model, data, "colour", {}), Error);
  EXPECT_THROW(partial_dependence(model, data, "y", {}), Error);
}

TEST(TreeImportance, counts_the_splits_and_adds_up_their_gains) {
  const Dataset data = linear_table(400);
  for (const char* name : {"gradient_boosting", "decision_tree", "cart", "random_forest"}) {
    const AnyModel model = fit(AnyLearner(name), data, {.target = {"y"}});
    const Importance gain = tree_importance(model, TreeUse::gain);
    ASSERT_EQ(gain.columns.size(), 4U) << name;
    EXPECT_EQ(gain.columns[0].column, "a") << name;
    EXPECT_GT(gain.columns[0].mean, gain.columns[1].mean) << name;
    const Importance split = tree_importance(model, TreeUse::split);
    double splits = 0;
    for (const ColumnImportance& column : split.columns) splits += column.mean;
    const Value fitted = model.fitted();
    const double trees = fitted.find("trees") == nullptr ? 1 : fitted.at("trees").as_number();
    // A tree of so many leaves asks one question fewer.
    EXPECT_EQ(splits, fitted.at("leaves").as_number() - trees) << name;
  }
}

TEST(TreeImportance, of_class_trees_is_in_bits_and_others_are_refused) {
  const Dataset play({Column::nominal("windy", {0, 0, 1, 1, 0, 1}, {"no", "yes"}),
                      Column::nominal("play", {0, 0, 1, 1, 0, 1}, {"a", "b"})});
  for (const char* name : {"id3", "c45"}) {
    const AnyModel model = fit(AnyLearner(name), play, {.target = {"play"}});
    // Six rows with one bit each.
    EXPECT_NEAR(tree_importance(model, TreeUse::gain).columns[0].mean, 6, 1e-12) << name;
    EXPECT_EQ(tree_importance(model, TreeUse::split).columns[0].mean, 1) << name;
  }
  const AnyModel stumps = fit(AnyLearner("adaboost"), play, {.target = {"play"}});
  EXPECT_GT(tree_importance(stumps, TreeUse::split).columns[0].mean, 0);
  EXPECT_THROW(tree_importance(stumps, TreeUse::gain), Error);
  const AnyModel line = fit(LinearRegression{}, linear_table(50), "y");
  EXPECT_THROW(tree_importance(line, TreeUse::split), Error);
}

TEST(Contributions, of_cart_add_up_where_surrogates_decide) {
  Dataset data = linear_table(300);
  const AnyModel model = fit(AnyLearner("cart"), data, {.target = {"y"}});
  std::vector<double> holed(data.rows());
  for (std::size_t i = 0; i < holed.size(); ++i) {
    holed[i] = i % 3 == 0 ? std::nan("") : data.column("a").number(i);
  }
  data = data.with_column(Column::numeric("a", holed));
  const std::vector<double> said = model.predict(data, {}, {.extra = Extra::ignore}).values;
  const Contributions parts = model.contributions(data, {}, {.extra = Extra::ignore});
  const Contributions pairs = model.interactions(data, {.threads = 3}, {.extra = Extra::ignore});
  for (std::size_t i = 0; i < said.size(); ++i) {
    const double* mine = parts.values.data() + i * 5;
    EXPECT_NEAR(std::accumulate(mine, mine + 5, 0.0), said[i], 1e-9);
    const double* square = pairs.values.data() + i * 25;
    EXPECT_NEAR(std::accumulate(square, square + 25, 0.0), said[i], 1e-9);
  }
}

TEST(Contributions, are_the_same_for_any_number_of_threads) {
  const Dataset data = linear_table(200);
  const AnyModel model = fit(AnyLearner("random_forest"), data, {.target = {"color"}});
  const PredictOptions lenient{.extra = Extra::ignore};
  const Contributions one = model.contributions(data, {.threads = 1}, lenient);
  EXPECT_EQ(one.values, model.contributions(data, {.threads = 3}, lenient).values);
  EXPECT_EQ(one.names, (std::vector<std::string>{"red", "green", "blue"}));
  const AnyModel line = fit(LinearRegression{}, data, "y");
  EXPECT_THROW(line.interactions(data, {}, lenient), Error);
}

}  // namespace
}  // namespace gradus
