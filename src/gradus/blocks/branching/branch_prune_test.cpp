#include "gradus/blocks/branching/branch_prune.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/blocks/branching/branch_words.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// PlayTennis with its attributes as codes: rows 0-13 are the training rows, 14-19 the validation
// rows of the worked example. Outlook: 0 overcast, 1 rain, 2 sunny; humidity: 0 high, 1 normal;
// wind: 0 strong, 1 weak; class: 0 no, 1 yes.
const std::vector<double> kOutlook = {2, 2, 0, 1, 1, 1, 0, 2, 2, 1, 2, 0, 0, 1, 2, 2, 0, 1, 1, 2};
const std::vector<double> kHumidity = {0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0};
const std::vector<double> kWind = {1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0};
const std::vector<std::int32_t> kPlay = {0, 0, 1, 1, 1, 0, 1, 0, 1, 1,
                                         1, 1, 1, 0, 1, 0, 1, 1, 0, 0};

RankedTable tennis() {
  return RankedTable(
      {ranked_levels(kOutlook, 3), ranked_levels(kHumidity, 2), ranked_levels(kWind, 2)});
}

std::vector<double> weights_of_rows(std::size_t begin, std::size_t end) {
  std::vector<double> weights(kPlay.size(), 0.0);
  for (std::size_t row = begin; row < end; ++row) weights[row] = 1;
  return weights;
}

BranchTree grown(const RankedTable& table) {
  BranchOptions options;
  options.limits.measure = BranchMeasure::gain;
  options.limits.min_weight = 1;
  return grow_branches({table, kPlay, 2}, weights_of_rows(0, 14), options, {});
}

TEST(ReducedError, cuts_the_best_node_of_the_worked_example_and_stops_when_it_would_hurt) {
  const RankedTable table = tennis();
  const BranchTree tree = grown(table);
  ASSERT_EQ(tree.leaves(), 5U);
  std::vector<ReducedErrorEvent> events;
  const ReducedErrorResult result =
      prune_reduced_error(tree, table, rows_with_weight(kPlay, weights_of_rows(14, 20)),
                          [&](const ReducedErrorEvent& event) { events.push_back(event); });
  // Children of the root by level: overcast, rain (wind), sunny (humidity).
  const std::size_t rain = tree.child(0, 1);
  const std::size_t sunny = tree.child(0, 2);
  const auto accuracy = [&](std::size_t pass, std::size_t node) {
    for (const auto& [candidate, value] : events[pass].candidates) {
      if (candidate == node) return value;
    }
    throw Error(ErrorKind::internal, "", "no such candidate");
  };
  ASSERT_EQ(events.size(), 2U);
  EXPECT_NEAR(events[0].before, 4.0 / 6, 1e-12);
  EXPECT_NEAR(accuracy(0, sunny), 5.0 / 6, 1e-12);
  EXPECT_NEAR(accuracy(0, rain), 0.5, 1e-12);
  EXPECT_NEAR(accuracy(0, 0), 0.5, 1e-12);
  EXPECT_EQ(events[0].cut, sunny);
  EXPECT_NEAR(accuracy(1, rain), 4.0 / 6, 1e-12);
  EXPECT_NEAR(accuracy(1, 0), 0.5, 1e-12);
  EXPECT_FALSE(events[1].cut.has_value());
  EXPECT_EQ(result.tree.leaves(), 4U);
  ASSERT_EQ(result.curve.size(), 4U);
  EXPECT_EQ(result.curve[0].leaves, 5U);
  EXPECT_NEAR(result.curve[0].training_accuracy, 1, 1e-12);
  EXPECT_NEAR(result.curve[1].validation_accuracy, 5.0 / 6, 1e-12);
  EXPECT_EQ(result.curve[3].leaves, 1U);
  EXPECT_NEAR(result.curve[3].training_accuracy, 9.0 / 14, 1e-12);
}

TEST(Pessimistic, charges_what_the_confidence_limit_says) {
  EXPECT_NEAR(pessimistic_extra(6, 0, 0.25), 6 * 0.206, 5e-3);  // U(0, 6) of Quinlan's table
  EXPECT_NEAR(pessimistic_extra(9, 0, 0.25), 9 * 0.143, 5e-3);
  EXPECT_NEAR(pessimistic_extra(1, 0, 0.25), 0.75, 1e-12);
  EXPECT_NEAR(pessimistic_extra(16, 1, 0.25), 1.4757, 1e-3);
  EXPECT_EQ(pessimistic_extra(2, 2, 0.25), 0);
  EXPECT_GT(pessimistic_extra(100, 5, 0.01), pessimistic_extra(100, 5, 0.25));
}

