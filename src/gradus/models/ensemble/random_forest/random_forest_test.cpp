#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/ensemble/random_forest/model.hpp"
#include "gradus/trace/trace.hpp"

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

double error_rate(const AnyModel& model, const Dataset& data) {
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  double wrong = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    wrong += static_cast<std::int32_t>(said.label(i)) == data.column("y").code(i) ? 0 : 1;
  }
  return wrong / static_cast<double>(data.rows());
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
  fit(RandomForest{.n_estimators = 20, .max_depth = 1}, train, "y", context);
  double share = 0;
  for (std::size_t tree = 0; tree < 20; ++tree) {
    share += trace.steps()[tree].values.at("share_left_out").as_number() / 20;
  }
  EXPECT_NEAR(share, 0.3676954248, 0.01);  // (1 − 1/1000)^1000
}

TEST(RandomForest, tells_the_draws_of_a_small_table_and_the_votes_of_a_row) {
  const Dataset train = two_classes(30, 4);
  Recorder trace;
  Context context;
  context.trace = &trace;
  const AnyModel model = fit(RandomForest{.n_estimators = 5}, train, "y", context);
  ASSERT_EQ(trace.steps().size(), 6U);
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
      .n_estimators = 3, .max_features = MaxFeatures::all, .bootstrap = false};
  const AnyModel model = fit(learner, train, "y");
  const Predictions said = model.predict(train, {}, {.extra = Extra::ignore});
  for (const double p : said.values) EXPECT_TRUE(p == 0 || p == 1);
  EXPECT_EQ(model.fitted().find("oob_error"), nullptr);
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
  const AnyModel model = fit(RandomForest{.min_samples_leaf = 5}, data, "y");
  EXPECT_LT(model.fitted().at("oob_error").as_number(), 0.02);
  EXPECT_NE(model.fingerprint(),
            fit(RandomForest{.min_samples_leaf = 5, .random_state = 1}, data, "y").fingerprint());
}

}  // namespace
}  // namespace gradus
