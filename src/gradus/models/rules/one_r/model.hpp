// The fitted rules about one column.
#pragma once

#include <span>
#include <vector>

#include "gradus/blocks/rules/rule_finder.hpp"
#include "gradus/models/rules/one_r/params.hpp"

namespace gradus {

struct OneRModel {
  std::int32_t feature = -1;   // -1: no column tells anything
  std::vector<double> errors;  // by column: weight of the training rows that its rules get wrong
  RuleList list;

  template <class M = OneRModel>
  static constexpr auto describe() {
    return Members{field(&M::feature, 1, "feature"), field(&M::errors, 2, "errors"),
                   field(&M::list, 3, "list")};
  }

  static constexpr Quantity quantities[] = {
      {"column", "The column that the rules are about."},
      {"errors", "For each column, the training rows that its rules get wrong."},
      {"rules", "The rules in their order, with the training rows that come to each."},
      {"rule_count", "The number of rules without the default."},
      {"condition_count", "The number of conditions in all rules."},
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
