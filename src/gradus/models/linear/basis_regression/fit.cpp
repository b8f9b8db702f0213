#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/linear/basis_regression/model.hpp"

namespace gradus {

template const Entry& entry<BasisRegression>();

BasisRegressionModel BasisRegression::fit(const TrainTask& task, const Context& context) const {
  return fit_on_basis(functions, line, task, context);
}

}  // namespace gradus
