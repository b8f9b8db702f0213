#include "gradus/models/linear/total_least_squares/model.hpp"

#include <cmath>

#include "gradus/blocks/linear/line.hpp"
#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<TotalLeastSquares>();

namespace {

Line line_of(const TotalLeastSquaresModel& model) {
  return {model.intercept, model.coefficients,
          model.has_intercept ? Intercept::present : Intercept::absent};
}

}  // namespace

void TotalLeastSquaresModel::predict(const RowBlock& rows, double* out) const {
  predict_line(line_of(*this), rows, out);
}

Value TotalLeastSquaresModel::fitted(const Signature& signature) const {
  return object({{"coefficients", line_by_name(line_of(*this), signature)},
                 {"sum_of_squared_distances", number_or_null(distance_sum)},
                 {"singular_values", singular_values},
                 {"rank", rank}});
}

void TotalLeastSquaresModel::check(const Signature& signature) const {
  if (!line_fits(line_of(*this), signature)) {
    throw Error(ErrorKind::bad_data, "model", "the coefficients do not fit the features");
  }
}

void TotalLeastSquaresModel::explain(std::span<const double> row, const Signature& signature,
                                     Trace& trace) const {
  explain_line(line_of(*this), row, signature, 0, trace);
}

}  // namespace gradus
