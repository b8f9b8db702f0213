#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/blocks/histogram/binning.hpp"
#include "gradus/blocks/single_tree/tree_model.hpp"
#include "gradus/blocks/splitter/ranked_table.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/tree/decision_tree/params.hpp"
#include "gradus/models/tree/id3/model.hpp"
#include "gradus/trace/trace.hpp"
#include "support/tables.hpp"

namespace gradus {
namespace {

using testing::HasSubstr;

constexpr double kDigits = 1e-8;  // the reference values are given with ten digits

struct Traced {
  AnyModel model;
  Recorder trace;

  const Value& values(const std::string& path) const {
    for (const Step& step : trace.steps()) {
      if (step.path == path) return step.values;
    }
    throw Error(ErrorKind::internal, path, "no such step");
  }
};

Traced grow(const Dataset& data, const std::string& target, const DecisionTree& learner = {}) {
  Recorder trace;
  Context context;
  context.trace = &trace;
  AnyModel model = fit(learner, data, target, context);
  return {std::move(model), std::move(trace)};
}

Dataset table_8_11() {
  return Dataset(
      {Column::numeric("x1", std::vector<double>{1, 3, 4, 6, 10, 15, 2, 7, 16, 0}),
       Column::numeric("x2", std::vector<double>{12, 23, 21, 10, 27, 23, 35, 12, 27, 17}),
       Column::numeric(
           "y", std::vector<double>{10.1, 15.3, 11.5, 13.9, 17.8, 23.1, 12.7, 43.0, 17.6, 14.9})});
}

TEST(DecisionTree, the_regression_tree_of_table_8_11_has_its_sums_of_squares) {
  const Traced run = grow(table_8_11(), "y", {.limits = {.max_depth = 2}});
  const Value& root = run.values("tree");
  EXPECT_NEAR(root.at("center").as_number(), 17.99, kDigits);
  EXPECT_NEAR(root.at("total").as_number(), 817.669, 1e-7);
  EXPECT_EQ(root.at("chosen").as_string(), "x1 <= 6.5");
  EXPECT_NEAR(root.at("impurities").at("x1").as_number() * 10, 454.0808333, 1e-6);
  const std::pair<double, double> x1[] = {{0.5, 807.06},      {1.5, 742.31875}, {2.5, 691.6152381},
                                          {3.5, 667.885},     {5, 558.588},     {6.5, 454.0808333},
                                          {8.5, 807.8971429}, {12.5, 803.745},  {15.5, 817.5}};
  const Value::Array& thresholds = root.at("thresholds").at("x1").as_array();
  ASSERT_EQ(thresholds.size(), std::size(x1));
  for (std::size_t i = 0; i < std::size(x1); ++i) {
    EXPECT_NEAR(thresholds[i].at("threshold").as_number(), x1[i].first, kDigits);
    EXPECT_NEAR(thresholds[i].at("total").as_number(), x1[i].second, 1e-6);
  }
  const Value& left = run.values("tree/x1<=6.5");
  EXPECT_NEAR(left.at("center").as_number(), 13.06666667, kDigits);
  EXPECT_NEAR(left.at("total").as_number(), 20.43333333, 1e-7);
  EXPECT_EQ(left.at("chosen").as_string(), "x1 <= 0.5");
  EXPECT_NEAR(run.values("tree/x1>6.5").at("center").as_number(), 25.375, kDigits);
}

TEST(DecisionTree, restricted_to_two_rows_per_leaf_it_is_the_textbooks_other_tree) {
  const Traced run = grow(table_8_11(), "y", {.limits = {.min_samples_leaf = 2}});
  EXPECT_EQ(run.values("tree/x1<=6.5").at("chosen").as_string(), "x2 <= 14.5");
  EXPECT_NEAR(run.values("tree/x1<=6.5/x2>14.5").at("total").as_number(), 9.8, 1e-7);
  EXPECT_EQ(run.values("tree/x1<=6.5/x2>14.5").at("chosen").as_string(), "x2 <= 22");
  EXPECT_NEAR(run.values("tree/x1>6.5").at("gains").at("x2").as_number() * 4, 235.6225, 1e-6);
}

TEST(DecisionTree, all_boundaries_of_a_numeric_column_have_the_textbooks_entropy_and_gini) {
  const Dataset data(
      {Column::numeric("x", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}),
       Column::nominal("label", std::vector<std::int32_t>{0, 0, 1, 0, 1, 1, 1, 0}, {"o", "x"})});
  const double entropies[] = {0.862074619, 0.6887218755, 0.9512050593, 0.8112781245, 0.9512050593,
                              1,           0.862074619};
  const double ginis[] = {0.4285714286, 0.3333333333, 0.4666666667, 0.375,
                          0.4666666667, 0.5,          0.4285714286};
  for (const TreeCriterion criterion : {TreeCriterion::entropy, TreeCriterion::gini}) {
    const Traced run = grow(data, "label", {.criterion = criterion});
    const bool entropy = criterion == TreeCriterion::entropy;
    const Value& root = run.values("tree");
    EXPECT_NEAR(root.at("impurity").as_number(), entropy ? 1 : 0.5, kDigits);
    const Value::Array& thresholds = root.at("thresholds").at("x").as_array();
    ASSERT_EQ(thresholds.size(), 7U);
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_NEAR(thresholds[i].at("impurity").as_number(), entropy ? entropies[i] : ginis[i],
                  kDigits);
    }
    EXPECT_EQ(root.at("chosen").as_string(), "x <= 2.5");
  }
}

