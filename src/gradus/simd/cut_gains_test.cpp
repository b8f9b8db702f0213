#include "gradus/simd/cut_gains.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

constexpr int kCountBits = 10;

struct Cuts {
  std::vector<std::int64_t> gradient;
  std::vector<std::int64_t> weight;
  CutRules rules;
};

// The sums of the first 1, 2, ... of some rows; all of them are the last.
Cuts cuts_of_chance(std::size_t count) {
  Stream stream(11, count);
  Cuts out;
  std::int64_t gradient = 0;
  std::int64_t weight = 0;
  for (std::size_t i = 0; i < count; ++i) {
    gradient += static_cast<std::int64_t>(stream.below(1U << 30U)) - (1 << 29);
    weight += static_cast<std::int64_t>(stream.below(1U << 20U)) << kCountBits | 1;
    out.gradient.push_back(gradient);
    out.weight.push_back(weight);
  }
  out.rules = {.gradient = gradient,
               .weight = weight,
               .count_bits = kCountBits,
               .gradient_unit = std::ldexp(1.0, -30),
               .hessian_unit = std::ldexp(1.0, -20),
               .alpha = 0.05,
               .lambda = 0.3,
               .parent = 0.125,
               .least_count = 3,
               .least_hessian = 2};
  return out;
}

class CutGains : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

// The gains of cuts one by one.
std::vector<double> gains_of(const CutSums& left, const CutRules& rules) {
  std::vector<double> out;
  for (std::size_t i = 0; i < left.count; ++i) {
    out.push_back(best_cut({left.gradient + i, left.weight + i, 1}, rules).gain);
  }
  return out;
}

TEST_P(CutGains, are_the_bytes_of_the_plain_twin) {
  const Cuts all = cuts_of_chance(255);
  for (std::size_t count = 0; count <= 255; ++count) {
    for (const double lambda : {0.3, 0.0, -4.0}) {
      CutRules rules = all.rules;
      rules.lambda = lambda;
      const CutSums left{all.gradient.data(), all.weight.data(), count};
      const BestCut best = best_cut(left, rules);
      const BestCut plain = scalar::best_cut(left, rules);
      EXPECT_EQ(best.gain, plain.gain);
      EXPECT_EQ(best.at, plain.at);
    }
  }
}

TEST_P(CutGains, find_the_first_of_the_best) {
  Cuts cuts = cuts_of_chance(40);
  const CutSums left{cuts.gradient.data(), cuts.weight.data(), 40};
  const BestCut best = best_cut(left, cuts.rules);
  EXPECT_GT(best.gain, 0);
  for (const std::size_t copy : {best.at + 1, std::size_t{38}, std::size_t{39}}) {
    cuts.gradient[copy] = cuts.gradient[best.at];
    cuts.weight[copy] = cuts.weight[best.at];
    EXPECT_EQ(best_cut(left, cuts.rules).at, best.at);
    EXPECT_EQ(
        best_cut({left.gradient + best.at + 1, left.weight + best.at + 1, 39 - best.at}, cuts.rules)
            .gain,
        best.gain);
  }
}

TEST_P(CutGains, follow_the_formula_and_the_limits) {
  // Gradients in units of 1/2, hessians in units of 1/4, counts below 2^2.
  const std::vector<std::int64_t> gradient = {2, -3, 4};
  const std::vector<std::int64_t> weight = {1 << 2 | 1, 8 << 2 | 1, 12 << 2 | 2};
  const CutRules rules{.gradient = 5,
                       .weight = 20 << 2 | 3,
                       .count_bits = 2,
                       .gradient_unit = 0.5,
                       .hessian_unit = 0.25,
                       .alpha = 0.5,
                       .lambda = 1,
                       .parent = 0.25,
                       .least_count = 1,
                       .least_hessian = 1};
  std::vector<double> gains = gains_of({gradient.data(), weight.data(), 3}, rules);
  EXPECT_EQ(gains[0], -INFINITY);  // a hessian of 1/4 on the left
  EXPECT_DOUBLE_EQ(gains[1], 1.0 / 3 + 3.5 * 3.5 / 4 - 0.25);
  EXPECT_DOUBLE_EQ(gains[2], 1.5 * 1.5 / 4 + 0.0 / 3 - 0.25);
  CutRules more = rules;
  more.least_count = 2;
  gains = gains_of({gradient.data(), weight.data(), 3}, more);
  EXPECT_EQ(gains[1], -INFINITY);
  EXPECT_EQ(gains[2], -INFINITY);
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, CutGains, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gradus::simd
