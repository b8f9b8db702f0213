#include "gradus/blocks/rules/rule_finder.hpp"

#include <utility>

#include "gradus/blocks/impurity/impurity.hpp"

namespace gradus {
namespace {

// Rules from which halving is worth its preparation.
constexpr std::size_t kManyRules = 8;

std::size_t condition_of(const RuleList& list, std::size_t rule) {
  return static_cast<std::size_t>(list.begin[rule]);
}

Compare compare_of(const RuleList& list, std::size_t rule) {
  return static_cast<Compare>(list.compare[condition_of(list, rule)]);
}

std::int32_t column_of(const RuleList& list, std::size_t rule) {
  return list.feature[condition_of(list, rule)];
}

// One condition of a kind that can be halved.
bool is_simple(const RuleList& list, std::size_t rule) {
  if (list.begin[rule + 1] != list.begin[rule] + 1) return false;
  const Compare compare = compare_of(list, rule);
  return compare == Compare::at_most || compare == Compare::equal;
}

// Behind the rules from `begin` on that ask one column in one way.
std::size_t end_of_run(const RuleList& list, std::size_t begin) {
  std::size_t end = begin;
  while (end < list.size() && is_simple(list, end) &&
         column_of(list, end) == column_of(list, begin) &&
         compare_of(list, end) == compare_of(list, begin)) {
    ++end;
  }
  return end;
}

}  // namespace

void RuleFinder::prepare_thresholds(Stretch& stretch) const {
  for (std::size_t rule = stretch.begin; rule < stretch.end; ++rule) {
    const double threshold = list_.value[condition_of(list_, rule)];
    stretch.values.push_back(stretch.values.empty() ? threshold
                                                    : std::max(threshold, stretch.values.back()));
  }
}

void RuleFinder::prepare_levels(Stretch& stretch) const {
  std::vector<std::pair<double, std::size_t>> asked;
  for (std::size_t rule = stretch.begin; rule < stretch.end; ++rule) {
    asked.emplace_back(list_.value[condition_of(list_, rule)], rule);
  }
  std::sort(asked.begin(), asked.end());
  for (const auto& [level, rule] : asked) {
    if (!stretch.values.empty() && stretch.values.back() == level) continue;
    stretch.values.push_back(level);
    stretch.rules.push_back(rule);
  }
}

RuleFinder::RuleFinder(const RuleList& list) : list_(list) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = end_of_run(list, begin);
    Stretch stretch{begin, end, 0, {}, {}};
    if (end - begin >= kManyRules) {
      stretch.feature = static_cast<std::size_t>(column_of(list, begin));
      if (compare_of(list, begin) == Compare::equal) {
        prepare_levels(stretch);
      } else {
        prepare_thresholds(stretch);
      }
    } else {
      stretch.end = std::max(end, begin + 1);
    }
    begin = stretch.end;
    const bool asked = stretch.values.empty();
    if (asked && !stretches_.empty() && stretches_.back().values.empty()) {
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
