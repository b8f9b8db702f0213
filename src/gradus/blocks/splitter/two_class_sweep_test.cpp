#include "gradus/blocks/splitter/two_class_sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

constexpr double kNoFloor = -std::numeric_limits<double>::infinity();

// A column of a node with two classes; weights from 1 to 4.
struct Column {
  KeyLayout layout{.code_bits = 1, .tag_bits = 3};
  std::vector<std::uint32_t> keys;
  ClassNode node{2};
  KeyRange range;

  void finish() {
    const auto [least, most] = std::minmax_element(keys.begin(), keys.end());
    range = {layout.tag_bits, layout.rank(*least), layout.rank(*most)};
    for (const std::uint32_t key : keys) {
      node.counts[layout.code(key)] += layout.whole_weight(key);
    }
    node.sum_up();
  }
};

// The higher the rank, the more often the second class, if `slope` says so.
Column column_of(std::size_t rows, std::uint32_t ranks, double slope, std::uint64_t seed) {
  Stream stream(seed);
  Column out;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto rank = static_cast<std::uint32_t>(stream.below(ranks));
    const double share = 0.5 + slope * (static_cast<double>(rank) / ranks - 0.4);
    const std::uint32_t code = stream.uniform() < share ? 1 : 0;
    const auto weight = static_cast<std::uint32_t>(1 + stream.below(4));
    out.keys.push_back(((100 + rank) << out.layout.tag_bits) | out.layout.tag(code, weight));
  }
  out.finish();
  return out;
}

// Every cut, one after the other.
ClassCut best_of_all(const Column& column, const SideLimits& limits) {
  std::vector<std::uint32_t> sorted = column.keys;
  std::sort(sorted.begin(), sorted.end());
  const KeyLayout& layout = column.layout;
  const ClassNode& node = column.node;
  std::vector<std::uint32_t> left(2, 0);
  ClassCut best;
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    left[layout.code(sorted[i])] += layout.whole_weight(sorted[i]);
    const std::uint32_t rank = layout.rank(sorted[i]);
    const std::uint32_t next = layout.rank(sorted[i + 1]);
    const double weight = left[0] + left[1];
    if (rank == next || i + 1 < limits.rows || sorted.size() - i - 1 < limits.rows ||
        weight < limits.weight || node.weight - weight < limits.weight) {
      continue;
    }
    const std::vector<std::uint32_t> right{node.counts[0] - left[0], node.counts[1] - left[1]};
    const double rest = weight * gini_of_counts(left, weight) +
                        (node.weight - weight) * gini_of_counts(right, node.weight - weight);
    const double gain = node.impurity - rest / node.weight;
    if (gain <= best.gain + 1e-12) continue;
    best = {.found = true, .gain = gain, .rank = rank, .next = next};
    best.missing_left = 2 * (i + 1) >= sorted.size();
  }
  return best;
}

ClassCut found_in(Column column, const SideLimits& limits, double floor = kNoFloor) {
  ClassCut best;
  TwoClassSweep sweep(column.layout);
  sweep.find({column.node, limits, floor}, {column.keys, column.keys.size(), column.range}, best);
  return best;
}

TEST(TwoClassSweep, the_cut_is_the_one_that_reading_all_cuts_finds) {
  SideLimits limits;
  std::uint64_t seed = 0;
  for (const std::size_t rows : {2, 30, 48, 300, 5000}) {
    for (const std::uint32_t ranks : {20U, 400U, 100000U}) {
      for (const double slope : {0.0, 0.1, 0.8}) {
        const Column column = column_of(rows, ranks, slope, ++seed);
        if (column.node.counts[0] == 0 || column.node.counts[1] == 0) continue;
        for (const std::size_t least : {1, 10}) {
          limits.rows = least;
          limits.weight = least == 1 ? 0 : 40;
          const ClassCut expected = best_of_all(column, limits);
          const ClassCut best = found_in(column, limits);
          ASSERT_EQ(best.found, expected.found);
          if (!expected.found) continue;
          EXPECT_NEAR(best.gain, expected.gain, 1e-12);
          EXPECT_EQ(best.rank, expected.rank) << rows << " rows, " << ranks << " ranks, " << slope;
          EXPECT_EQ(best.next, expected.next);
          EXPECT_EQ(best.missing_left, expected.missing_left);
        }
      }
    }
  }
}

TEST(TwoClassSweep, what_gains_less_than_another_column_is_not_looked_for) {
  const SideLimits limits;
  const Column column = column_of(2000, 100000, 0.3, 77);
  const ClassCut expected = best_of_all(column, limits);
  EXPECT_EQ(found_in(column, limits, 0.9 * expected.gain).rank, expected.rank);
  EXPECT_EQ(found_in(column, limits, expected.gain).rank, expected.rank);
  EXPECT_FALSE(found_in(column, limits, 1.1 * expected.gain).found);
}

TEST(TwoClassSweep, the_row_after_the_cut_may_lie_in_a_range_that_was_ruled_out) {
  // Zeros, a wide gap, ones: the best cut is at the end of a range, and the next range is pure.
  Column column;
  for (std::uint32_t i = 0; i < 512; ++i) {
    const std::uint32_t rank = i < 200 ? i : 5000 + 3 * i;
    column.keys.push_back((rank << column.layout.tag_bits) | column.layout.tag(i < 200 ? 0 : 1, 1));
  }
  column.finish();
  const ClassCut best = found_in(column, {});
  EXPECT_EQ(best.rank, 199U);
  EXPECT_EQ(best.next, 5600U);
}

}  // namespace
}  // namespace gradus
