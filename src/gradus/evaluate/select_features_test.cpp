#include "gradus/evaluate/select_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

// y depends on `strong` and `weak`; two columns are noise.
Dataset table() {
  Stream stream(21);
  const std::size_t rows = 160;
  std::vector<std::vector<double>> x(4, std::vector<double>(rows));
  std::vector<double> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (auto& column : x) column[i] = stream.normal();
    y[i] = 3 * x[1][i] + x[2][i] + 0.5 * stream.normal();
  }
  return Dataset({Column::numeric("noise_a", x[0]), Column::numeric("strong", x[1]),
                  Column::numeric("weak", x[2]), Column::numeric("noise_b", x[3]),
                  Column::numeric("y", y)});
}

Selection selected(SelectMethod method, std::size_t keep = 0, int threads = 0) {
  const Dataset data = table();
  const Folds folds = make_folds(data, {.folds = 5});
  SelectOptions options{.method = method, .keep = keep};
  options.validate.fit.target = {"y"};
  Context context;
  context.threads = threads;
  return select_features(AnyLearner("linear_regression"), data, folds, options, context);
}

TEST(SelectFeatures, forward_takes_the_strong_column_first) {
  const Selection out = selected(SelectMethod::forward);
  ASSERT_GE(out.steps.size(), 2U);
  EXPECT_EQ(out.steps[0].features, (std::vector<std::string>{"strong"}));
  EXPECT_EQ(out.steps[1].changed, "weak");
  EXPECT_LT(*out.steps[1].estimate.mean, *out.steps[0].estimate.mean);
  EXPECT_EQ(out.features, out.steps[out.best].features);
}

TEST(SelectFeatures, backward_keeps_what_is_missed) {
  const Selection out = selected(SelectMethod::backward);
  EXPECT_EQ(out.steps.front().features.size(), 4U);
  EXPECT_NE(std::find(out.features.begin(), out.features.end(), "strong"), out.features.end());
  EXPECT_NE(std::find(out.features.begin(), out.features.end(), "weak"), out.features.end());
  EXPECT_LE(*out.steps.back().estimate.mean, *out.all + 1e-9);
}

TEST(SelectFeatures, recursive_drops_the_least_important_first) {
  const Selection out = selected(SelectMethod::recursive);
  ASSERT_EQ(out.steps.size(), 4U);
  EXPECT_EQ(out.steps.back().features, (std::vector<std::string>{"strong"}));
  EXPECT_EQ(out.steps[3].changed, "weak");
  ASSERT_EQ(out.steps[0].importance.size(), 4U);
  EXPECT_GT(out.steps[0].importance[1], out.steps[0].importance[2]);
  EXPECT_GT(out.steps[0].importance[2], out.steps[0].importance[0]);
}

TEST(SelectFeatures, a_number_of_columns_may_be_asked_for) {
  for (const SelectMethod method :
       {SelectMethod::forward, SelectMethod::backward, SelectMethod::recursive}) {
    EXPECT_EQ(selected(method, 2).features.size(), 2U);
  }
  EXPECT_THROW(selected(SelectMethod::forward, 9), Error);
}

TEST(SelectFeatures, the_number_of_threads_changes_nothing) {
  EXPECT_EQ(to_json(to_value(selected(SelectMethod::recursive, 0, 1))),
            to_json(to_value(selected(SelectMethod::recursive, 0, 4))));
}

TEST(SelectFeatures, a_nested_selection_examines_rows_that_no_choice_has_seen) {
  const Dataset data = table();
  const Folds outer = make_folds(data, {.folds = 4});
  SelectOptions options{.inner = {.folds = 3}};
  options.validate.fit.target = {"y"};
  const AnyLearner learner("linear_regression");
  const NestedSelection nested = select_nested(learner, data, outer, options);
  ASSERT_EQ(nested.folds.size(), 4U);
  EXPECT_EQ(nested.often.front(), (std::pair<std::string, std::size_t>{"strong", 4}));
  // The first fold by hand: its own selection, then a fit of these columns.
  const Dataset train = data.take(outer.train(0));
  const Selection own = select_features(learner, train, make_folds(train, options.inner), options);
  EXPECT_EQ(nested.chosen[0], own.features);
  FitOptions fit_options = options.validate.fit;
  fit_options.features = own.features;
  const AnyModel model = fit(learner, train, fit_options);
  const Value scores = evaluate(model, data.take(outer.test(0)), {}, {.extra = Extra::ignore});
  EXPECT_DOUBLE_EQ(*nested.folds[0].metric, scores.at("rmse").as_number());
  EXPECT_EQ(to_value(nested).at("often").at("strong").as_number(), 4);
}

// The target is noise: whatever is chosen among many columns seems to help, and does not.
TEST(SelectFeatures, the_nested_figure_is_not_fooled_by_noise) {
  Stream stream(5);
  const std::size_t rows = 60;
  std::vector<Column> columns;
  for (std::size_t j = 0; j < 31; ++j) {
    std::vector<double> x(rows);
    for (double& one : x) one = stream.normal();
    columns.push_back(Column::numeric(j == 30 ? "y" : "x" + std::to_string(j), x));
  }
  const Dataset data{std::move(columns)};
  const Folds folds = make_folds(data, {.folds = 5});
  SelectOptions options{.inner = {.folds = 5}};
  options.validate.fit.target = {"y"};
  options.validate.metric = "r2";
  const AnyLearner learner("linear_regression");
  const Selection plain = select_features(learner, data, folds, options);
  const NestedSelection nested = select_nested(learner, data, folds, options);
  EXPECT_GT(*plain.steps[plain.best].estimate.mean, *nested.estimate.mean);
  EXPECT_LT(*nested.estimate.mean, 0);
}

}  // namespace
}  // namespace gradus
