#include "gradus/models/linear/stepwise_regression/model.hpp"

#include <algorithm>
#include <utility>

#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<StepwiseRegression>();

std::vector<double> StepwiseRegressionModel::chosen(const RowBlock& rows) const {
  std::vector<double> out;
  out.reserve(rows.rows * selected.size());
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (const std::int64_t j : selected) out.push_back(rows.row(i)[static_cast<std::size_t>(j)]);
  }
  return out;
}

Signature StepwiseRegressionModel::narrowed(const Signature& signature) const {
  Signature out = signature;
  std::vector<FeatureNames::Stored> stored;
  for (const std::int64_t j : selected) {
    stored.push_back({signature.features[static_cast<std::size_t>(j)].name});
  }
  out.features = FeatureNames(std::move(stored));
  return out;
}

void StepwiseRegressionModel::predict(const RowBlock& rows, double* out) const {
  const std::vector<double> narrow = chosen(rows);
  line.predict(RowBlock{narrow.data(), rows.rows, selected.size()}, out);
}

Value StepwiseRegressionModel::fitted(const Signature& signature) const {
  const Signature narrow = narrowed(signature);
  Value out = object({{"selected", coefficient_names(Intercept::absent, narrow)}});
  Value::Array steps;
  for (std::size_t s = 0; s < changed.size(); ++s) {
    steps.push_back(
        object({{"column", signature.features[static_cast<std::size_t>(changed[s])].name},
                {"criterion", number_or_null(criterion[s + 1])}}));
  }
  out["steps"] = std::move(steps);
  out["start"] = number_or_null(criterion.front());
  out["fits"] = fits;
  const Value of_line = line.fitted(narrow);
  for (const auto& [name, value] : of_line.as_object()) out[name] = value;
  return out;
}

void StepwiseRegressionModel::check(const Signature& signature) const {
  const auto d = static_cast<std::int64_t>(signature.features.size());
  const auto inside = [d](std::int64_t j) { return j >= 0 && j < d; };
  if (!std::all_of(selected.begin(), selected.end(), inside) ||
      !std::all_of(changed.begin(), changed.end(), inside) ||
      criterion.size() != changed.size() + 1) {
    throw Error(ErrorKind::bad_data, "model", "the selected columns do not fit the features");
  }
  line.check(narrowed(signature));
}

void StepwiseRegressionModel::explain(std::span<const double> row, const Signature& signature,
                                      Trace& trace) const {
  line.explain(chosen({row.data(), 1, row.size()}), narrowed(signature), trace);
}

}  // namespace gradus
