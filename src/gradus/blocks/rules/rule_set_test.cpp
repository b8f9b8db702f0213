#include "gradus/blocks/rules/rule_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/blocks/rules/ranked_rule.hpp"
#include "gradus/core/random.hpp"

namespace gradus {
namespace {

using ::testing::ElementsAreArray;

constexpr std::size_t kRows = 150;  // not a multiple of 64

// A column of numbers and one of four levels, some of both missing.
RankedTable made_table(std::vector<std::vector<double>>& values) {
  Stream stream(5);
  values.assign(2, std::vector<double>(kRows));
  for (std::size_t i = 0; i < kRows; ++i) {
    values[0][i] = stream.below(10) == 0 ? NAN : std::round(4 * stream.normal());
    values[1][i] = stream.below(10) == 0 ? NAN : static_cast<double>(stream.below(4));
  }
  return RankedTable({ranked_numbers(values[0]), ranked_levels(values[1], 4)});
}

TEST(RankedCondition, says_what_the_condition_says_about_the_value) {
  std::vector<std::vector<double>> values;
  const RankedTable table = made_table(values);
  for (const std::size_t column : {0U, 1U}) {
    for (const Compare compare :
         {Compare::at_most, Compare::above, Compare::equal, Compare::not_equal, Compare::missing}) {
      const bool by_order = compare == Compare::at_most || compare == Compare::above;
      if (column == 1 && by_order) continue;  // levels have no order
      for (const double value : {-100.0, -3.0, -0.5, 0.0, 2.0, 3.0, 100.0}) {
        if (column == 1 && (value < 0 || value > 3)) continue;
        const RuleCondition condition{column, compare, value};
        const RankedCondition ranked(condition, table);
        for (std::size_t row = 0; row < kRows; ++row) {
          EXPECT_EQ(ranked.holds(row), condition.holds(values[column][row]))
              << column << ' ' << static_cast<int>(compare) << ' ' << value;
        }
      }
    }
  }
}

TEST(RuleSet, judges_a_changed_set_as_if_it_were_made_anew) {
  std::vector<std::vector<double>> values;
  const RankedTable table = made_table(values);
  const std::vector<RowIndices> by_rank = rows_by_rank(table, {});
  std::vector<std::uint8_t> inside(kRows);
  std::vector<double> weights(kRows);
  RowIndices rows;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    inside[i] = values[0][i] > 1 ? 1 : 0;
    weights[i] = 1 + i % 3;
    if (i % 7 != 0) rows.push_back(i);
  }
  const RuleRows data{table, by_rank, inside, weights};
  const std::vector<Rule> rules = {{{0, Compare::above, 5}},
                                   {{0, Compare::above, 0}, {1, Compare::equal, 2}},
                                   {{1, Compare::equal, 1}}};
  const Rule other = {{0, Compare::above, 2}};
  const auto set_of = [&](const std::vector<Rule>& some) {
    RuleSet set(data, rows);
    for (const Rule& rule : some) set.add(rule);
    return set;
  };
  RuleSet set = set_of(rules);
  RowIndices rest = rows;
  for (const Rule& rule : rules) rest = not_covered(rule, table, rest);
  EXPECT_THAT(set.left(), ElementsAreArray(rest));
  EXPECT_THAT(set.left_without(1), ElementsAreArray(set_of({rules[0], rules[2]}).left()));
  EXPECT_EQ(set.bits_without(1), set_of({rules[0], rules[2]}).bits());
  EXPECT_EQ(set.bits_with(1, other), set_of({rules[0], other, rules[2]}).bits());
  EXPECT_NE(set.bits_with(1, other), set.bits());
  set.replace(1, other);
  set.erase(0);
  EXPECT_EQ(set.bits(), set_of({other, rules[2]}).bits());
  EXPECT_THAT(set.left(), ElementsAreArray(set_of({other, rules[2]}).left()));
}

TEST(RowsByRank, lists_the_rows_that_have_a_value_in_its_order) {
  std::vector<std::vector<double>> values;
  const RankedTable table = made_table(values);
  const std::vector<RowIndices> by_rank = rows_by_rank(table, {});
  ASSERT_EQ(by_rank.size(), 2U);
  for (std::size_t j = 0; j < 2; ++j) {
    const auto missing =
        std::count_if(values[j].begin(), values[j].end(), [](double x) { return std::isnan(x); });
    EXPECT_EQ(by_rank[j].size() + static_cast<std::size_t>(missing), kRows);
    for (std::size_t i = 1; i < by_rank[j].size(); ++i) {
      EXPECT_LE(values[j][by_rank[j][i - 1]], values[j][by_rank[j][i]]);
    }
  }
}

}  // namespace
}  // namespace gradus
