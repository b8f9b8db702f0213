#include "gradus/blocks/tree/attribute_costs.hpp"

#include <cmath>

#include "gradus/blocks/tree/named_numbers.hpp"
#include "gradus/contract/signature.hpp"

namespace gradus {

std::vector<double> AttributeCosts::resolve(const Signature& signature) const {
  std::vector<std::string> names;
  if (used()) {
    for (const FeatureName& feature : signature.features) names.push_back(feature.name);
  }
  return numbers_by_name(costs, {.names = names, .parameter = "costs", .noun = "column"});
}

double AttributeCosts::merit(double gain, double cost) const {
  if (rule == CostRule::tan) return gain * std::abs(gain) / cost;
  return (std::exp2(gain) - 1) / std::pow(cost + 1, weight);
}

}  // namespace gradus
