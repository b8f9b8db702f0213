// Rules for one class over given rows, and which rows each of them covers, so that a set with one
// rule more, less or changed is judged without asking all rules again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gradus/blocks/rules/grow_rule.hpp"

namespace gradus {

class RuleSet {
 public:
  RuleSet(const RuleRows& data, const RowIndices& rows);

  const std::vector<Rule>& rules() const { return rules_; }
  std::size_t size() const { return rules_.size(); }
  void add(const Rule& rule);
  void replace(std::size_t i, const Rule& rule);
  void erase(std::size_t i);

  // The rows that no rule covers.
  RowIndices left() const { return rows_of(open(std::nullopt)); }
  // The same without rule i.
  RowIndices left_without(std::size_t i) const { return rows_of(open(i)); }

  // What it takes to say the conditions and the exceptions (grow_rule.hpp).
  double bits() const { return bits_of(std::nullopt, nullptr); }
  double bits_without(std::size_t i) const { return bits_of(i, nullptr); }
  double bits_with(std::size_t i, const Rule& rule) const { return bits_of(i, &rule); }

 private:
  using Marks = std::vector<std::uint64_t>;  // a bit for each of rows_

  Marks covered_by(const Rule& rule) const;
  Marks open(std::optional<std::size_t> without) const;
  RowIndices rows_of(const Marks& marks) const;
  // Of the set without one rule, or with another in its place.
  double bits_of(std::optional<std::size_t> without, const Rule* instead) const;

  const RuleRows& data_;
  const RowIndices& rows_;
  double possible_;
  Coverage all_;
  std::vector<Rule> rules_;
  std::vector<Marks> covered_;
};

}  // namespace gradus
