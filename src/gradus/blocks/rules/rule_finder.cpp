#include "gradus/blocks/rules/rule_finder.hpp"

#include "gradus/blocks/impurity/impurity.hpp"

namespace gradus {
namespace {

// Rules from which halving is worth its preparation.
constexpr std::size_t kManyRules = 8;

bool is_simple(const RuleList& list, std::size_t rule) {
  const auto at = static_cast<std::size_t>(list.begin[rule]);
  return list.begin[rule + 1] == list.begin[rule] + 1 &&
         list.compare[at] == static_cast<std::uint8_t>(Compare::at_most);
}

std::int32_t column_of(const RuleList& list, std::size_t rule) {
  return list.feature[static_cast<std::size_t>(list.begin[rule])];
}

}  // namespace

RuleFinder::RuleFinder(const RuleList& list) : list_(list) {
  for (std::size_t begin = 0; begin < list.size();) {
    std::size_t end = begin;
    while (end < list.size() && is_simple(list, end) &&
           column_of(list, end) == column_of(list, begin)) {
      ++end;
    }
    Stretch stretch{begin, end, 0, {}};
    if (end - begin >= kManyRules) {
      stretch.feature = static_cast<std::size_t>(column_of(list, begin));
      for (std::size_t rule = begin; rule < end; ++rule) {
        const double threshold = list.value[static_cast<std::size_t>(list.begin[rule])];
        stretch.reach.push_back(rule == begin ? threshold
                                              : std::max(threshold, stretch.reach.back()));
      }
    } else {
      stretch.end = std::max(end, begin + 1);
    }
    begin = stretch.end;
    const bool asked = stretch.reach.empty();
    if (asked && !stretches_.empty() && stretches_.back().reach.empty()) {
      stretches_.back().end = stretch.end;  // asked one by one like those before
    } else {
      stretches_.push_back(std::move(stretch));
    }
  }
}

void CompiledRules::predict(const RowBlock& rows, double* out) const {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::span<const double> row = rows.row(i);
    const std::size_t rule = finder_.first([&](std::size_t column) { return row[column]; });
    const std::span<const double> answer = list_.counts_of(rule);
    const double total = total_of(answer);
    for (const double count : answer) *out++ = count / total;
  }
}

}  // namespace gradus
