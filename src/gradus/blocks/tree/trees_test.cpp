#include "gradus/blocks/tree/trees.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradus/blocks/tree/between.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// x0 <= 1 ? (x1 in {0, 33} ? 10 : 20) : 30; missing goes right, then left.
Trees small_tree() {
  Trees trees;
  trees.begin_tree();
  const std::size_t yes = trees.split(0, {.feature = 0, .threshold = 1});
  trees.set_value(yes + 1, std::vector<double>{30});
  const std::size_t inner = trees.split(yes, {.feature = 1, .missing_left = true, .set = {1U, 2U}});
  trees.set_value(inner, std::vector<double>{10});
  trees.set_value(inner + 1, std::vector<double>{20});
  return trees;
}

double answer(const Trees& trees, std::vector<double> row) {
  double out = 0;
  trees.add_values({row.data(), 1, row.size()}, 1, &out);
  return out;
}

// A random tree of numeric questions over `features` columns.
void add_random_tree(Trees& trees, std::size_t splits, std::size_t features, Stream& stream) {
  std::vector<std::size_t> leaves = {trees.begin_tree()};
  for (std::size_t i = 0; i < splits; ++i) {
    const std::size_t at = stream.below(leaves.size());
    const std::size_t yes = trees.split(leaves[at], {.feature = stream.below(features),
                                                     .threshold = stream.normal(),
                                                     .missing_left = stream.below(2) == 1});
    leaves[at] = yes;
    leaves.push_back(yes + 1);
  }
  for (const std::size_t leaf : leaves) trees.set_value(leaf, std::vector<double>{stream.normal()});
}

TEST(Between, separates_neighbours_and_extremes) {
  const double next = std::nextafter(1.0, 2.0);
  EXPECT_EQ(between(1.0, next), 1.0);
  EXPECT_EQ(between(-1.7e308, 1.7e308), 0);
  EXPECT_EQ(between(0, 5e-324), 0);
  EXPECT_EQ(between(2, 3), 2.5);
}

TEST(Trees, a_row_follows_thresholds_sets_and_missing_directions) {
  const Trees trees = small_tree();
  EXPECT_EQ(answer(trees, {1, 0}), 10);
  EXPECT_EQ(answer(trees, {1, 33}), 10);
  EXPECT_EQ(answer(trees, {0, 5}), 20);
  EXPECT_EQ(answer(trees, {0, 64}), 20);  // beyond the set
  EXPECT_EQ(answer(trees, {0, kNaN}), 10);
  EXPECT_EQ(answer(trees, {1.5, 0}), 30);
  EXPECT_EQ(answer(trees, {kNaN, 0}), 30);
  EXPECT_EQ(trees.depth(0), 2U);
  EXPECT_EQ(trees.leaves(0), 3U);
}

TEST(Trees, batches_and_single_rows_give_the_sum_of_plain_walks) {
  Stream stream(3);
  Trees trees;
  for (std::size_t t = 0; t < 21; ++t) add_random_tree(trees, t * 3, 5, stream);
  trees.check(5);
  std::vector<double> rows(37 * 5);
  for (double& x : rows) x = stream.below(9) == 0 ? kNaN : stream.normal();
  std::vector<double> batch(37 * 3, 0.0);
  trees.add_values({rows.data(), 37, 5}, 3, batch.data());
  for (std::size_t i = 0; i < 37; ++i) {
    const std::span<const double> row(rows.data() + i * 5, 5);
    std::vector<double> plain(3, 0.0);
    for (std::size_t t = 0; t < trees.count(); ++t) {
      plain[t % 3] += trees.value_of(trees.leaf_of(t, row))[0];
    }
    std::vector<double> single(3, 0.0);
    trees.add_values({row.data(), 1, 5}, 3, single.data());
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(batch[i * 3 + k], plain[k]);
      EXPECT_EQ(single[k], plain[k]);
    }
  }
}

TEST(Trees, appending_and_cutting_keep_the_answers) {
  Trees both = small_tree();
  both.append(small_tree());
  EXPECT_EQ(both.count(), 2U);
  both.check(2);
  EXPECT_EQ(answer(both, {0, 33}), 20);
  both.cut(1);
  both.check(2);
  EXPECT_EQ(answer(both, {0, 33}), 10);
  EXPECT_EQ(both.sets.size(), 3U);
}

