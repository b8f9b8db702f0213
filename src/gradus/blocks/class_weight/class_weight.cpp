#include "gradus/blocks/class_weight/class_weight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "gradus/core/error.hpp"
#include "gradus/core/name_list.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

std::vector<double> balanced_factors(std::span<const double> totals) {
  const auto counted = std::count_if(totals.begin(), totals.end(), [](double w) { return w > 0; });
  const double share =
      std::accumulate(totals.begin(), totals.end(), 0.0) / static_cast<double>(counted);
  std::vector<double> factors(totals.size(), 1.0);
  for (std::size_t c = 0; c < totals.size(); ++c) {
    if (totals[c] > 0) factors[c] = share / totals[c];
  }
  return factors;
}

std::vector<double> named_factors(const NumbersByName& numbers,
                                  std::span<const std::string> classes) {
  std::vector<double> factors(classes.size(), 1.0);
  std::size_t found = 0;
  const std::string* stranger = nullptr;
  for (const auto& [name, factor] : numbers) {
    const auto at = std::find(classes.begin(), classes.end(), name);
    if (at == classes.end()) {
      stranger = &name;
    } else {
      factors[static_cast<std::size_t>(at - classes.begin())] = factor;
      ++found;
    }
  }
  if (stranger != nullptr && found < classes.size()) {
    throw Error(ErrorKind::usage, "--class_weight",
                fmt::format("class_weight names the class {}, and the classes are {}",
                            in_quotes(*stranger), name_list(classes)),
                did_you_mean(*stranger, classes));
  }
  return factors;
}

std::vector<double> class_factors(const ClassWeight& weight, std::span<const double> totals,
                                  const Signature& signature) {
  if (weight.is(ClassWeightRule::balanced)) return balanced_factors(totals);
  std::vector<double> factors = named_factors(weight.numbers(), signature.classes);
  for (std::size_t c = 0; c < factors.size(); ++c) {
    if (totals[c] > 0 && factors[c] > 0) return factors;
  }
  throw Error(ErrorKind::usage, "--class_weight", "every class of these rows has the weight 0",
              "give at least one of them a weight above 0");
}

}  // namespace

std::vector<double> row_weights(const TrainTask& task, const ClassWeight& weight) {
  std::vector<double> weights(task.rows(), 1.0);
  if (!task.weights.empty()) weights.assign(task.weights.begin(), task.weights.end());
  if (weight.is(ClassWeightRule::none) || task.signature.task != Task::classify) return weights;
  std::vector<double> totals(task.signature.classes.size(), 0.0);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    totals[static_cast<std::size_t>(task.classes[row])] += weights[row];
  }
  const std::vector<double> factors = class_factors(weight, totals, task.signature);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    weights[row] *= factors[static_cast<std::size_t>(task.classes[row])];
  }
  return weights;
}

}  // namespace gradus
