#include "gradus/models/boosting/adaboost/model.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<AdaBoost>();

// p_k ∝ e^(2 f_k / (K − 1)), for two classes 1 / (1 + e^(−2H)): what minimises the exponential loss
// is half the log odds (Friedman, Hastie, Tibshirani 2000).
void AdaBoostModel::probabilities(double* scores) const {
  const auto classes = static_cast<std::size_t>(trees.width);
  const double scale = 2.0 / static_cast<double>(std::max<std::size_t>(1, classes - 1));
  const double most = *std::max_element(scores, scores + classes);
  double sum = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    scores[k] = std::exp(scale * (scores[k] - most));
    sum += scores[k];
  }
  for (std::size_t k = 0; k < classes; ++k) scores[k] /= sum;
}

void AdaBoostModel::predict(const RowBlock& rows, double* out) const {
  const auto classes = static_cast<std::size_t>(trees.width);
  std::fill_n(out, rows.rows * classes, 0.0);
  trees.add_values(rows, classes, out);
  for (std::size_t i = 0; i < rows.rows; ++i) probabilities(out + i * classes);
}

Value AdaBoostModel::fitted(const Signature& signature) const {
  std::vector<double> importances(signature.features.size(), 0.0);
  for (std::size_t round = 0; round < trees.count(); ++round) {
    const std::size_t root = trees.root(round);
    if (trees.is_leaf(root)) continue;
    importances[static_cast<std::size_t>(trees.feature[root])] += steps[round];
  }
  Value out = object({{"rounds", trees.count()},
                      {"end", enum_names(end)[static_cast<std::size_t>(end)]},
                      {"errors", Value(errors)},
                      {"steps", Value(steps)},
                      {"training_errors", Value(training_errors)}});
  if (!bounds.empty()) out["bounds"] = Value(bounds);
  out["feature_importances"] = importances_value(importances, signature);
  return out;
}

void AdaBoostModel::check(const Signature& signature) const {
  const std::size_t rounds = trees.count();
  bool sound = rounds > 0 && static_cast<std::size_t>(trees.width) == signature.classes.size() &&
               errors.size() == rounds && steps.size() == rounds &&
               training_errors.size() == rounds && (bounds.empty() || bounds.size() == rounds) &&
               static_cast<std::size_t>(end) < enum_names(end).size();
  for (const auto* numbers : {&errors, &steps, &training_errors, &bounds}) {
    for (const double x : *numbers) sound = sound && std::isfinite(x);
  }
  if (!sound) throw Error(ErrorKind::bad_data, "model", "the boosted stumps are damaged");
  trees.check(signature.features.size());
}

}  // namespace gradus