TEST(Trees, a_few_of_many_categories_are_listed_and_answer_as_bits_do) {
  constexpr std::size_t kLevels = 100000;
  std::vector<std::uint32_t> words(kLevels / 32, 0U);
  for (const std::size_t level : {std::size_t{3}, std::size_t{70}, kLevels - 1}) {
    words[level / 32] |= 1U << (level % 32);
  }
  Trees trees;
  trees.begin_tree();
  const std::size_t yes = trees.split(0, {.feature = 0, .set = words});
  trees.set_value(yes, std::vector<double>{1});
  trees.check(1);
  EXPECT_THAT(trees.sets, ElementsAre(Trees::kListed | 3U, 3U, 70U, kLevels - 1));
  EXPECT_EQ(trees.question_of(0).set, words);
  for (std::size_t level = 0; level < kLevels + 40; ++level) {
    const bool in = level == 3 || level == 70 || level == kLevels - 1;
    ASSERT_EQ(answer(trees, {static_cast<double>(level)}), in ? 1 : 0) << level;
  }
  Trees twice = trees;
  twice.append(trees);
  twice.check(1);
  twice.cut(1);
  EXPECT_EQ(twice.sets, trees.sets);
  const auto refused = [&](auto damage) {
    Trees damaged = trees;
    damage(damaged.sets);
    EXPECT_THROW(damaged.check(1), Error);
  };
  refused([](auto& sets) { sets[0] = Trees::kListed | 4U; });
  refused([](auto& sets) { sets[2] = 3U; });
  refused([](auto& sets) { sets[3] = 1U << 30U; });
}

TEST(Trees, many_of_many_categories_are_bits) {
  std::vector<std::uint32_t> words(100, 0x10101U);
  Trees trees;
  trees.begin_tree();
  trees.split(0, {.feature = 0, .set = words});
  EXPECT_EQ(trees.sets.size(), 101U);
  EXPECT_EQ(trees.sets.front(), 100U);
}

TEST(Trees, a_chain_of_a_hundred_thousand_levels_needs_no_deep_stack) {
  constexpr std::size_t kLevels = 100000;
  Trees trees;
  std::size_t node = trees.begin_tree();
  for (std::size_t level = 0; level < kLevels; ++level) {
    node = trees.split(node, {.feature = 0, .threshold = -static_cast<double>(level)}) + 0;
  }
  trees.set_value(node, std::vector<double>{7});
  trees.check(1);
  EXPECT_EQ(trees.depth(0), kLevels);
  EXPECT_EQ(answer(trees, {-1e9}), 7);
}

TEST(Trees, damaged_arrays_are_refused) {
  const auto refused = [](auto damage) {
    Trees trees = small_tree();
    trees.append(small_tree());
    damage(trees);
    EXPECT_THROW(trees.check(2), Error);
  };
  small_tree().check(2);
  refused([](Trees& t) { t.left[0] = 99; });
  refused([](Trees& t) { t.left[0] = -1; });
  refused([](Trees& t) { t.left[1] = 1; });  // its own child
  refused([](Trees& t) { t.left[0] = 6; });  // into the next tree
  refused([](Trees& t) { t.left[2] = 3; });  // two branches meet
  refused([](Trees& t) { t.left[1] = 0; });  // orphans
  refused([](Trees& t) { t.feature[0] = 2; });
  refused([](Trees& t) { t.feature[4] = -1; });
  refused([](Trees& t) { t.threshold[0] = kNaN; });
  refused([](Trees& t) { t.value[3] = kNaN; });
  refused([](Trees& t) { t.value.pop_back(); });
  refused([](Trees& t) { t.set[1] = 40; });
  refused([](Trees& t) { t.sets[0] = 40; });
  refused([](Trees& t) { t.roots[1] = 0; });
  refused([](Trees& t) { t.roots.clear(); });
  refused([](Trees& t) { t.width = 0; });
  refused([](Trees& t) { t.missing_left[0] = 2; });
}

TEST(Trees, a_part_of_them_answers_as_it_did) {
  Trees all;
  for (std::uint32_t t = 0; t < 4; ++t) {
    const std::size_t root = all.begin_tree();
    const std::size_t yes = all.split(root, {.feature = 0, .set = {1U << t}});
    const double values[] = {1.0 + t, -1.0 - t};
    all.set_value(yes, {&values[0], 1});
    all.set_value(yes + 1, {&values[1], 1});
  }
  const Trees middle = all.part(1, 3);
  EXPECT_EQ(middle.count(), 2U);
  EXPECT_NO_THROW(middle.check(1));
  for (double code = 0; code < 4; ++code) {
    const RowBlock row{&code, 1, 1};
    double said = 0;
    double expected = 0;
    middle.add_values(row, 1, &said);
    all.add_values_of(1, row, 1, &expected);
    all.add_values_of(2, row, 1, &expected);
    EXPECT_EQ(said, expected);
  }
  EXPECT_EQ(all.part(0, 4).count(), 4U);
  EXPECT_EQ(all.part(2, 2).count(), 0U);
}

}  // namespace
}  // namespace gradus
