#include "gradus/blocks/splitter/number_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

void expect_the_order_of_a_stable_sort(const std::vector<double>& numbers) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (!std::isnan(numbers[row])) rows.push_back(static_cast<std::uint32_t>(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return numbers[a] < numbers[b]; });
  const NumberOrder order(numbers);
  ASSERT_EQ(order.size(), rows.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    different += order.row(i) != rows[i] || order.number(i) != numbers[rows[i]];
  }
  EXPECT_EQ(different, 0U);
}

std::vector<double> made(std::size_t count, auto&& number) {
  Stream stream(7);
  std::vector<double> out(count);
  for (double& x : out) x = number(stream.uniform());
  return out;
}

// Few numbers are compared, many are sorted by their digits.
constexpr std::size_t kSizes[] = {1, 2, 1000, 5000, 70000};

TEST(NumberOrder, is_that_of_a_stable_sort) {
  for (const std::size_t size : kSizes) {
    expect_the_order_of_a_stable_sort(made(size, [](double u) { return u - 0.5; }));
    expect_the_order_of_a_stable_sort(made(size, [](double u) { return std::exp(40 * u - 20); }));
    expect_the_order_of_a_stable_sort(made(size, [](double u) { return std::floor(9 * u) - 4; }));
    expect_the_order_of_a_stable_sort(made(size, [](double) { return 3.25; }));
  }
}

TEST(NumberOrder, tells_numbers_apart_that_differ_in_their_last_bits) {
  for (const std::size_t size : kSizes) {
    std::vector<double> numbers = made(size, [](double u) {
      return 1 + std::floor(1000 * u) * std::numeric_limits<double>::epsilon();
    });
    expect_the_order_of_a_stable_sort(numbers);
    // With one far away, the bits that fit beside a row say nothing about the others.
    numbers[size / 2] = -1e300;
    expect_the_order_of_a_stable_sort(numbers);
  }
}

TEST(NumberOrder, leaves_out_what_is_missing_and_takes_what_is_infinite) {
  for (const std::size_t size : kSizes) {
    expect_the_order_of_a_stable_sort(made(size, [](double u) {
      if (u < 0.1) return std::numeric_limits<double>::quiet_NaN();
      if (u < 0.2) return std::numeric_limits<double>::infinity();
      return u < 0.3 ? -std::numeric_limits<double>::infinity() : u;
    }));
    EXPECT_EQ(NumberOrder(std::vector<double>(size, std::nan(""))).size(), 0U);
  }
  EXPECT_EQ(NumberOrder({}).size(), 0U);
}

TEST(NumberOrder, both_zeros_are_one_number) {
  const std::vector<double> numbers = {0.0, -0.0, -1.0, 0.0, -0.0};
  expect_the_order_of_a_stable_sort(numbers);
  const NumberOrder order(numbers);
  for (std::size_t i = 1; i < numbers.size(); ++i) EXPECT_FALSE(std::signbit(order.number(i)));
}

}  // namespace
}  // namespace gradus