TEST(Pessimistic, leaves_a_tree_of_pure_leaves_that_pays) {
  const RankedTable table = tennis();
  const BranchTree tree = grown(table);
  const BranchTree pruned = prune_pessimistically(
      tree, table, rows_with_weight(kPlay, weights_of_rows(0, 14)), {.confidence = 0.25});
  EXPECT_EQ(pruned.leaves(), 5U);
}

TEST(DescriptionLength, is_shorter_for_a_tree_that_pays_and_prunes_one_that_does_not) {
  std::vector<double> useful;
  std::vector<double> noise;
  std::vector<std::int32_t> codes;
  for (int i = 0; i < 64; ++i) {
    useful.push_back(i / 32);
    noise.push_back(i % 2);
    codes.push_back(i / 32);
  }
  const RankedTable table({ranked_levels(useful, 2), ranked_levels(noise, 2)});
  BranchTree tree = BranchTree::leaf(2);
  const auto counts = [&](std::size_t node, std::vector<double> numbers) {
    tree.set_counts(node, numbers);
  };
  counts(0, {32, 32});
  const double as_leaf = description_bits(tree, table);
  const std::size_t first = tree.split(0, {.feature = 0, .branches = 2, .of_level = {0, 1}});
  counts(first, {32, 0});
  counts(first + 1, {0, 32});
  EXPECT_LT(description_bits(tree, table), as_leaf);
  const std::size_t more = tree.split(first, {.feature = 1, .branches = 2, .of_level = {0, 1}});
  counts(more, {16, 0});
  counts(more + 1, {16, 0});
  EXPECT_EQ(prune_by_description(tree, table, {}).nodes(), 3U);
}

TEST(BranchTree, a_hundred_thousand_levels_are_walked_pruned_and_checked_without_recursion) {
  constexpr std::size_t kLevels = 100000;
  BranchTree tree = BranchTree::leaf(2);
  std::size_t node = 0;
  for (std::size_t level = 0; level < kLevels; ++level) {
    const double rows = static_cast<double>(kLevels - level);
    tree.set_counts(node, std::vector<double>{rows, 1});
    const std::size_t first =
        tree.split(node, {.feature = 0, .threshold = static_cast<double>(level), .branches = 2});
    tree.set_counts(first, std::vector<double>{1, 0});
    tree.set_counts(first + 1, std::vector<double>{rows - 1, 1});
    node = first + 1;
  }
  EXPECT_EQ(tree.depth(), kLevels);
  tree.check(2, 1);
  const double row[] = {1e9};
  double shares[] = {0, 0};
  tree.add_shares(row, shares);
  EXPECT_EQ(shares[1], 1);
  const RankedTable table({ranked_numbers({1, 2, 3})});
  EXPECT_EQ(prune_by_description(tree, table, {}).nodes(), 1U);
  PessimisticOptions options;
  options.raising = true;
  EXPECT_EQ(prune_pessimistically(tree, table, {}, options).nodes(), 1U);
}

TEST(BranchTree, refuses_what_a_damaged_file_may_say) {
  BranchTree tree = BranchTree::leaf(2);
  tree.set_counts(0, std::vector<double>{2, 2});
  const std::size_t first =
      tree.split(0, {.feature = 0, .threshold = 1, .branches = 2, .of_level = {}});
  tree.set_counts(first, std::vector<double>{2, 0});
  tree.set_counts(first + 1, std::vector<double>{0, 2});
  tree.check(2, 1);
  const auto refuses = [&](auto damage) {
    BranchTree broken = tree;
    damage(broken);
    EXPECT_THROW(broken.check(2, 1), Error);
  };
  refuses([](BranchTree& t) { t.feature[0] = 1; });
  refuses([](BranchTree& t) { t.first_child[0] = 2; });
  refuses([](BranchTree& t) { t.first_child[0] = 0; });
  refuses([](BranchTree& t) { t.branches[0] = 1 << 30; });
  refuses([](BranchTree& t) { t.missing[0] = 2; });
  refuses([](BranchTree& t) { t.table[0] = 0; });
  refuses([](BranchTree& t) { t.threshold[0] = NAN; });
  refuses([](BranchTree& t) { t.counts[0] = -1; });
  refuses([](BranchTree& t) { t.counts.pop_back(); });
}

}  // namespace
}  // namespace gradus
