#include "gradus/evaluate/hypotheses.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/baseline/baseline/model.hpp"

namespace gradus {
namespace {

// 100 rows: the first is alone wrong on `b` of them, the second on `c`.
HypothesisComparison on_same_rows(std::size_t b, std::size_t c) {
  std::vector<bool> first(100, false);
  std::vector<bool> second(100, false);
  for (std::size_t i = 0; i < b; ++i) first[i] = true;
  for (std::size_t i = 0; i < c; ++i) second[99 - i] = true;
  return compare_hypotheses(first, second);
}

TEST(Hypotheses, on_the_same_rows_mcnemars_test_decides) {
  const HypothesisComparison far = on_same_rows(20, 2);
  EXPECT_EQ(far.test.p, mcnemar({.only_first = 2, .only_second = 20}).p);
  EXPECT_NE(far.conclusion.find("The second model is better"), std::string::npos);
  // d = 0.18 ± 1.96 sqrt(22 - 324 / 100) / 100
  EXPECT_NEAR(far.test.interval->low, 0.18 - 1.959964 * std::sqrt(18.76) / 100, 1e-6);
  EXPECT_NE(on_same_rows(2, 20).conclusion.find("The first model is better"), std::string::npos);
  EXPECT_NE(on_same_rows(5, 4).conclusion.find("cannot be told apart"), std::string::npos);
}

TEST(Hypotheses, models_that_never_differ_have_nothing_to_be_told_apart_by) {
  const std::vector<bool> wrong = {true, false, false};
  EXPECT_EQ(compare_hypotheses(wrong, wrong).conclusion.find("better"), std::string::npos);
}

TEST(Hypotheses, on_rows_of_their_own_two_proportions_are_compared) {
  const HypothesisComparison out =
      compare_independent({.errors = 30, .n = 100}, {.errors = 20, .n = 100});
  EXPECT_EQ(out.test.p, two_proportions({30, 100}, {20, 100}).p);
  EXPECT_NEAR(to_value(out).at("difference").as_number(), 0.1, 1e-12);
}

TEST(Hypotheses, wrong_rows_are_those_with_another_class) {
  const Dataset data({Column::numeric("x", std::vector<double>{1, 2, 3}),
                      Column::nominal("kind", {0, 0, 1}, {"a", "b"})});
  const auto model = fit(Baseline{}, data, "kind");
  EXPECT_EQ(wrong_rows(model, data), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(wrong_rows(model, data, {.threshold_class = "b", .threshold = 0}),
            (std::vector<bool>{true, true, false}));
  EXPECT_THROW(wrong_rows(fit(Baseline{}, data, "x"), data), Error);
}

}  // namespace
}  // namespace gradus