TEST(DecisionTree, ties_are_named_and_go_to_the_first_column) {
  const Dataset data({Column::numeric("a", std::vector<double>{1, 1, 2, 2}),
                      Column::numeric("b", std::vector<double>{5, 5, 9, 9}),
                      Column::nominal("y", std::vector<std::int32_t>{0, 0, 1, 1}, {"n", "p"})});
  const Traced run = grow(data, "y");
  EXPECT_EQ(run.values("tree").at("chosen").as_string(), "a <= 1.5");
  EXPECT_EQ(run.values("tree").at("ties").size(), 2U);
  EXPECT_THAT(run.trace.steps()[0].text, HasSubstr("2 questions gain most"));
}

TEST(DecisionTree, says_a_prediction_as_a_path_in_words) {
  const Traced run = grow(table_8_11(), "y", {.limits = {.max_depth = 1}});
  Recorder trace;
  run.model.explain_row(table_8_11(), 4, trace);
  ASSERT_EQ(trace.steps().size(), 3U);
  EXPECT_EQ(trace.steps()[0].title, "Ask: x1 <= 6.5?");
  EXPECT_EQ(trace.steps()[0].text, "The row has x1 = 10: no.");
  EXPECT_EQ(trace.steps()[1].path, "contributions");
  EXPECT_EQ(trace.steps()[2].text, "IF x1 > 6.5 THEN 25.375 (4 training rows).");
  EXPECT_EQ(trace.steps()[2].values.at("prediction").as_number(), 25.375);
}

TEST(DecisionTree, pruning_removes_what_does_not_pay) {
  const Dataset data = table_8_11();
  const Value full = fit(DecisionTree{}, data, "y").fitted();
  const Value cut = fit(DecisionTree{.ccp_alpha = 5}, data, "y").fitted();
  EXPECT_LT(cut.at("leaves").as_integer(), full.at("leaves").as_integer());
  EXPECT_GT(cut.at("leaves").as_integer(), 1);
  std::int64_t expected = 0;
  for (const Value& step : full.at("cost_complexity_path").as_array()) {
    if (step.at("alpha").as_number() <= 5) expected = step.at("leaves").as_integer();
  }
  EXPECT_EQ(cut.at("leaves").as_integer(), expected);
}

