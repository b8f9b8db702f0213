#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"

namespace gradus {

template const Entry& entry<LinearRegression>();

LinearRegressionModel LinearRegression::fit(const TrainTask& task, const Context& context) const {
  return fit_least_squares(
      {.fit_intercept = fit_intercept, .alpha = alpha, .solver = solver, .confidence = confidence},
      task, context);
}

}  // namespace gradus
