#include "gradus/simd/class_words.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/gradients.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

constexpr GradientUnits kUnits{8192, 2048};

struct Rows {
  std::vector<double> scores;
  std::vector<std::int32_t> codes;
  std::vector<double> weights;
  std::vector<double> times;
  std::vector<double> active;

  explicit Rows(std::size_t count) {
    Stream stream(7, count);
    for (std::size_t i = 0; i < count; ++i) {
      scores.push_back(i % 50 == 0 ? 800 * stream.normal() : 4 * stream.normal());
      codes.push_back(static_cast<std::int32_t>(stream.below(2)));
      weights.push_back(stream.below(3) == 0 ? 0 : stream.uniform());
      times.push_back(static_cast<double>(stream.below(2)));
      active.push_back(weights.back() * times.back());
    }
  }

  ClassRows view(bool weighed, bool counted) const {
    return {.scores = scores.data(),
            .codes = codes.data(),
            .said = 1,
            .weights = weighed ? weights.data() : nullptr,
            .times = counted ? times.data() : nullptr,
            .active = weighed && counted ? active.data() : nullptr,
            .count = scores.size()};
  }
};

void expect_equal(const GradientSizes& a, const GradientSizes& b) {
  EXPECT_EQ(a.gradient, b.gradient);
  EXPECT_EQ(a.hessian, b.hessian);
  EXPECT_EQ(a.all_gradient, b.all_gradient);
  EXPECT_EQ(a.all_hessian, b.all_hessian);
  EXPECT_EQ(a.gradients, b.gradients);
  EXPECT_EQ(a.hessians, b.hessians);
}

class ClassWords : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

TEST_P(ClassWords, are_the_bytes_of_the_plain_twin) {
  for (const std::size_t count : {0U, 1U, 7U, 8U, 203U, 4096U, 4099U, 9000U}) {
    const Rows rows(count);
    for (const bool weighed : {false, true}) {
      for (const bool counted : {false, true}) {
        const ClassRows view = rows.view(weighed, counted);
        std::vector<std::uint64_t> kept(count);
        std::vector<std::uint64_t> plain(count);
        expect_equal(class_sizes(view, kept.data()), scalar::class_sizes(view, plain.data()));
        EXPECT_EQ(kept, plain);
        class_words(view, kUnits, kept.data());
        scalar::class_words(view, kUnits, plain.data());
        EXPECT_EQ(kept, plain);
        EXPECT_EQ(class_loss(view), scalar::class_loss(view));
      }
    }
  }
}

// The definition, step by step.
TEST_P(ClassWords, are_those_of_the_gradients_of_the_probabilities) {
  const Rows rows(203);
  const ClassRows view = rows.view(true, false);
  std::vector<double> p(203);
  std::vector<double> g(203);
  std::vector<double> h(203);
  logistic(view.scores, 203, p.data());
  class_gradients(p.data(), view.codes, 1, {view.weights}, 203, g.data(), h.data());
  std::vector<std::uint64_t> expected(203);
  gradient_words({g.data(), h.data(), nullptr, 203}, kUnits, expected.data());

  std::vector<std::uint64_t> kept(203);
  expect_equal(class_sizes(view, kept.data()), gradient_sizes({g.data(), h.data(), nullptr, 203}));
  for (std::size_t i = 0; i < 203; ++i) EXPECT_EQ(std::bit_cast<double>(kept[i]), p[i]);
  class_words(view, kUnits, kept.data());
  EXPECT_EQ(kept, expected);
}

TEST_P(ClassWords, give_the_sum_of_the_losses) {
  for (const std::size_t count : {1U, 203U, 20000U}) {
    const Rows rows(count);
    double expected = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double margin = rows.codes[i] == 1 ? rows.scores[i] : -rows.scores[i];
      expected += std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
    }
    // Below the rounding of 1 nothing is seen of a loss.
    const double tolerance = 1e-12 * expected + 1e-15 * static_cast<double>(count);
    EXPECT_NEAR(class_loss(rows.view(false, false)), expected, tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, ClassWords, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gradus::simd