TEST(DecisionTree, balanced_classes_weigh_the_same) {
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 100; ++i) {
    x.push_back(i % 10);
    y.push_back(i % 10 == 9 && i % 20 == 9 ? 1 : 0);
  }
  const Dataset data({Column::numeric("x", x), Column::nominal("y", y, {"no", "yes"})});
  const AnyModel plain = fit(DecisionTree{.limits = {.max_depth = 1}}, data, "y");
  const AnyModel fair =
      fit(DecisionTree{.limits = {.max_depth = 1}, .class_weight = ClassWeightRule::balanced}, data,
          "y");
  const Predictions a = plain.predict(data, {}, {.extra = Extra::ignore});
  const Predictions b = fair.predict(data, {}, {.extra = Extra::ignore});
  EXPECT_DOUBLE_EQ(a.row(9)[1], 0.5);
  EXPECT_NEAR(b.row(9)[1], 0.95, 1e-12);  // 19 rows of no for each of yes
}

TEST(DecisionTree, absolute_error_answers_medians) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 1, 1, 2, 2, 2}),
                      Column::numeric("y", std::vector<double>{1, 2, 90, 50, 51, 52})});
  const AnyModel model = fit(DecisionTree{.criterion = TreeCriterion::absolute_error}, data, "y");
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  EXPECT_EQ(said.values[0], 2);
  EXPECT_EQ(said.values[5], 51);
}

// Levels a < b < c < d; the target follows {a, c} against {b, d}.
Dataset categories() {
  return Dataset(
      {Column::nominal("c", std::vector<std::int32_t>{0, 1, 2, 3, 0, 1, 2, 3},
                       {"a", "b", "c", "d"}),
       Column::nominal("y", std::vector<std::int32_t>{0, 1, 0, 1, 0, 1, 0, 1}, {"n", "p"})});
}

TEST(DecisionTree, parts_categories_by_sets_one_by_one_or_in_order) {
  const auto tree = [&](NominalSplits nominal) {
    return fit(DecisionTree{.nominal = nominal}, categories(), "y").fitted();
  };
  EXPECT_EQ(tree(NominalSplits::subset).at("leaves").as_integer(), 2);
  EXPECT_EQ(tree(NominalSplits::one_vs_rest).at("leaves").as_integer(), 3);
  EXPECT_EQ(tree(NominalSplits::ordered).at("leaves").as_integer(), 4);
  EXPECT_EQ(tree(NominalSplits::subset).at("tree").at("question").as_string(), "c in {a, c}");
  EXPECT_EQ(tree(NominalSplits::one_vs_rest).at("tree").at("question").as_string(), "c = a");
  EXPECT_EQ(tree(NominalSplits::ordered).at("tree").at("question").as_string(), "c = a");
}

TEST(DecisionTree, one_against_the_rest_works_for_every_criterion) {
  const Dataset data({categories().column("c"),
                      Column::numeric("y", std::vector<double>{5, 1, 2, 1, 6, 1, 2, 1})});
  for (const TreeCriterion criterion :
       {TreeCriterion::squared_error, TreeCriterion::absolute_error, TreeCriterion::poisson}) {
    const DecisionTree learner{
        .criterion = criterion, .nominal = NominalSplits::one_vs_rest, .limits = {.max_depth = 1}};
    EXPECT_EQ(fit(learner, data, "y").fitted().at("tree").at("question").as_string(), "c = a");
  }
}

constexpr NominalSplits kMultiway = NominalSplits::multiway;

