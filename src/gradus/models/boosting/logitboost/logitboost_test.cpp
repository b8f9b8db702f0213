#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gradus/api/fit.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/logitboost/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

Dataset two_or_three(std::size_t rows, std::int32_t classes) {
  Stream stream(1);
  std::vector<double> a(rows);
  std::vector<double> b(rows);
  std::vector<std::int32_t> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    y[i] = static_cast<std::int32_t>(i) % classes;
    a[i] = stream.normal() + 2 * y[i];
    b[i] = stream.normal() + (y[i] == 1 ? 2 : 0);
  }
  std::vector<std::string> names = {"p", "q", "r"};
  names.resize(static_cast<std::size_t>(classes));
  return Dataset(
      {Column::numeric("a", a), Column::numeric("b", b), Column::nominal("y", y, names)});
}

// The first round by hand: p = 1/2, so z = ±2 and w = 1/4, and a side of n₊ and n₋ rows gets half
// of 2 (n₊ − n₋) / (n₊ + n₋).
TEST(LogitBoost, the_first_round_is_the_textbooks) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4, 5}),
                      Column::nominal("y", std::vector<std::int32_t>{0, 0, 1, 0, 1}, {"n", "y"})});
  Recorder trace;
  Context context;
  context.trace = &trace;
  fit(LogitBoost{.n_estimators = 1}, data, "y", context);
  const Value& stump = trace.steps()[0].values;
  EXPECT_EQ(stump.at("responses").as_array()[0].as_number(), -2);
  EXPECT_EQ(stump.at("weights").as_array()[2].as_number(), 0.25);
  EXPECT_EQ(stump.at("question").as_string(), "x <= 2.5");
  EXPECT_DOUBLE_EQ(stump.at("if_yes").as_number(), -1);
  EXPECT_NEAR(stump.at("if_no").as_number(), 1.0 / 3, 1e-12);
  const double loss =
      -(2 * std::log(1 / (1 + std::exp(-2.0))) + 2 * std::log(1 / (1 + std::exp(-2.0 / 3))) +
        std::log(1 / (1 + std::exp(2.0 / 3)))) /
      5;
  EXPECT_NEAR(trace.steps()[1].values.at("loss").as_number(), loss, 1e-12);
}

TEST(LogitBoost, the_loss_falls_and_rows_are_told_apart) {
  for (const std::int32_t classes : {2, 3}) {
    const Dataset data = two_or_three(300, classes);
    const AnyModel model = fit(LogitBoost{}, data, "y");
    const Value fitted = model.fitted();
    const auto& losses = fitted.at("losses").as_array();
    ASSERT_EQ(losses.size(), 50U);
    EXPECT_LT(losses.front().as_number(), std::log(classes));
    EXPECT_LT(losses.back().as_number(), 0.6 * losses.front().as_number());
    const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
    double wrong = 0;
    for (std::size_t i = 0; i < 300; ++i) {
      wrong += static_cast<std::int32_t>(said.label(i)) == data.column("y").code(i) ? 0 : 1;
    }
    EXPECT_LT(wrong / 300, 0.15);
  }
}

TEST(LogitBoost, classes_that_are_apart_give_finite_scores) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3, 4}),
                      Column::nominal("y", std::vector<std::int32_t>{0, 0, 1, 1}, {"a", "b"})});
  const AnyModel model = fit(LogitBoost{.n_estimators = 300}, data, "y");
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  EXPECT_GT(said.row(0)[0], 0.999);
  for (const double p : said.values) EXPECT_TRUE(std::isfinite(p));
}

TEST(LogitBoost, the_answer_of_a_row_is_the_sum_of_its_steps) {
  const Dataset data = two_or_three(60, 3);
  const AnyModel model = fit(LogitBoost{.n_estimators = 4}, data, "y");
  Recorder trace;
  model.explain_row(data, 5, trace);
  // Four rounds for three classes, what each column adds, the answer.
  ASSERT_EQ(trace.steps().size(), 14U);
  EXPECT_DOUBLE_EQ(trace.steps().back().values.at("probabilities").at("q").as_number(),
                   model.predict(data, {}, {.extra = Extra::ignore}).row(5)[1]);
}

TEST(LogitBoost, what_columns_add_are_the_scores) {
  const Dataset data = two_or_three(60, 3);
  const AnyModel model = fit(LogitBoost{.n_estimators = 4}, data, "y");
  const Contributions parts = model.contributions(data, {}, {.extra = Extra::ignore});
  ASSERT_EQ(parts.scores, 3U);
  const std::size_t width = parts.features.size() + 1;
  for (const std::size_t row : {0U, 31U, 59U}) {
    Recorder trace;
    model.explain_row(data, row, trace);
    const Value& scores = trace.steps().back().values.at("scores");
    for (std::size_t k = 0; k < 3; ++k) {
      const double* mine = parts.values.data() + (row * 3 + k) * width;
      EXPECT_NEAR(std::accumulate(mine, mine + width, 0.0), scores.as_array()[k].as_number(),
                  1e-12);
    }
  }
}

}  // namespace
}  // namespace gradus
