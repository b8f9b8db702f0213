#include "gradus/blocks/tree/attribute_costs.hpp"

#include "gradus/blocks/tree/named_numbers.hpp"

namespace gradus {

std::vector<double> AttributeCosts::resolve(const Signature& signature) const {
  std::vector<std::string> names;
  if (used()) {
    for (const FeatureName& feature : signature.features) names.push_back(feature.name);
  }
  return numbers_by_name(costs, {.names = names, .parameter = "costs", .noun = "column"});
}

}  // namespace gradus
