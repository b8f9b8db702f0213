// Expected numbers are those of SciPy and statsmodels.
#include "gradus/evaluate/significance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/distributions.hpp"
#include "gradus/core/random.hpp"
#include "gradus/evaluate/average_ranks.hpp"

namespace gradus {
namespace {

using Numbers = std::vector<double>;

TEST(Distributions, tails_and_quantiles) {
  EXPECT_NEAR(student_two_sided(2.5, 7), 0.04099221858575289, 1e-14);
  EXPECT_NEAR(student_quantile(0.95, 9), 2.262157162798205, 1e-12);
  EXPECT_NEAR(fisher_tail(4.74, 10, 5), 0.049895785980515625, 1e-14);
  EXPECT_NEAR(chi_squared_tail(7.8, 3), 0.050331097859853326, 1e-14);
  EXPECT_NEAR(normal_two_sided(-1.959963984540054), 0.05, 1e-15);
  EXPECT_EQ(fair_coin_two_sided(5, 10), 1.0);
}

TEST(Distributions, the_studentized_range) {
  EXPECT_NEAR(studentized_range_quantile(0.95, 2), 2.771807648699355, 1e-9);
  EXPECT_NEAR(studentized_range_quantile(0.95, 3), 3.314493155398122, 1e-9);
  EXPECT_NEAR(studentized_range_quantile(0.95, 10), 4.474124221725907, 1e-9);
  EXPECT_NEAR(studentized_range_tail(3, 5), 0.21087650496353805, 1e-10);
  EXPECT_EQ(studentized_range_tail(0, 3), 1.0);
}

TEST(AverageRanks, equal_values_share_the_mean_of_their_ranks) {
  const Ranks ranks = average_ranks(Numbers{3, 1, 3, 2, 3});
  EXPECT_EQ(ranks.ranks, (Numbers{4, 1, 4, 2, 4}));
  EXPECT_EQ(ranks.tie_term, 24);
}

TEST(Significance, the_textbook_comparison_of_two_hypotheses) {
  const TestResult out = two_proportions({30, 100}, {20, 100});
  EXPECT_NEAR((out.interval->high - out.interval->low) / 2, 0.1192199549, 1e-9);
  EXPECT_NEAR(out.interval->high + out.interval->low, 0.2, 1e-15);
  EXPECT_NEAR(out.statistic, 1.6329931618554518, 1e-13);
  EXPECT_NEAR(out.p, 0.10247043485974941, 1e-13);
  EXPECT_FALSE(two_proportions({0, 10}, {0, 10}).undefined.empty());
}

TEST(Significance, mcnemar_is_exact_for_few_rows_and_chi_squared_for_many) {
  EXPECT_NEAR(mcnemar({3, 9}).p, 0.14599609375, 1e-14);
  const TestResult many = mcnemar({10, 25});
  EXPECT_NEAR(many.statistic, 5.6, 1e-14);
  EXPECT_NEAR(many.p, 0.01796047752607879, 1e-14);
  EXPECT_FALSE(mcnemar({0, 0}).undefined.empty());
}

// The textbook's five folds of two learners.
TEST(Significance, the_paired_t_test_of_the_textbook_folds) {
  const Numbers differences = {0.03, -0.01, 0.03, 0.03, 0.01};
  const TestResult out = paired_t(differences);
  EXPECT_NEAR(out.statistic, 2.25, 1e-13);
  EXPECT_NEAR(out.p, 0.08764517650339468, 1e-13);
  EXPECT_NEAR((out.interval->low + out.interval->high) / 2, 0.018, 1e-15);
}

TEST(Significance, the_corrected_test_is_less_sure) {
  const Numbers differences = {.02, .03, -.01, .04, .02, .01, .03, .00, .05, .02};
  const TestResult out = corrected_t(differences, {.train = 90, .test = 10});
  EXPECT_NEAR(out.statistic, 2.550563158913892, 1e-12);
  EXPECT_NEAR(out.p, 0.031165935928260412, 1e-13);
  EXPECT_NEAR(out.interval->low, 0.0023745837844723235, 1e-14);
  EXPECT_GT(out.p, paired_t(differences).p);
}

TEST(Significance, differences_that_never_vary_have_no_test) {
  EXPECT_FALSE(paired_t(Numbers{0, 0, 0}).undefined.empty());
  EXPECT_FALSE(paired_t(Numbers{0.5, 0.5}).undefined.empty());
  EXPECT_FALSE(paired_t(Numbers{1}).undefined.empty());
  EXPECT_TRUE(to_value(paired_t(Numbers{0, 0})).at("p").is_null());
}

TEST(Significance, five_times_two_halves) {
  const Numbers differences = {.02, .01, .03, -.01, .02, .025, .015, .01, -.005, .03};
  const TestResult out = five_by_two_f(differences);
  EXPECT_NEAR(out.statistic, 1.2689075630252098, 1e-12);
  EXPECT_NEAR(out.p, 0.418674628438114, 1e-12);
  EXPECT_FALSE(five_by_two_f(Numbers{1, 2}).undefined.empty());
}

TEST(Significance, wilcoxon_exact_and_with_ties) {
  const TestResult exact = wilcoxon(Numbers{0.1, -0.2, 0.35, 0.4, -0.05, 0.6, 0.7});
  EXPECT_EQ(exact.statistic, 4);
  EXPECT_NEAR(exact.p, 0.109375, 1e-14);
  const TestResult ties = wilcoxon(Numbers{1, 1, -1, 2, 3, 0, 2.5, -0.5});
  EXPECT_EQ(ties.statistic, 4);
  EXPECT_NEAR(ties.p, 0.08865923208274727, 1e-13);
  EXPECT_FALSE(wilcoxon(Numbers{0, 0}).undefined.empty());
}

TEST(Significance, friedman_nemenyi_and_holm) {
  const std::vector<Numbers> folds = {{.9, .88, .7}, {.8, .82, .75}, {.85, .8, .8}, {.7, .65, .6}};
  const RankComparison out = compare_ranks(folds, Better::higher);
  EXPECT_NEAR(out.friedman.statistic, 5.733333333333333, 1e-12);
  EXPECT_NEAR(out.friedman.p, 0.056888238346101516, 1e-12);
  EXPECT_EQ(out.mean_ranks, (Numbers{1.25, 1.875, 2.875}));
  // q / sqrt(2) sqrt(k (k + 1) / (6 N)) with q = 3.3145.
  EXPECT_NEAR(out.critical_difference, 3.314493155398122 / std::sqrt(2) * std::sqrt(12.0 / 24),
              1e-8);
  EXPECT_LT(out.nemenyi[0][2], out.nemenyi[0][1]);
  EXPECT_EQ(out.nemenyi[0][2], out.nemenyi[2][0]);
  EXPECT_EQ(out.holm[0], 1.0);
  EXPECT_LT(out.holm[2], out.holm[1]);
  EXPECT_EQ(compare_ranks(folds, Better::lower).mean_ranks, (Numbers{2.75, 2.125, 1.125}));
}

TEST(Significance, holm_steps_down_and_never_falls_back) {
  EXPECT_EQ(holm_adjusted(Numbers{0.01, 0.04, 0.03}), (Numbers{0.03, 0.06, 0.06}));
  EXPECT_EQ(holm_adjusted(Numbers{0.9, 0.8}), (Numbers{1, 1}));
}

// Under the null hypothesis a level-5% test rejects about one time in twenty.
TEST(Significance, the_paired_test_rejects_as_often_as_it_says) {
  int rejected = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    Stream stream(11, static_cast<std::uint64_t>(trial));
    Numbers differences;
    for (int i = 0; i < 10; ++i) differences.push_back(stream.normal());
    if (paired_t(differences).p < 0.05) ++rejected;
  }
  EXPECT_GE(rejected, 0.035 * kTrials);
  EXPECT_LE(rejected, 0.065 * kTrials);
}

}  // namespace
}  // namespace gradus
