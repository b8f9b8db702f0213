#include "gradus/blocks/basis/basis_model.hpp"

#include <cmath>
#include <utility>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

void BasisRegressionModel::predict(const RowBlock& rows, double* out) const {
  const std::size_t functions = basis.size();
  std::vector<double> wide(rows.rows * functions);
  basis.expand(rows, wide.data());
  line.predict(RowBlock{wide.data(), rows.rows, functions}, out);
}

Value BasisRegressionModel::fitted(const Signature& signature) const {
  Value out = object({{"functions", basis.names(signature)}});
  const Value of_line = line.fitted(basis.expanded(signature));
  for (const auto& [name, value] : of_line.as_object()) out[name] = value;
  return out;
}

void BasisRegressionModel::check(const Signature& signature) const {
  if (!basis.fits(signature.features.size())) {
    throw Error(ErrorKind::bad_data, "model", "the basis functions do not fit the features");
  }
  line.check(basis.expanded(signature));
}

void BasisRegressionModel::explain(std::span<const double> row, const Signature& signature,
                                   Trace& trace) const {
  const auto names = basis.names(signature);
  std::vector<double> wide(names.size());
  basis.expand({row.data(), 1, row.size()}, wide.data());
  Step step{.title = "Basis functions of the row", .path = "row/functions"};
  step.formula = "φ(x) = " + bracketed(wide);
  step.values = by_name(names, wide);
  trace.add(std::move(step));
  line.explain(wide, basis.expanded(signature), trace);
}

BasisRegressionModel fit_on_basis(const BasisFunctions& functions, const LeastSquaresOptions& line,
                                  const TrainTask& task, const Context& context) {
  BasisRegressionModel model;
  model.basis = learn_basis(functions, task, context);
  const ExpandedTask wide(model.basis, task, context);
  if (context.trace != nullptr) {
    const auto names = model.basis.names(task.signature);
    Step step{.title = "Basis functions", .path = "functions"};
    step.formula = "y = w₀ + Σⱼ wⱼ φⱼ(x),  φ = (" + join(names, ", ") + ")";
    step.values["functions"] = names;
    step.text = "The model is linear in the weights: each function is a column of least squares.";
    context.trace->add(std::move(step));
  }
  model.line = fit_least_squares(line, wide.task(), context);
  return model;
}

}  // namespace gradus
