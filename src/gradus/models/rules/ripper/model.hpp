// The fitted list of rules.
#pragma once

#include <span>

#include "gradus/blocks/rules/rule_finder.hpp"
#include "gradus/models/rules/ripper/params.hpp"

namespace gradus {

struct RipperModel {
  RuleList list;

  template <class M = RipperModel>
  static constexpr auto describe() {
    return Members{field(&M::list, 1, "list")};
  }

  static constexpr Quantity quantities[] = {
      {"rules", "The rules in their order, with the training rows that come to each."},
      {"rule_count", "The number of rules without the default."},
      {"condition_count", "The number of conditions in all rules."},
  };

  void predict(const RowBlock& rows, double* out) const { compiled().predict(rows, out); }
  CompiledRules compiled() const { return CompiledRules(list); }
  Value fitted(const Signature& signature) const { return list.fitted(signature); }
  void check(const Signature& signature) const { list.check(signature); }
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const {
    list.explain(row, signature, trace);
  }
};

}  // namespace gradus
