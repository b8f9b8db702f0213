// Growing and pruning one rule for one class, and the bits that a set of rules costs.
//
// A rule grows by the condition with the largest gain of FOIL, p₁ (log₂ p₁/(p₁+n₁) − log₂
// p₀/(p₀+n₀)), p and n being the weight inside and outside of the class that it covers before and
// after, until it covers no other class. It is pruned on other rows: its last conditions go as long
// as (p − n)/(p + n) does not fall. (Cohen: "Fast effective rule induction", 1995; Fürnkranz and
// Widmer's IREP.)
//
// The bits of a set of rules are those that say its conditions and those that name its exceptions
// (Quinlan 1995).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/rules/rule_list.hpp"

namespace gradus {

using RowIndices = std::vector<std::uint32_t>;

// The rows of a two-class question: inside the class or not.
struct RuleRows {
  const RankedTable& table;
  std::span<const RowIndices> by_rank;   // for each column, from rows_by_rank
  std::span<const std::uint8_t> inside;  // by row of the table
  std::span<const double> weights;       // by row of the table
};

// For each column the rows that have a value there, in the order of their ranks.
std::vector<RowIndices> rows_by_rank(const RankedTable& table, const Context& context);

struct Coverage {
  double inside = 0;
  double outside = 0;
  double total() const { return inside + outside; }
};

Coverage coverage(const RuleRows& data, std::span<const std::uint32_t> rows);
RowIndices covered(const Rule& rule, const RankedTable& table, std::span<const std::uint32_t> rows);
RowIndices not_covered(const Rule& rule, const RankedTable& table,
                       std::span<const std::uint32_t> rows);

// A condition that was judged while a rule grew.
struct TriedCondition {
  RuleCondition condition;
  Coverage after;
  double gain = 0;
};

// What is told of the making of a rule: for explanations.
struct RuleWatch {
  // What could be added to a rule that covers `before`; `taken` was, null: nothing gains.
  std::function<void(const Coverage& before, std::span<const TriedCondition> tried,
                     const RuleCondition* taken)>
      grown = {};
  // What the first 0, 1, … conditions of a grown rule are worth, and how many stay.
  std::function<void(const Rule& rule, std::span<const double> worth, std::size_t kept)> pruned =
      {};
};

// Adds conditions to `rule` until it covers no other class or nothing is gained.
void grow_rule(const RuleRows& data, std::span<const std::uint32_t> rows, Rule& rule,
               const RuleWatch* watch = nullptr);

// What a pruned rule is judged by on the rows that it was not grown from.
enum class RuleWorth : std::uint8_t {
  precision,  // (p − n)/(p + n) of the rows that it covers
  accuracy    // (p + what is left out rightly): for a rule that works with others
};

// Cuts the last conditions off.
void prune_rule(const RuleRows& data, std::span<const std::uint32_t> rows, RuleWorth worth,
                Rule& rule, const RuleWatch* watch = nullptr);

// The number of conditions that could be made.
double possible_conditions(const RankedTable& table);
double theory_bits(const Rule& rule, double possible);
// Which rows a set of rules covers wrongly, and which of the rest it leaves out wrongly.
double exception_bits(const Coverage& said, const Coverage& rest);

}  // namespace gradus
