#include "gradus/models/linear/partial_least_squares/model.hpp"

#include <utility>

#include "gradus/blocks/linear/line.hpp"
#include "gradus/blocks/linear/linear_scores.hpp"
#include "gradus/blocks/linear/projection.hpp"
#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<PartialLeastSquares>();

namespace {

Line line_of(const PartialLeastSquaresModel& model, std::size_t k) {
  return {model.intercept[k], model.coefficients.row(k), Intercept::present};
}

Value by_feature(const linalg::Matrix& matrix, const std::vector<std::string>& names) {
  Value out = object();
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto row = matrix.row(j);
    out[names[j]] = Value(Value::Array(row.begin(), row.end()));
  }
  return out;
}

}  // namespace

void PartialLeastSquaresModel::predict(const RowBlock& rows, double* out) const {
  for (std::size_t k = 0; k < intercept.size(); ++k) {
    predict_line(line_of(*this, k), rows, out + k, intercept.size());
  }
}

std::vector<std::string> PartialLeastSquaresModel::coordinates(const Signature&) const {
  return numbered_names("component", rotations.width());
}

void PartialLeastSquaresModel::transform(const RowBlock& rows, double* out) const {
  project(rows, means, rotations, out);
}

Value PartialLeastSquaresModel::fitted(const Signature& signature) const {
  const auto names = coefficient_names(Intercept::absent, signature);
  Value out = object();
  if (intercept.size() == 1) out["coefficients"] = line_by_name(line_of(*this, 0), signature);
  for (std::size_t k = 0; k < intercept.size() && intercept.size() > 1; ++k) {
    out["outputs"][signature.outputs[k]]["coefficients"] =
        line_by_name(line_of(*this, k), signature);
  }
  out["n_components"] = rotations.width();
  out["rotations"] = by_feature(rotations, names);
  out["loadings"] = by_feature(loadings, names);
  out["x_explained"] = x_explained;
  out["y_explained"] = y_explained;
  return out;
}

void PartialLeastSquaresModel::check(const Signature& signature) const {
  const std::size_t d = signature.features.size();
  const std::size_t outputs = signature.outputs.size();
  const std::size_t count = rotations.width();
  bool fits = intercept.size() == outputs && shaped(coefficients, outputs, d) &&
              means.size() == d && all_finite(means) && shaped(rotations, d, count) &&
              shaped(loadings, d, count) && shaped(target_loadings, outputs, count) &&
              x_explained.size() == count && y_explained.size() == count;
  if (!fits || !all_finite(intercept)) {
    throw Error(ErrorKind::bad_data, "model",
                "the components do not fit the features and outputs of the model");
  }
}

void PartialLeastSquaresModel::explain(std::span<const double> row, const Signature& signature,
                                       Trace& trace) const {
  std::vector<double> scores(rotations.width());
  transform({row.data(), 1, row.size()}, scores.data());
  Step step{.title = "Scores of the row", .path = "row/scores"};
  step.formula = "t = (x - x̄)'R = " + bracketed(scores);
  step.values = by_name(coordinates(signature), scores);
  trace.add(std::move(step));
  for (std::size_t k = 0; k < intercept.size(); ++k) {
    explain_line(line_of(*this, k), row, signature, k, trace);
  }
}

}  // namespace gradus
