// Pages about columns: how important they are, and how the answer depends on them.
#pragma once

#include <vector>

#include "gradus/evaluate/dependence.hpp"
#include "gradus/evaluate/importance.hpp"
#include "gradus/report/document.hpp"

namespace gradus::report {

// A table with a bar for each column; a picture with the repeats as dots.
std::vector<Block> importance_blocks(const Importance& importance);
std::vector<Block> importance_figures(const Importance& importance);

// A table of the means; a picture with the curves of single rows behind the mean.
std::vector<Block> dependence_blocks(const Dependence& dependence);
std::vector<Block> dependence_figures(const Dependence& dependence);

}  // namespace gradus::report
