// Pictures of what a model learned, as far as its fitted quantities hold them: a drawn tree, the
// importance of its columns, coefficients with their intervals, the loss as training went on.
#pragma once

#include <vector>

#include "gradus/report/document.hpp"

namespace gradus::report {

std::vector<Block> model_figures(const Value& fitted);

}  // namespace gradus::report
