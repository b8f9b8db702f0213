// Wald statistics from the Hessian of the mean loss: se(b) = sqrt((W H)^-1_bb), z = b / se,
// p = P(|N(0,1)| > |z|).
#pragma once

#include <cstddef>

#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/models/linear/logistic_regression/model.hpp"

namespace gradus {

// Where the statistics come from; `hessian` is empty when they are not defined.
struct WaldSource {
  const linalg::Matrix& hessian;  // of the mean loss in comfortable units, lower triangle
  const Units& units;
  double weight = 0;
  double confidence = 0.95;
};

void add_wald_statistics(LogisticRegressionModel& model, const WaldSource& source);

// The smallest share of the information about one coefficient that is left at `now` of what there
// was at `start` (1 / (H^-1)_jj each). When it vanishes, the likelihood has no maximum along that
// column: the classes are separated there.
double least_information_left(const linalg::Matrix& start, const linalg::Matrix& now);

}  // namespace gradus
