#include "gradus/models/linear/robust_regression/model.hpp"

#include "gradus/blocks/linear/line.hpp"
#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<RobustRegression>();

namespace {

Line line_of(const RobustRegressionModel& model) {
  return {model.intercept, model.coefficients,
          model.has_intercept ? Intercept::present : Intercept::absent};
}

}  // namespace

void RobustRegressionModel::predict(const RowBlock& rows, double* out) const {
  predict_line(line_of(*this), rows, out);
}

Value RobustRegressionModel::fitted(const Signature& signature) const {
  Value out = object({{"coefficients", line_by_name(line_of(*this), signature)},
                      {"objective", number_or_null(objective)}});
  if (loss == RobustLoss::huber) {
    out["scale"] = scale;
    out["outliers"] = outliers;
  }
  out["n_iter"] = n_iter;
  if (!converged) out["note"] = "max_iter was reached before the end: raise max_iter or tol.";
  return out;
}

void RobustRegressionModel::check(const Signature& signature) const {
  if (!line_fits(line_of(*this), signature)) {
    throw Error(ErrorKind::bad_data, "model", "the coefficients do not fit the features");
  }
}

void RobustRegressionModel::explain(std::span<const double> row, const Signature& signature,
                                    Trace& trace) const {
  explain_line(line_of(*this), row, signature, 0, trace);
}

}  // namespace gradus
