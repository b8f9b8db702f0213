#include <gtest/gtest.h>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/baseline/baseline/model.hpp"

namespace gradus {
namespace {

using Strategy = BaselineStrategy;

Dataset numbers(std::vector<double> values) {
  return Dataset({Column::numeric("y", std::move(values))});
}

double answer(const Baseline& learner, const Dataset& data) {
  return fit(learner, data, "y").model().answer[0];
}

TEST(Baseline, mean_median_and_quantile_are_those_of_the_textbooks) {
  const Dataset data = numbers({1, 2, 3, 10});
  EXPECT_EQ(answer({}, data), 4);
  EXPECT_EQ(answer({.strategy = Strategy::median}, data), 2.5);
  EXPECT_EQ(answer({.strategy = Strategy::quantile, .quantile = 0.25}, data), 1.75);
  EXPECT_EQ(answer({.strategy = Strategy::constant, .constant = "7.5"}, data), 7.5);
}

TEST(Baseline, a_weight_of_two_is_a_row_written_twice) {
  const Dataset weighted = numbers({5, 1, 3}).with_weights({2, 1, 1});
  const Dataset repeated = numbers({5, 5, 1, 3});
  for (const Strategy strategy : {Strategy::mean, Strategy::median}) {
    EXPECT_EQ(answer({.strategy = strategy}, weighted), answer({.strategy = strategy}, repeated));
  }
}

TEST(Baseline, extreme_numbers_stay_finite) {
  EXPECT_EQ(answer({}, numbers({1.7e308, 1.7e308})), 1.7e308);
  EXPECT_EQ(answer({.strategy = Strategy::median}, numbers({1.7e308, 1.7e308})), 1.7e308);
}

TEST(Baseline, the_most_frequent_class_wins_and_ties_go_to_the_first) {
  const Dataset data({Column::nominal("y", {1, 0, 1, 0}, {"a", "b"})});
  const auto model = fit(Baseline{.strategy = Strategy::most_frequent}, data, "y");
  EXPECT_EQ(model.model().answer, (std::vector<double>{1, 0}));
}

TEST(Baseline, every_row_has_the_one_answer_whatever_their_number) {
  const Dataset data({Column::nominal("y", {0, 1, 1, 2}, {"a", "b", "c"})});
  const auto model = fit(Baseline{}, data, "y");
  for (const std::size_t rows : {0, 1, 2, 3, 1000}) {
    const std::vector<std::int32_t> codes(rows, 0);
    const Dataset asked({Column::nominal("y", codes, {"a", "b", "c"})});
    const Predictions answers = model.predict(asked);
    ASSERT_EQ(answers.values.size(), 3 * rows);
    for (std::size_t i = 0; i < rows; ++i) {
      EXPECT_EQ(answers.values[3 * i], 0.25);
      EXPECT_EQ(answers.values[3 * i + 1], 0.5);
      EXPECT_EQ(answers.values[3 * i + 2], 0.25);
    }
    std::vector<std::int32_t> labels(rows, -1);
    model.labels_into(asked, labels, {}, {});
    EXPECT_EQ(labels, std::vector<std::int32_t>(rows, 1));
  }
}

TEST(Baseline, a_strategy_that_does_not_fit_the_target_is_refused) {
  EXPECT_THROW(answer({.strategy = Strategy::most_frequent}, numbers({1, 2})), Error);
  EXPECT_THROW(answer({.strategy = Strategy::constant, .constant = "abc"}, numbers({1, 2})), Error);
}

}  // namespace
}  // namespace gradus
