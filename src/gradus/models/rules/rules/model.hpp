// The fitted list of rules, and the tree that it came from in numbers.
#pragma once

#include <span>

#include "gradus/blocks/rules/rule_finder.hpp"
#include "gradus/models/rules/rules/params.hpp"

namespace gradus {

struct RulesModel {
  RuleList list;
  std::int32_t tree_leaves = 1;
  std::int32_t tree_conditions = 0;  // on all paths together

  template <class M = RulesModel>
  static constexpr auto describe() {
    return Members{field(&M::list, 1, "list"), field(&M::tree_leaves, 2, "tree_leaves"),
                   field(&M::tree_conditions, 3, "tree_conditions")};
  }

  static constexpr Quantity quantities[] = {
      {"rules", "The rules in their order, with the training rows that come to each."},
      {"rule_count", "The number of rules without the default."},
      {"condition_count", "The number of conditions in all rules."},
      {"leaves_of_the_tree", "The number of rules before any was simplified or left out."},
      {"conditions_of_the_tree", "The number of their conditions."},
  };

  void predict(const RowBlock& rows, double* out) const { compiled().predict(rows, out); }
  CompiledRules compiled() const { return CompiledRules(list); }
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const {
    list.explain(row, signature, trace);
  }
};

}  // namespace gradus
