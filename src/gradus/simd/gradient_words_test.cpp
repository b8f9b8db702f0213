#include "gradus/simd/gradient_words.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/simd/targets.hpp"

namespace gradus::simd {
namespace {

constexpr GradientUnits kUnits{8192, 2048};  // of gradients and hessians below 1

struct Rows {
  std::vector<double> g;
  std::vector<double> h;
  std::vector<double> weight = {};

  GradientRows all() const {
    return {g.data(), h.data(), weight.empty() ? nullptr : weight.data(), g.size()};
  }
};

Rows rows_of_chance(std::size_t count, bool weighed = false) {
  Stream stream(9, count);
  Rows out;
  for (std::size_t i = 0; i < count; ++i) {
    out.g.push_back(stream.below(5) == 0 ? 0 : 2 * stream.uniform() - 1);
    out.h.push_back(stream.below(5) == 0 ? 0 : stream.uniform() * stream.uniform());
    if (weighed) out.weight.push_back(stream.below(3) == 0 ? 0 : stream.uniform());
  }
  return out;
}

std::vector<std::uint64_t> words_of(const Rows& rows) {
  std::vector<std::uint64_t> words(rows.g.size());
  gradient_words(rows.all(), kUnits, words.data());
  return words;
}

std::uint64_t sum_of_words(const Rows& rows) {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words_of(rows)) sum += word;
  return sum;
}

class GradientWords : public testing::TestWithParam<std::string> {
 protected:
  OnlyTarget only_{GetParam()};
};

TEST_P(GradientWords, are_the_bytes_of_the_plain_twin) {
  for (const std::size_t count : {0U, 1U, 7U, 8U, 203U, 1024U}) {
    for (const bool weighed : {false, true}) {
      const Rows rows = rows_of_chance(count, weighed);
      std::vector<std::uint64_t> plain(count);
      scalar::gradient_words(rows.all(), kUnits, plain.data());
      EXPECT_EQ(words_of(rows), plain);
      const GradientSizes sizes = gradient_sizes(rows.all());
      const GradientSizes twin = scalar::gradient_sizes(rows.all());
      EXPECT_EQ(sizes.gradient, twin.gradient);
      EXPECT_EQ(sizes.hessian, twin.hessian);
      EXPECT_EQ(sizes.all_gradient, twin.all_gradient);
      EXPECT_EQ(sizes.all_hessian, twin.all_hessian);
      EXPECT_EQ(sizes.gradients, twin.gradients);
      EXPECT_EQ(sizes.hessians, twin.hessians);
    }
  }
}

TEST_P(GradientWords, are_as_large_as_what_they_were_made_of) {
  const Rows rows = rows_of_chance(203);
  const GradientSizes sizes = gradient_sizes(rows.all());
  double all_g = 0;
  double most = 0;
  for (const double g : rows.g) {
    all_g += std::abs(g);
    most = std::max(most, std::abs(g));
  }
  EXPECT_EQ(sizes.gradient, most);
  EXPECT_EQ(sizes.hessian, *std::max_element(rows.h.begin(), rows.h.end()));
  EXPECT_NEAR(sizes.all_gradient, all_g, 1e-12);
  EXPECT_EQ(sizes.gradients, 203 - std::count(rows.g.begin(), rows.g.end(), 0.0));
  EXPECT_EQ(sizes.hessians, 203 - std::count(rows.h.begin(), rows.h.end(), 0.0));
}

TEST_P(GradientWords, add_up_to_the_largest_number_of_rows_without_running_over) {
  const double below_one = std::nextafter(1.0, 0.0);
  constexpr std::size_t kCount = GradientWord::kMostTogether;
  for (const double sign : {1.0, -1.0}) {
    const std::uint64_t sum = sum_of_words(
        {std::vector<double>(kCount, sign * below_one), std::vector<double>(kCount, below_one)});
    EXPECT_NEAR(static_cast<double>(GradientWord::gradient(sum)), sign * 8192.0 * 8191, 8191);
    EXPECT_NEAR(static_cast<double>(GradientWord::hessian(sum)), 2048.0 * 8191, 8191);
    EXPECT_EQ(GradientWord::count(sum), kCount);
  }
}

// 0.3 of a unit is rounded up three times of ten, although 0 is always nearer.
TEST_P(GradientWords, lose_nothing_on_average) {
  Stream stream(3);
  Rows rows;
  double gradient = 0;
  double hessian = 0;
  for (int i = 0; i < 8000; ++i) {
    rows.g.push_back((-3.3 + 0.01 * stream.uniform()) / kUnits.gradient);
    rows.h.push_back((7.8 + 0.01 * stream.uniform()) / kUnits.hessian);
    gradient += rows.g.back() * kUnits.gradient;
    hessian += rows.h.back() * kUnits.hessian;
  }
  const std::uint64_t sum = sum_of_words(rows);
  // The rounding of 8000 rows has a standard deviation of at most 0.5 sqrt(8000) = 45.
  EXPECT_NEAR(static_cast<double>(GradientWord::gradient(sum)), gradient, 4 * 45);
  EXPECT_NEAR(static_cast<double>(GradientWord::hessian(sum)), hessian, 4 * 45);
}

TEST_P(GradientWords, keep_whole_units_and_let_no_hessian_vanish) {
  const std::vector<std::uint64_t> words =
      words_of({{-3 / 8192.0, 0, -1e-300, 0}, {5 / 2048.0, 1e-9, 0, 0}});
  EXPECT_EQ(GradientWord::gradient(words[0]), -3);
  EXPECT_EQ(GradientWord::hessian(words[0]), 5U);
  EXPECT_EQ(GradientWord::gradient(words[1]), 0);
  EXPECT_EQ(GradientWord::hessian(words[1]), 1U);
  EXPECT_EQ(words[3], 1U);
}

TEST_P(GradientWords, say_where_a_number_is_not_finite) {
  constexpr double kNone[] = {std::numeric_limits<double>::quiet_NaN(),
                              -std::numeric_limits<double>::infinity()};
  for (const double none : kNone) {
    for (const std::size_t at : {0U, 13U, 20U}) {
      Rows rows = rows_of_chance(21);
      rows.g[at] = none;
      EXPECT_TRUE(std::isnan(gradient_sizes(rows.all()).gradient));
      std::swap(rows.g, rows.h);
      EXPECT_TRUE(std::isnan(gradient_sizes(rows.all()).hessian));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, GradientWords, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace gradus::simd
