// L-BFGS: Newton's direction from the last few changes of the point and of the gradient, without a
// matrix (Liu and Nocedal 1989; the two-loop recursion of Nocedal and Wright, algorithm 7.4).
//
//   Minimum best = minimise_lbfgs(function, std::vector<double>(n, 0.0), {.max_iter = 100});
#pragma once

#include <vector>

#include "gradus/blocks/solver/minimum.hpp"

namespace gradus {

Minimum minimise_lbfgs(const SmoothFunction& function, std::vector<double> start,
                       const SolverOptions& options);

}  // namespace gradus
