// Large tables, whose gradients a tree takes as words (simd/gradient_words.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"
#include "support/boosting_table.hpp"

namespace gradus {
namespace {

using boosting_tests::answers;
using boosting_tests::mean_squared_error;
using boosting_tests::table_of;

constexpr std::size_t kRows = 20'000;

GradientBoosting some_rounds() {
  GradientBoosting learner{.n_estimators = 15, .n_ensembles = 1};
  learner.tree.l2_regularization = 0;
  learner.tree.min_child_weight = 0;
  learner.tree.min_samples_leaf = 1;
  learner.sample.subsample = 1;
  learner.sample.colsample_bytree = 1;
  return learner;
}

// Rows of weight two count as written twice, which words cannot say: pairs are taken. Otherwise
// nothing changes.
auto fit_by_pairs(const Dataset& data) {
  return fit(some_rounds(), data.with_weights(std::vector<double>(kRows, 2.0)), "y");
}

TEST(BoostingWords, learn_what_pairs_do) {
  const Dataset data = table_of(kRows, 1);
  const auto words = fit(some_rounds(), data, "y");
  const auto pairs = fit_by_pairs(data);
  const double error = mean_squared_error(words, data);
  EXPECT_NEAR(error, mean_squared_error(pairs, data), 0.01 * error);
  EXPECT_NE(answers(words, data), answers(pairs, data));  // a word has fewer digits
}

// One target far from all others would make the unit of words too large for these.
TEST(BoostingWords, are_not_used_where_an_outlier_would_hide_the_other_rows) {
  const Dataset clean = table_of(kRows, 1);
  std::vector<double> y(kRows);
  for (std::size_t i = 0; i < kRows; ++i) y[i] = clean.column("y").number(i);
  y[77] = 1e7;
  const Dataset wild = clean.with_column(Column::numeric("y", y));
  const std::vector<double> told = answers(fit(some_rounds(), wild, "y"), wild);
  const std::vector<double> pairs = answers(fit_by_pairs(wild), wild);
  for (std::size_t i = 0; i < kRows; ++i) ASSERT_NEAR(told[i], pairs[i], 1e-9 * pairs[i]);
}

TEST(BoostingWords, give_the_same_bytes_for_any_number_of_threads) {
  const Dataset data = table_of(kRows, 2);
  GradientBoosting learner{.n_estimators = 8};
  Context context;
  context.threads = 1;
  const auto alone = answers(fit(learner, data, "y", context), data);
  for (const int threads : {2, 3, 8}) {
    context.threads = threads;
    EXPECT_EQ(answers(fit(learner, data, "y", context), data), alone) << threads;
  }
}

// Trees of six classes grow side by side where threads share them evenly, and one after the other
// where they do not.
TEST(BoostingWords, classes_side_by_side_give_the_bytes_of_one_after_the_other) {
  const Dataset numbers = table_of(kRows, 5);
  std::vector<std::int32_t> codes(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    const double y = numbers.column("y").number(i);
    codes[i] = static_cast<std::int32_t>(std::clamp(std::floor(y) + 3, 0.0, 5.0));
  }
  const Dataset data =
      numbers.without("y").with_column(Column::nominal("y", codes, {"a", "b", "c", "d", "e", "f"}));
  GradientBoosting learner{.n_estimators = 4};
  learner.sample.subsample = 0.7;
  Context context;
  context.threads = 1;
  const std::string alone =
      fit(AnyLearner(learner), data, {.target = {"y"}}, context).fingerprint();
  for (const int threads : {2, 3, 4, 5}) {
    context.threads = threads;
    EXPECT_EQ(fit(AnyLearner(learner), data, {.target = {"y"}}, context).fingerprint(), alone)
        << threads;
  }
}

// Rows of weight 0 are as good as absent, but for the bins, which are made without them too.
TEST(BoostingWords, do_not_see_rows_that_weigh_nothing) {
  const Dataset data = table_of(2 * kRows, 3);
  std::vector<double> weights(2 * kRows, 0.0);
  std::vector<std::size_t> half(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    half[i] = i;
    weights[i] = 1.5;
  }
  const Dataset some = data.take(half).with_weights(std::vector<double>(kRows, 1.5));
  const double error =
      mean_squared_error(fit(some_rounds(), data.with_weights(weights), "y"), data);
  EXPECT_NEAR(error, mean_squared_error(fit(some_rounds(), some, "y"), data), 0.05 * error);
}

}  // namespace
}  // namespace gradus
