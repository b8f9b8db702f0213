#include "gradus/blocks/rules/rule_finder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/core/random.hpp"

namespace gradus {
namespace {

// Runs of plain rules about one column, thresholds or levels, broken by others.
RuleList made_list(std::uint64_t seed) {
  Stream stream(seed);
  RuleList list;
  list.classes = 2;
  for (int block = 0; block < 6; ++block) {
    const auto column = static_cast<std::int32_t>(stream.below(3));
    const std::size_t run = stream.below(20);
    const bool levels = stream.below(2) == 0;
    for (std::size_t i = 0; i < run; ++i) {
      list.feature.push_back(column);
      list.compare.push_back(static_cast<std::uint8_t>(levels ? Compare::equal : Compare::at_most));
      list.value.push_back(levels ? std::round(3 * stream.normal()) : stream.normal() - 1);
      list.begin.push_back(static_cast<std::int32_t>(list.feature.size()));
    }
    for (std::size_t c = 0; c <= stream.below(3); ++c) {
      list.feature.push_back(static_cast<std::int32_t>(stream.below(3)));
      list.compare.push_back(static_cast<std::uint8_t>(stream.below(5)));
      list.value.push_back(std::round(stream.normal()));
    }
    list.begin.push_back(static_cast<std::int32_t>(list.feature.size()));
  }
  return list;
}

TEST(RuleFinder, finds_the_rule_that_asking_all_in_turn_finds) {
  std::size_t halved = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RuleList list = made_list(seed);
    const RuleFinder finder(list);
    Stream stream(seed, 1);
    for (int i = 0; i < 200; ++i) {
      double row[3];
      for (double& x : row) x = stream.below(8) == 0 ? NAN : stream.normal();
      row[0] = std::round(row[0]);      // equal to some thresholds
      row[1] = std::round(3 * row[1]);  // and levels
      const auto number = [&](std::size_t column) { return row[column]; };
      std::size_t expected = 0;
      while (expected < list.size() && !list.holds(expected, number)) ++expected;
      EXPECT_EQ(finder.first(number), expected) << seed;
      halved += expected > 8 ? 1 : 0;
    }
  }
  EXPECT_GT(halved, 100U);
}

TEST(RuleFinder, an_empty_list_leaves_every_row_to_the_default) {
  const RuleList list;
  EXPECT_EQ(RuleFinder(list).first([](std::size_t) { return 1.0; }), 0U);
}

}  // namespace
}  // namespace gradus
