// Newton's method without the Hessian: each step solves H d = -g by conjugate gradients, which need
// only products H v (Dembo, Eisenstat, Steihaug 1982). The system is solved just well enough, the
// better the closer the minimum is, so the number of passes over the data stays small and the last
// steps still converge fast. It ends when the gradient is within the tolerance, or when the last
// step gained less than that share of the value. For problems whose Hessian does not fit.
//
//   Minimum best = minimise_newton_cg(function, product, std::vector<double>(n, 0.0), {});
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/solver/minimum.hpp"

namespace gradus {

// out = H v, with H the Hessian at the point where the function was last evaluated.
using CurvatureProduct = std::function<void(std::span<const double> v, std::span<double> out)>;

Minimum minimise_newton_cg(const SmoothFunction& function, const CurvatureProduct& product,
                           std::vector<double> start, const SolverOptions& options);

}  // namespace gradus
