#include "gradus/models/linear/generalised_least_squares/model.hpp"

#include <algorithm>
#include <cstdint>

#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<GeneralisedLeastSquares>();

void GeneralisedLeastSquaresModel::predict(const RowBlock& rows, double* out) const {
  line.predict(rows, out);
}

Value GeneralisedLeastSquaresModel::fitted(const Signature& signature) const {
  Value out = object({{"structure", enum_names(structure)[static_cast<std::size_t>(structure)]}});
  if (structure == ErrorStructure::ar1) {
    out["rho"] = rho;
    if (!converged) out["warning"] = "max_iter was reached before rho stood still.";
  }
  out["n_iter"] = std::max<std::int64_t>(1, n_iter);
  const Value of_line = line.fitted(signature);
  for (const auto& [name, value] : of_line.as_object()) out[name] = value;
  return out;
}

void GeneralisedLeastSquaresModel::check(const Signature& signature) const {
  line.check(signature);
}

void GeneralisedLeastSquaresModel::explain(std::span<const double> row, const Signature& signature,
                                           Trace& trace) const {
  line.explain(row, signature, trace);
}

}  // namespace gradus
