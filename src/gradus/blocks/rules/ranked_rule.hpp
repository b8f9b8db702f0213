// A rule about the ranks of a table: every condition becomes a range of ranks, so that a row is
// asked by comparing whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gradus/blocks/rules/rule_list.hpp"
#include "gradus/blocks/splitter/ranked_table.hpp"

namespace gradus {

class RankedCondition {
 public:
  RankedCondition(const RuleCondition& condition, const RankedTable& table);

  bool holds(std::size_t row) const {
    const std::uint32_t rank = rank_[row];
    // A rank below `first_` wraps round to a large number.
    return rank - first_ < count_ && rank != excluded_;
  }

 private:
  const std::uint32_t* rank_;  // of every row
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t excluded_ = std::numeric_limits<std::uint32_t>::max();
};

class RankedRule {
 public:
  RankedRule(const Rule& rule, const RankedTable& table);

  bool covers(std::size_t row) const {
    for (const RankedCondition& condition : conditions_) {
      if (!condition.holds(row)) return false;
    }
    return true;
  }

 private:
  std::vector<RankedCondition> conditions_;
};

}  // namespace gradus