TEST(DecisionTree, with_a_branch_per_category_and_entropy_it_is_id3) {
  const Dataset days = testing_tables::play_tennis();
  Recorder other;
  Context context;
  context.trace = &other;
  const AnyModel id3 = fit(Id3{}, days, "play", context);
  const Traced run =
      grow(days, "play", {.criterion = TreeCriterion::entropy, .nominal = kMultiway});
  std::size_t compared = 0;
  for (const Step& step : other.steps()) {
    const Value* gains = step.values.find("gains");
    if (gains == nullptr) continue;
    const Value& mine = run.values(step.path);
    for (const auto& [column, gain] : mine.at("gains").as_object()) {
      EXPECT_NEAR(gain.as_number(), gains->at(column).as_number(), 1e-12) << step.path << column;
      ++compared;
    }
  }
  EXPECT_GE(compared, 4U + 3U + 3U);
  const Value& root = run.values("tree");
  EXPECT_EQ(root.at("chosen").as_string(), "outlook");
  EXPECT_NEAR(root.at("gains").at("outlook").as_number(), 0.2467498198, kDigits);
  EXPECT_NEAR(root.at("subset_impurities").at("outlook").at("sunny").as_number(), 0.9709505945,
              kDigits);
  EXPECT_EQ(root.at("subset_impurities").at("outlook").at("overcast").as_number(), 0);
  EXPECT_EQ(run.values("tree/outlook=overcast").at("leaf").as_string(), "yes");
  EXPECT_EQ(run.values("tree/outlook=sunny").at("counts").at("no").as_number(), 3);
  EXPECT_EQ(run.values("tree/outlook=sunny/humidity=high").at("leaf").as_string(), "no");
  EXPECT_EQ(run.values("tree/outlook=rain/wind=weak").at("leaf").as_string(), "yes");
}

