// Pictures of a regularisation path: the coefficients while the penalty falls, and the error that
// chose its strength.
#pragma once

#include <vector>

#include "gradus/report/document.hpp"

namespace gradus::report {

// From the fitted quantity `path` (alphas, mean_squared_error, standard_error, coefficients), when
// there is one.
std::vector<Block> path_figures(const Value& fitted);

}  // namespace gradus::report
