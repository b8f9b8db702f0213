// What it costs to ask for a column, as a shared group of parameters.
//
// A test that costs more must tell more. With the merit m of a question (its gain or gain ratio)
// and the cost c of its column, columns are compared by
//
//   tan     m² / c                       (Tan and Schlimmer 1990)
//   nunez   (2^m − 1) / (c + 1)^w        (Núñez 1988; w between 0 and 1 says how much costs count)
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/describe.hpp"

namespace gradus {

struct Signature;

enum class CostRule { tan, nunez };
constexpr std::array<std::string_view, 2> enum_names(CostRule) { return {"tan", "nunez"}; }

struct AttributeCosts {
  std::vector<std::string> costs = {};
  CostRule rule = CostRule::tan;
  double weight = 1;

  template <class L = AttributeCosts>
  static constexpr auto describe() {
    return Members{param(&L::costs, "costs",
                         "What columns cost to be asked for, as column=cost; those that are not "
                         "named cost 1. Empty: costs do not count."),
                   param(&L::rule, "cost_rule",
                         "How a gain m and a cost c are weighed: tan m²/c, nunez "
                         "(2^m − 1)/(c + 1)^cost_weight."),
                   param(&L::weight, "cost_weight", "How much costs count, from 0 to 1.")
                       .at_least(0)
                       .at_most(1)
                       .when("cost_rule", "nunez")};
  }

  bool used() const { return !costs.empty(); }
  // By column. Error{usage} when a name is not one of the features.
  std::vector<double> resolve(const Signature& signature) const;

  double merit(double gain, double cost) const;
};

}  // namespace gradus