TEST(DecisionTree, a_question_with_many_branches_is_told_as_one) {
  const Dataset days = testing_tables::play_tennis();
  const AnyModel model =
      fit(DecisionTree{.criterion = TreeCriterion::entropy, .nominal = kMultiway}, days, "play");
  const Value fitted = model.fitted();
  EXPECT_EQ(fitted.at("depth").as_integer(), 2);
  EXPECT_EQ(fitted.at("nodes").as_integer(), 8);
  EXPECT_EQ(fitted.at("leaves").as_integer(), 5);
  const Value& tree = fitted.at("tree");
  EXPECT_EQ(tree.at("question").as_string(), "outlook");
  EXPECT_EQ(tree.at("branches").size(), 3U);
  EXPECT_EQ(tree.at("branches").at("overcast").at("leaf").as_string(), "yes");
  EXPECT_EQ(tree.at("branches").at("rain").at("n").as_integer(), 5);
  std::vector<std::string> rules;
  for (const Value& rule : fitted.at("rules").as_array()) rules.push_back(rule.as_string());
  EXPECT_THAT(rules,
              testing::UnorderedElementsAre("IF outlook = overcast THEN yes",
                                            "IF outlook = rain AND wind = strong THEN no",
                                            "IF outlook = rain AND wind = weak THEN yes",
                                            "IF outlook = sunny AND humidity = high THEN no",
                                            "IF outlook = sunny AND humidity = normal THEN yes"));
  Recorder trace;
  model.explain_row(days, 3, trace);
  EXPECT_EQ(trace.steps()[0].title, "Ask: outlook?");
  EXPECT_EQ(trace.steps()[0].text, "The row has outlook = rain: rain.");
  EXPECT_THAT(trace.steps()[1].title, HasSubstr("wind"));
  // What the two questions took off adds up to all: the leaves are pure.
  double sum = 0;
  for (const auto& [column, share] : fitted.at("feature_importances").as_object()) {
    sum += share.as_number();
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(fitted.at("feature_importances").at("outlook").as_number(),
              0.2467498198 / 0.9402859587, kDigits);
}

// Levels a to d of 2, 3, 1 and 2 rows, and one row that misses its level.
Dataset uneven() {
  return Dataset({Column::nominal("c", std::vector<std::int32_t>{0, 0, 1, 1, 1, 2, 3, 3, -1},
                                  {"a", "b", "c", "d"}),
                  Column::numeric("y", std::vector<double>{5, 5, 1, 1, 1, 9, 7, 7, 3})});
}

TEST(DecisionTree, branches_work_for_numbers_by_every_criterion) {
  for (const TreeCriterion criterion :
       {TreeCriterion::squared_error, TreeCriterion::absolute_error, TreeCriterion::poisson}) {
    const AnyModel model =
        fit(DecisionTree{.criterion = criterion, .nominal = kMultiway}, uneven(), "y");
    EXPECT_EQ(model.fitted().at("depth").as_integer(), 1);
    EXPECT_EQ(model.fitted().at("tree").at("missing").as_string(), "is missing");
    const Predictions said = model.predict(uneven(), {}, {.extra = Extra::ignore});
    for (std::size_t row = 0; row < 9; ++row) {
      EXPECT_EQ(said.values[row], uneven().column("y").number(row)) << row;
    }
  }
}

TEST(DecisionTree, what_a_node_never_saw_goes_to_the_branch_of_most_rows) {
  std::vector<std::size_t> known(8);
  std::iota(known.begin(), known.end(), std::size_t{0});
  const AnyModel model = fit(DecisionTree{.nominal = kMultiway}, uneven().take(known), "y");
  EXPECT_EQ(model.fitted().at("tree").at("missing").as_string(), "b");
  const Dataset strange({Column::nominal("c", std::vector<std::int32_t>{0, -1, 1}, {"z", "d"})});
  const Predictions said = model.predict(strange);
  EXPECT_EQ(said.values[0], 1);
  EXPECT_EQ(said.values[1], 1);
  EXPECT_EQ(said.values[2], 7);
}

TEST(DecisionTree, one_category_and_what_is_missing_are_two_branches) {
  const Dataset data({Column::nominal("c", std::vector<std::int32_t>{0, 0, -1}, {"a"}),
                      Column::numeric("y", std::vector<double>{5, 5, 1})});
  const AnyModel model = fit(DecisionTree{.nominal = kMultiway}, data, "y");
  EXPECT_EQ(model.fitted().at("tree").at("question").as_string(), "c is missing");
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  EXPECT_EQ(said.values[0], 5);
  EXPECT_EQ(said.values[2], 1);
}

TEST(DecisionTree, branches_keep_the_limits) {
  const auto leaves = [&](const TreeLimits& limits) {
    return fit(DecisionTree{.nominal = kMultiway, .limits = limits}, uneven(), "y")
        .fitted()
        .at("leaves")
        .as_integer();
  };
  EXPECT_EQ(leaves({.max_depth = 1}), 5);
  EXPECT_EQ(leaves({.max_leaf_nodes = 5}), 5);
  EXPECT_EQ(leaves({.max_leaf_nodes = 4}), 1);
  EXPECT_EQ(leaves({.min_samples_leaf = 2}), 1);
}

TEST(DecisionTree, pruning_puts_the_last_branches_together) {
  const Dataset data(
      {Column::nominal("c", std::vector<std::int32_t>{0, 0, 1, 1, 2, 2, 2}, {"a", "b", "c"}),
       Column::numeric("y", std::vector<double>{50, 50, 1, 1, 2, 2, 2})});
  const Value tree =
      fit(DecisionTree{.nominal = kMultiway, .ccp_alpha = 1}, data, "y").fitted().at("tree");
  EXPECT_EQ(tree.at("branches").size(), 2U);
  EXPECT_EQ(tree.at("branches").at("a").at("leaf").as_number(), 50);
  EXPECT_NEAR(tree.at("branches").at("in {b, c}").at("leaf").as_number(), 1.6, 1e-12);
}

// Two columns of categories and one of numbers, enough rows to grow in parts.
Dataset many_rows(std::size_t rows, std::int32_t levels) {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> second;
  std::vector<double> number;
  std::vector<std::int32_t> target;
  Stream stream(7);
  for (std::size_t row = 0; row < rows; ++row) {
    first.push_back(static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(levels))));
    second.push_back(static_cast<std::int32_t>(stream.below(6)) - 1);
    number.push_back(static_cast<double>(stream.below(50)));
    target.push_back((first.back() + second.back() + (number.back() > 20 ? 1 : 0)) % 3 == 0 &&
                             stream.below(10) != 0
                         ? 1
                         : 0);
  }
  std::vector<std::string> names;
  for (std::int32_t level = 0; level < levels; ++level)
    names.push_back("l" + std::to_string(level));
  return Dataset({Column::nominal("first", first, names),
                  Column::nominal("second", second, {"a", "b", "c", "d", "e"}),
                  Column::numeric("number", number), Column::nominal("y", target, {"n", "p"})});
}

