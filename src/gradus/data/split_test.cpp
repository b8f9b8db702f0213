#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus {
namespace {

Dataset table(std::size_t rows) {
  std::vector<double> x(rows);
  std::iota(x.begin(), x.end(), 0.0);
  std::vector<std::int32_t> codes(rows);
  for (std::size_t i = 0; i < rows; ++i) codes[i] = i % 10 == 0 ? 1 : 0;
  return Dataset({Column::numeric("x", x), Column::nominal("t", codes, {"no", "yes"})});
}

std::vector<double> values(const Dataset& data) {
  std::vector<double> all;
  for (std::size_t row = 0; row < data.rows(); ++row) all.push_back(data.column("x").number(row));
  return all;
}

TEST(Split, both_parts_together_are_the_table) {
  const Split parts = split(table(101), {.test = 0.3, .seed = 5});
  EXPECT_EQ(parts.test.rows(), 30U);
  std::vector<double> all = values(parts.train);
  const std::vector<double> test = values(parts.test);
  EXPECT_TRUE(std::is_sorted(test.begin(), test.end()));
  all.insert(all.end(), test.begin(), test.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, values(table(101)));
}

TEST(Split, the_seed_alone_decides) {
  EXPECT_EQ(values(split(table(50), {.seed = 1}).test), values(split(table(50), {.seed = 1}).test));
  EXPECT_NE(values(split(table(50), {.seed = 1}).test), values(split(table(50), {.seed = 2}).test));
}

TEST(Split, every_row_is_equally_likely_to_be_a_test_row) {
  std::vector<int> hits(20, 0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    for (const double x : values(split(table(20), {.test = 0.25, .seed = seed}).test)) {
      ++hits[static_cast<std::size_t>(x)];
    }
  }
  // 2000 draws at 0.25: mean 500, standard deviation about 19.4; five of them allowed.
  for (const int count : hits) EXPECT_NEAR(count, 500, 97);
}

TEST(Split, stratified_parts_keep_the_class_shares) {
  const Split parts = split(table(200), {.test = 0.25, .seed = 3, .stratify = "t"});
  const auto yes = [](const Dataset& data) {
    std::size_t count = 0;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      count += data.column("t").text_at(row) == "yes" ? 1U : 0U;
    }
    return count;
  };
  EXPECT_EQ(parts.test.rows(), 50U);
  EXPECT_EQ(yes(parts.test), 5U);
  EXPECT_EQ(yes(parts.train), 15U);
}

TEST(Split, an_empty_part_or_a_wrong_share_is_a_named_error) {
  for (const double share : {0.0, 1.0, -1.0, std::nan("")}) {
    EXPECT_THROW(split(table(10), {.test = share}), Error);
  }
  EXPECT_THROW(split(table(1), {.test = 0.5}), Error);
  EXPECT_THROW(split(table(10), {.test = 0.01}), Error);
  EXPECT_THROW(split(table(10), {.stratify = "x"}), Error);
  EXPECT_THROW(split(table(10), {.stratify = "absent"}), Error);
  EXPECT_EQ(split(table(2), {.test = 0.5}).test.rows(), 1U);
}

}  // namespace
}  // namespace gradus
