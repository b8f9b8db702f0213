// An ordered list of rules: the first whose conditions all hold answers, the last always does.
//
//   IF petal_width <= 0.6 THEN setosa
//   IF petal_width > 1.6 AND sepal_length > 6 THEN virginica
//   ELSE versicolor
//
// A condition compares a number with a threshold, a category with a level, or asks whether the
// value is missing; every other condition about a missing value fails. A rule answers with the
// class shares of the training rows that came to it, so its class is their majority.
//
//   RuleList list = answered(rules, data, weights);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gradus/blocks/splitter/ranked_table.hpp"
#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/value.hpp"

namespace gradus {

class Trace;

enum class Compare : std::uint8_t { at_most, above, equal, not_equal, missing };

struct RuleCondition {
  std::size_t feature = 0;
  Compare compare = Compare::at_most;
  double value = 0;  // the threshold or the code of the level

  bool holds(double x) const;
  bool operator==(const RuleCondition& other) const = default;
};

using Rule = std::vector<RuleCondition>;

// Rules as flat arrays: what a model keeps. Rule i has the conditions [begin[i], begin[i + 1]); the
// counts behind the last rule are those of the default.
struct RuleList {
  std::int32_t classes = 0;
  std::vector<std::int32_t> begin = {0};
  std::vector<std::int32_t> feature;
  std::vector<std::uint8_t> compare;
  std::vector<double> value;
  std::vector<double> counts;  // (rules + 1) x classes

  template <class T = RuleList>
  static constexpr auto describe() {
    return Members{field(&T::classes, 1, "classes"), field(&T::begin, 2, "begin"),
                   field(&T::feature, 3, "feature"), field(&T::compare, 4, "compare"),
                   field(&T::value, 5, "value"),     field(&T::counts, 6, "counts")};
  }

  std::size_t size() const { return begin.size() - 1; }
  Rule rule(std::size_t i) const;
  std::span<const double> counts_of(std::size_t i) const {
    const auto k = static_cast<std::size_t>(classes);
    return {counts.data() + i * k, k};
  }
  // Whether all conditions of a rule hold; `number(feature)` is NaN where it is missing.
  template <class Number>
  bool holds(std::size_t rule, const Number& number) const {
    for (std::int32_t at = begin[rule]; at < begin[rule + 1]; ++at) {
      const auto c = static_cast<std::size_t>(at);
      const RuleCondition condition{0, static_cast<Compare>(compare[c]), value[c]};
      if (!condition.holds(number(static_cast<std::size_t>(feature[c])))) return false;
    }
    return true;
  }

  // Error{bad_data} unless every index is in range and every rule can answer.
  void check(const Signature& signature) const;
  // The rules as texts with their counts.
  Value fitted(const Signature& signature) const;
  // Which rules fail for a row, and the one that answers.
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

struct RuleData {
  const RankedTable& table;
  std::span<const std::int32_t> codes;
  std::span<const double> weights;
  std::size_t classes = 0;
};

// The list with its counts; rules that no row comes to are left out. Where no row is left for the
// default, it answers with the counts of all rows.
RuleList answered(std::span<const Rule> rules, const RuleData& data);

std::string condition_text(const RuleCondition& condition, const Signature& signature);
std::string rule_text(const Rule& rule, const Signature& signature);  // "a <= 1 AND b = x"; "true"

}  // namespace gradus