TEST(DecisionTree, branches_are_the_same_bytes_for_any_number_of_threads_and_when_explained) {
  const Dataset data = many_rows(20000, 20);
  const DecisionTree learner{.nominal = kMultiway};
  Context context;
  context.threads = 1;
  const auto expected = to_bytes(fit(learner, data, "y", context));
  for (const int threads : {2, 8}) {
    context.threads = threads;
    EXPECT_EQ(to_bytes(fit(learner, data, "y", context)), expected) << threads;
  }
  EXPECT_EQ(to_bytes(grow(data, "y", learner).model), expected);
}

TEST(DecisionTree, columns_of_very_many_categories_are_parted_by_subsets) {
  const auto root = [](std::int32_t levels) {
    std::vector<std::int32_t> codes;
    std::vector<double> target;
    std::vector<std::string> names;
    for (std::int32_t level = 0; level < levels; ++level) {
      codes.push_back(level);
      target.push_back(level % 7);
      names.push_back("l" + std::to_string(level));
    }
    const Dataset data({Column::nominal("c", codes, names), Column::numeric("y", target)});
    const DecisionTree learner{.nominal = kMultiway, .limits = {.max_depth = 1}};
    return fit(learner, data, "y").fitted().at("tree").at("question").as_string();
  };
  EXPECT_EQ(root(1000), "c");
  EXPECT_THAT(root(1001), testing::StartsWith("c in {"));
}

TEST(DecisionTree, the_gain_ratio_divides_by_the_split_information) {
  const Dataset data(
      {Column::numeric("x", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}),
       Column::nominal("y", std::vector<std::int32_t>{0, 0, 1, 1, 1, 1, 1, 1}, {"n", "p"})});
  const Traced run = grow(data, "y", {.criterion = TreeCriterion::gain_ratio});
  const Value& root = run.values("tree");
  // The cut behind 2 makes both sides pure: gain and split information are the same entropy.
  EXPECT_NEAR(root.at("gains").at("x").as_number(), 0.8112781245, kDigits);
  EXPECT_NEAR(root.at("split_informations").at("x").as_number(), 0.8112781245, kDigits);
  EXPECT_NEAR(root.at("gain_ratios").at("x").as_number(), 1, kDigits);
}

TEST(DecisionTree, weighs_a_gain_against_what_its_column_costs) {
  const Dataset data(
      {Column::numeric("dear", std::vector<double>{1, 2, 3, 4, 5, 6}),
       Column::numeric("cheap", std::vector<double>{1, 1, 2, 2, 2, 2}),
       Column::nominal("y", std::vector<std::int32_t>{0, 0, 0, 1, 1, 1}, {"n", "p"})});
  const auto root = [&](const AttributeCosts& costs) {
    return grow(data, "y", {.costs = costs}).values("tree").at("chosen").as_string();
  };
  EXPECT_EQ(root({}), "dear <= 3.5");
  EXPECT_EQ(root({.costs = {"dear=20"}}), "cheap <= 1.5");
  EXPECT_EQ(root({.costs = {"dear=20"}, .rule = CostRule::nunez}), "cheap <= 1.5");
  EXPECT_EQ(root({.costs = {"dear=20"}, .rule = CostRule::nunez, .weight = 0}), "dear <= 3.5");
}

