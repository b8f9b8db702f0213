#include "gradus/blocks/rules/ranked_rule.hpp"

#include <algorithm>

namespace gradus {
namespace {

// The ranks whose numbers are not above `value`.
std::uint32_t ranks_up_to(const RankedColumn& column, double value) {
  if (column.nominal) return static_cast<std::uint32_t>(std::max(0.0, value + 1));
  const auto beyond = std::upper_bound(column.values.begin(), column.values.end(), value);
  return static_cast<std::uint32_t>(beyond - column.values.begin());
}

}  // namespace

RankedCondition::RankedCondition(const RuleCondition& condition, const RankedTable& table) {
  const RankedColumn& column = table.column(condition.feature);
  const auto ranks = static_cast<std::uint32_t>(column.ranks);  // and that of a missing value
  rank_ = column.rank.data();
  const std::uint32_t up_to = std::min(ranks, ranks_up_to(column, condition.value));
  switch (condition.compare) {
    case Compare::at_most: count_ = up_to; break;
    case Compare::above:
      first_ = up_to;
      count_ = ranks - up_to;
      break;
    case Compare::equal:
    case Compare::not_equal: {
      // The rank of the value itself, if some row may have it.
      const bool known =
          up_to > 0 && (column.nominal || column.values[up_to - 1] == condition.value);
      if (condition.compare == Compare::equal) {
        first_ = known ? up_to - 1 : 0;
        count_ = known ? 1 : 0;
      } else {
        count_ = ranks;
        if (known) excluded_ = up_to - 1;
      }
      break;
    }
    default: first_ = ranks; count_ = 1;
  }
}

RankedRule::RankedRule(const Rule& rule, const RankedTable& table) {
  conditions_.reserve(rule.size());
  for (const RuleCondition& condition : rule) conditions_.emplace_back(condition, table);
}

}  // namespace gradus
