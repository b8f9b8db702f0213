#include "gradus/blocks/histogram/level_split.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr std::size_t kBins = 6;

enum class WithMissing { no, yes };

// A few leaves with random rows in the bins of one column; every hessian is 1.
struct RandomLevel {
  RandomLevel(std::size_t leaves, bool nominal, WithMissing missing, std::uint64_t seed)
      : pairs(leaves) {
    bins.nominal = nominal;
    bins.bins = kBins;
    Stream stream(seed);
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      GradientPair total;
      const auto fill = [&](std::size_t bin) {
        const std::size_t rows = stream.below(5);
        for (std::size_t i = 0; i < rows; ++i) {
          const double g = 0.3 * stream.normal() + 0.2 * static_cast<double>(bin % 3);
          pairs[leaf][bin] += scale.pack(g, 1);
        }
        total += pairs[leaf][bin];
      };
      for (std::size_t bin = 0; bin < kBins; ++bin) fill(bin);
      if (missing == WithMissing::yes) fill(kNarrowBins);
      histograms.push_back({bins, 3, pairs[leaf].data(), total});
    }
  }

  FixedPoint scale = FixedPoint(4, 1, 4096);
  BinColumn bins = {};
  std::vector<std::array<GradientPair, kNarrowBins + 1>> pairs;
  std::vector<ColumnHistogram> histograms = {};
};

SplitRules some_rules() {
  SplitRules rules;
  rules.reg_lambda = 0.5;
  rules.categories.smoothing = 1;
  return rules;
}

double score(double g, double h) { return g * g / (h + 0.5); }

// What a cut gains in a leaf, 0 where it parts nothing or loses.
double gain_of(const ColumnHistogram& leaf, const FixedPoint& scale, std::size_t bin,
               bool missing_left) {
  GradientPair left;
  for (std::size_t b = 0; b <= bin; ++b) left += leaf.pairs[b];
  if (missing_left) left += leaf.pairs[kNarrowBins];
  const GradientPair right = leaf.total - left;
  if (scale.count(left) == 0 || scale.count(right) == 0) return 0;
  const double gain = score(scale.gradient(left), scale.hessian(left)) +
                      score(scale.gradient(right), scale.hessian(right)) -
                      score(scale.gradient(leaf.total), scale.hessian(leaf.total));
  return std::max(gain, 0.0);
}

TEST(LevelSplit, of_a_single_leaf_is_the_best_split_of_that_leaf) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const bool nominal : {false, true}) {
      for (const WithMissing missing : {WithMissing::no, WithMissing::yes}) {
        const RandomLevel level(1, nominal, missing, seed);
        const SplitRules rules = relative_rules(some_rules(), level.scale);
        const SplitCandidate alone = best_split(level.histograms[0], level.scale, rules);
        const SplitCandidate found = best_level_split(level.histograms, level.scale, rules);
        ASSERT_EQ(found.found, alone.found);
        if (!alone.found) continue;
        EXPECT_EQ(found.column, 3U);
        EXPECT_EQ(found.gain, alone.gain);
        EXPECT_EQ(found.bin, alone.bin);
        const LevelQuestion question =
            level_question(level.histograms, found, level.scale, rules.categories);
        EXPECT_EQ(question.candidate.missing_left, alone.missing_left);
        EXPECT_EQ(question.candidate.left, alone.left);
        EXPECT_EQ(question.goes,
                  goes_left(level.histograms[0], alone, level.scale, rules.categories));
      }
    }
  }
}

TEST(LevelSplit, has_the_largest_sum_of_gains_over_the_leaves) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomLevel level(5, false, WithMissing::yes, seed);
    const SplitRules rules = relative_rules(some_rules(), level.scale);
    double best = 0;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      for (const bool missing_left : {false, true}) {
        double sum = 0;
        for (const ColumnHistogram& leaf : level.histograms) {
          sum += gain_of(leaf, level.scale, bin, missing_left);
        }
        best = std::max(best, sum);
      }
    }
    const SplitCandidate found = best_level_split(level.histograms, level.scale, rules);
    ASSERT_TRUE(found.found);
    EXPECT_NEAR(std::ldexp(found.gain, 2 * level.scale.exponent()), best, 1e-9);
  }
}

TEST(LevelSplit, is_the_sum_of_its_parts) {
  for (const bool nominal : {false, true}) {
    const RandomLevel level(4, nominal, WithMissing::yes, 7);
    const SplitRules rules = relative_rules(some_rules(), level.scale);
    const SplitCandidate found = best_level_split(level.histograms, level.scale, rules);
    ASSERT_TRUE(found.found);
    const LevelQuestion question =
        level_question(level.histograms, found, level.scale, rules.categories);
    double sum = 0;
    for (const ColumnHistogram& leaf : level.histograms) {
      const SplitCandidate part = part_of_level(leaf, question, level.scale, rules);
      if (part.found) sum += part.gain;
    }
    EXPECT_DOUBLE_EQ(sum, found.gain);
  }
}

TEST(LevelSplit, leaves_a_leaf_whole_where_a_side_has_too_few_rows) {
  RandomLevel level(2, false, WithMissing::no, 0);
  const FixedPoint& scale = level.scale;
  level.pairs[0].fill({});
  level.pairs[1].fill({});
  const auto put = [&](std::size_t leaf, std::size_t bin, double gradient, int rows) {
    for (int i = 0; i < rows; ++i) {
      level.pairs[leaf][bin] += scale.pack(gradient, 1);
    }
  };
  put(0, 0, -1, 10);
  put(0, 1, 1, 10);
  put(1, 0, -1, 2);
  put(1, 1, 1, 10);
  std::vector<ColumnHistogram> leaves;
  for (const auto& pairs : level.pairs) {
    leaves.push_back({level.bins, 3, pairs.data(), pairs[0] + pairs[1]});
  }
  SplitRules rules = relative_rules(some_rules(), scale);
  rules.min_samples_leaf = 5;
  const SplitCandidate found = best_level_split(leaves, scale, rules);
  ASSERT_TRUE(found.found);
  EXPECT_EQ(found.bin, 0U);
  const LevelQuestion question = level_question(leaves, found, scale, rules.categories);
  EXPECT_TRUE(part_of_level(leaves[0], question, scale, rules).found);
  EXPECT_FALSE(part_of_level(leaves[1], question, scale, rules).found);
}

}  // namespace
}  // namespace gradus