TEST(DecisionTree, classes_weigh_what_the_user_says) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 1, 1, 1}),
                      Column::nominal("y", std::vector<std::int32_t>{0, 0, 0, 1}, {"n", "p"})});
  const AnyModel model = fit(DecisionTree{.class_weight = NumbersByName{{"p", 9}}}, data, "y");
  EXPECT_DOUBLE_EQ(model.predict(data, {}, {.extra = Extra::ignore}).row(0)[1], 0.75);
  EXPECT_THROW(fit(DecisionTree{.class_weight = NumbersByName{{"q", 9}}}, data, "y"), Error);
}

TEST(DecisionTree, grows_by_leaf_or_by_depth) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 64; ++i) {
    x.push_back(i);
    y.push_back(i < 32 ? i * i : 5000 + 0.001 * i);  // all that is left to gain is on one side
  }
  const Dataset data({Column::numeric("x", x), Column::numeric("y", y)});
  const auto depth = [&](TreeOrder order) {
    return fit(DecisionTree{.limits = {.max_leaf_nodes = 8, .order = order}}, data, "y")
        .fitted()
        .at("depth")
        .as_integer();
  };
  EXPECT_EQ(depth(TreeOrder::depth_wise), 3);
  EXPECT_GT(depth(TreeOrder::leaf_wise), 3);
}

TEST(DecisionTree, degenerate_tables_give_one_leaf) {
  const double hole = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Dataset> tables = {
      Dataset({Column::numeric("x", std::vector<double>{1}),
               Column::numeric("y", std::vector<double>{3})}),
      Dataset({Column::numeric("x", std::vector<double>{1, 2, 3}),
               Column::numeric("y", std::vector<double>{3, 3, 3})}),
      Dataset({Column::numeric("x", std::vector<double>{hole, hole, hole}),
               Column::numeric("y", std::vector<double>{1, 3, 5})})};
  for (const Dataset& data : tables) {
    const AnyModel model = fit(DecisionTree{}, data, "y");
    EXPECT_EQ(model.fitted().at("nodes").as_integer(), 1);
    EXPECT_DOUBLE_EQ(model.predict(data, {}, {.extra = Extra::ignore}).values[0], 3);
  }
}

TEST(DecisionTree, refuses_a_criterion_that_does_not_suit_the_target) {
  EXPECT_THROW(fit(DecisionTree{.criterion = TreeCriterion::gini}, table_8_11(), "y"), Error);
  const Dataset negative({Column::numeric("x", std::vector<double>{1, 2}),
                          Column::numeric("y", std::vector<double>{-1, 2})});
  EXPECT_THROW(fit(DecisionTree{.criterion = TreeCriterion::poisson}, negative, "y"), Error);
}

std::vector<double> numbers_of(const Dataset& data, const std::string& name) {
  std::vector<double> out;
  for (std::size_t row = 0; row < data.rows(); ++row) out.push_back(data.column(name).number(row));
  return out;
}

