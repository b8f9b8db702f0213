#include "gradus/blocks/basis/basis_model.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/linear/polynomial_regression/params.hpp"

namespace gradus {

template const Entry& entry<PolynomialRegression>();

BasisRegressionModel PolynomialRegression::fit(const TrainTask& task,
                                               const Context& context) const {
  return fit_on_basis({.basis = BasisKind::polynomial, .terms = terms}, line, task, context);
}

}  // namespace gradus
