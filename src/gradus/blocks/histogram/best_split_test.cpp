#include "gradus/blocks/histogram/best_split.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gradus {
namespace {

// Categories with a gradient per row and a number of rows each; every hessian is 1.
struct Categories {
  std::vector<double> gradient;
  std::vector<std::size_t> rows;
  FixedPoint scale = FixedPoint(1, 1, 4096);
  BinColumn bins = {};
  std::vector<GradientPair> pairs = {};

  SplitCandidate best(const SplitRules& rules) {
    bins.nominal = true;
    bins.bins = gradient.size();
    pairs.assign(kNarrowBins + 1, {});
    GradientPair total;
    for (std::size_t c = 0; c < gradient.size(); ++c) {
      for (std::size_t i = 0; i < rows[c]; ++i) pairs[c] += scale.pack(gradient[c], 1);
      total += pairs[c];
    }
    return best_split({bins, 0, pairs.data(), total}, scale, relative_rules(rules, scale));
  }

  // The gain of a true cut with the rows and sums of the left side.
  double true_gain(const SplitCandidate& candidate) const {
    return std::ldexp(candidate.gain, 2 * scale.exponent());
  }
};

SplitRules rules_with(const CategoryRules& categories) {
  SplitRules rules;
  rules.reg_lambda = 2;
  rules.categories = categories;
  return rules;
}

TEST(CategoryRules, a_larger_lambda_of_its_own_lowers_the_gain_by_the_formula) {
  Categories data{.gradient = {-1, 0.5, -0.5}, .rows = {10, 10, 10}};
  // Left: the first and the third, G = -15, H = 20; right: G = 5, H = 10; all: G = -10, H = 30.
  const SplitCandidate free = data.best(rules_with({}));
  ASSERT_TRUE(free.found);
  EXPECT_EQ(free.bin, 2U);
  EXPECT_NEAR(data.true_gain(free), 225.0 / 22 + 25.0 / 12 - 100.0 / 32, 1e-9);
  const SplitCandidate held = data.best(rules_with({.extra_lambda = 10}));
  ASSERT_TRUE(held.found);
  EXPECT_NEAR(data.true_gain(held), 225.0 / 32 + 25.0 / 22 - 100.0 / 32, 1e-9);
}

TEST(CategoryRules, cuts_differ_by_a_least_number_of_rows) {
  // The lone row of the first category stands out, but is no group of 5.
  Categories data{.gradient = {-1, 0, 0.2}, .rows = {1, 8, 9}};
  const SplitCandidate free = data.best(rules_with({.smoothing = 0}));
  ASSERT_TRUE(free.found);
  const SplitCandidate grouped = data.best(rules_with({.smoothing = 0, .min_rows = 5}));
  ASSERT_TRUE(grouped.found);
  EXPECT_EQ(data.scale.count(grouped.left), 9U);
  EXPECT_EQ(grouped.bin, 2U);
  EXPECT_FALSE(data.best(rules_with({.smoothing = 0, .min_rows = 10})).found);
}

TEST(CategoryRules, groups_are_also_formed_from_the_other_end) {
  // From the left the first group of 5 rows ends behind the second category; from the right the
  // last category alone is one.
  Categories data{.gradient = {0, 0, 0, 1}, .rows = {4, 4, 3, 5}};
  const SplitCandidate best = data.best(rules_with({.smoothing = 0, .min_rows = 5}));
  ASSERT_TRUE(best.found);
  EXPECT_EQ(best.bin, 3U);
}

TEST(CategoryRules, the_smaller_side_has_a_most_number_of_categories) {
  Categories data{.gradient = {-1, -1, -1, 1, 1, 1}, .rows = {9, 9, 9, 9, 9, 9}};
  EXPECT_EQ(data.best(rules_with({})).bin, 3U);
  const SplitCandidate few = data.best(rules_with({.max_set = 2}));
  ASSERT_TRUE(few.found);
  EXPECT_EQ(few.bin, 2U);
}

TEST(CategoryRules, smoothing_moves_a_rare_category_to_the_middle) {
  Categories data{.gradient = {-1, -0.5, 0.5}, .rows = {1, 40, 40}};
  // By mean gradients the order is 0, 1, 2; smoothed, the rare one comes after the second.
  const SplitCandidate plain = data.best(rules_with({.smoothing = 0}));
  EXPECT_EQ(plain.bin, 2U);
  EXPECT_EQ(data.scale.count(plain.left), 41U);
  const GoesLeft first = goes_left({data.bins, 0, data.pairs.data(), {}}, {.found = true, .bin = 1},
                                   data.scale, {.smoothing = 0});
  EXPECT_EQ(first[0], 1);
  const GoesLeft smoothed = goes_left({data.bins, 0, data.pairs.data(), {}},
                                      {.found = true, .bin = 1}, data.scale, {.smoothing = 10});
  EXPECT_EQ(smoothed[0], 0);
  EXPECT_EQ(smoothed[1], 1);
}

}  // namespace
}  // namespace gradus