// Two columns of many numbers, one with holes; classes and numbers that follow them.
Dataset many_numbers(std::size_t rows) {
  Stream stream(3);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<double> y(rows);
  std::vector<std::int32_t> k(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = stream.normal();
    b[i] = stream.uniform();
    y[i] = std::sin(3 * a[i]) + b[i] + stream.normal() / 10;
    k[i] = y[i] > 1 ? 2 : y[i] > 0 ? 1 : 0;
    if (i % 17 == 0) a[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return Dataset({Column::numeric("a", a), Column::numeric("b", b), Column::numeric("y", y),
                  Column::nominal("k", k, {"low", "mid", "high"})});
}

TEST(DecisionTree, with_bins_asks_for_the_edges_between_them_only) {
  const Dataset data = many_numbers(3000);
  for (const std::string target : {"y", "k"}) {
    const Dataset table = data.without(target == "y" ? "k" : "y");
    const auto model = fit(DecisionTree{.limits = {.max_bins = 8}}, table, target);
    const Trees& trees = model.model().tree.trees;
    std::set<double> asked[2];
    for (std::size_t node = 0; node < trees.nodes(); ++node) {
      const double threshold = trees.threshold[node];
      if (trees.is_leaf(node) || threshold == std::numeric_limits<double>::max()) continue;
      asked[trees.feature[node]].insert(threshold);
    }
    for (const std::set<double>& edges : asked) {
      EXPECT_GT(edges.size(), 4U);
      EXPECT_LE(edges.size(), 7U);
    }
    // A row goes at prediction where it went in training: every leaf has the rows that it says.
    std::vector<std::int32_t> rows(trees.nodes(), 0);
    const std::vector<double> a = numbers_of(table, "a");
    const std::vector<double> b = numbers_of(table, "b");
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double row[] = {a[i], b[i]};
      ++rows[trees.leaf_of(0, row)];
    }
    for (std::size_t node = 0; node < trees.nodes(); ++node) {
      if (!trees.is_leaf(node)) continue;
      EXPECT_EQ(rows[node], model.model().tree.rows[node]);
    }
  }
}

// The numbers of a column replaced by those of their bins: 0, 1, ...
Column bins_as_numbers(const Dataset& data, const std::string& name, std::size_t max_bins) {
  const std::vector<double> numbers = numbers_of(data, name);
  const RankedColumn ranked =
      ranked_bins(numbers, column_edges(numbers, 2, {.max_bins = max_bins}));
  std::vector<double> out;
  for (const std::uint32_t rank : ranked.rank) {
    out.push_back(ranked.is_missing(rank) ? std::numeric_limits<double>::quiet_NaN() : rank);
  }
  return Column::numeric(name, out);
}

TEST(DecisionTree, with_bins_is_the_exact_tree_of_the_bins) {
  const Dataset data = many_numbers(2000);
  for (const std::string target : {"y", "k"}) {
    const Dataset table = data.without(target == "y" ? "k" : "y");
    const Dataset binned = table.with_column(bins_as_numbers(table, "a", 40))
                               .with_column(bins_as_numbers(table, "b", 40));
    DecisionTree learner{.limits = {.min_samples_leaf = 3}};
    const auto exact = fit(learner, binned, target);
    learner.limits.max_bins = 40;
    const auto coarse = fit(learner, table, target);
    EXPECT_GT(coarse.model().tree.rows.size(), 50U);
    EXPECT_EQ(coarse.model().tree.rows, exact.model().tree.rows);
    EXPECT_EQ(coarse.model().tree.trees.feature, exact.model().tree.trees.feature);
    EXPECT_EQ(coarse.model().tree.trees.missing_left, exact.model().tree.trees.missing_left);
  }
}

TEST(DecisionTree, with_a_bin_for_every_number_is_the_exact_tree) {
  const Dataset data = many_numbers(400).without("y");
  const AnyModel exact = fit(DecisionTree{}, data, "k");
  const AnyModel binned = fit(DecisionTree{.limits = {.max_bins = 400}}, data, "k");
  EXPECT_EQ(to_json(exact.fitted()), to_json(binned.fitted()));
  const AnyModel coarse = fit(DecisionTree{.limits = {.max_bins = 2}}, data, "k");
  EXPECT_NE(to_json(exact.fitted()), to_json(coarse.fitted()));
  DecisionTree wrong;
  wrong.limits.max_bins = 1;
  EXPECT_THROW(fit(wrong, data, "k"), Error);
}

TEST(DecisionTree, tells_the_candidates_of_the_bins) {
  const Traced run = grow(many_numbers(500).without("y"), "k", {.limits = {.max_bins = 5}});
  EXPECT_EQ(run.values("tree").at("thresholds").at("b").size(), 4U);
}

}  // namespace
}  // namespace gradus
