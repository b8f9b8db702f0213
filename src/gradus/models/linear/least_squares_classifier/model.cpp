#include "gradus/models/linear/least_squares_classifier/model.hpp"

#include <algorithm>

#include "gradus/blocks/linear/linear_scores.hpp"
#include "gradus/blocks/linear/words.hpp"
#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<LeastSquaresClassifier>();

void LeastSquaresClassifierModel::predict(const RowBlock& rows, double* out) const {
  linear_scores(intercept, coefficients, rows, out);
}

Value LeastSquaresClassifierModel::fitted(const Signature& signature) const {
  return object({{"coefficients", scores_by_name(intercept, coefficients, signature)},
                 {"error", number_or_null(error)},
                 {"rank", rank}});
}

void LeastSquaresClassifierModel::check(const Signature& signature) const {
  if (!scores_fit(intercept, coefficients, signature)) {
    throw Error(ErrorKind::bad_data, "model",
                "the coefficients do not fit the features and classes of the model");
  }
}

void LeastSquaresClassifierModel::explain(std::span<const double> row, const Signature& signature,
                                          Trace& trace) const {
  explain_scores(intercept, coefficients, row, signature, trace);
  std::vector<double> outputs(intercept.size());
  predict({row.data(), 1, row.size()}, outputs.data());
  const auto best =
      static_cast<std::size_t>(std::max_element(outputs.begin(), outputs.end()) - outputs.begin());
  Step step{.title = "The class", .path = "row"};
  step.values["outputs"] = by_name(signature.classes, outputs);
  step.text = "The largest output is that of " + signature.classes[best] + ".";
  trace.add(std::move(step));
}

}  // namespace gradus
