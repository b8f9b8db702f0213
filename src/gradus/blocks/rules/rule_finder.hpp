// The first rule of a list that holds for a row. Many rules in a row that ask one column for a
// number of at most something, or for a level (1R has as many as a column has), are found by
// halving; others are asked one by one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "gradus/blocks/rules/rule_list.hpp"

namespace gradus {

class RuleFinder {
 public:
  // `list` must outlive the finder.
  explicit RuleFinder(const RuleList& list);

  // `number(feature)` is the row's number, NaN where it is missing; list.size() when none holds.
  template <class Number>
  std::size_t first(const Number& number) const {
    for (const Stretch& stretch : stretches_) {
      const std::size_t found =
          stretch.values.empty() ? first_asked(stretch, number) : first_halved(stretch, number);
      if (found < stretch.end) return found;
    }
    return list_.size();
  }

 private:
  // Rules of one kind from `begin` to `end`.
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t feature = 0;
    // Ascending. At most: the largest threshold up to each rule. Equal: the levels that are asked
    // for. Empty: ask one by one.
    std::vector<double> values;
    std::vector<std::size_t> rules;  // equal: the first rule of each level
  };

  template <class Number>
  std::size_t first_halved(const Stretch& stretch, const Number& number) const {
    const double x = number(stretch.feature);
    if (std::isnan(x)) return stretch.end;
    const auto found = std::lower_bound(stretch.values.begin(), stretch.values.end(), x);
    const auto at = static_cast<std::size_t>(found - stretch.values.begin());
    if (stretch.rules.empty()) return stretch.begin + at;
    return found != stretch.values.end() && *found == x ? stretch.rules[at] : stretch.end;
  }

  template <class Number>
  std::size_t first_asked(const Stretch& stretch, const Number& number) const {
    std::size_t i = stretch.begin;
    while (i < stretch.end && !list_.holds(i, number)) ++i;
    return i;
  }

  void prepare_thresholds(Stretch& stretch) const;
  void prepare_levels(Stretch& stretch) const;

  const RuleList& list_;
  std::vector<Stretch> stretches_;
};

// What a model that is a list of rules answers with.
class CompiledRules {
 public:
  // `list` must outlive it.
  explicit CompiledRules(const RuleList& list) : list_(list), finder_(list) {}
  void predict(const RowBlock& rows, double* out) const;

 private:
  const RuleList& list_;
  RuleFinder finder_;
};

}  // namespace gradus
