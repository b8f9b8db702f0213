// Newton's method: w <- w - H^-1 g, with H and g the Hessian and the gradient at w. For the
// logistic loss this is iteratively reweighted least squares. Each step is solved by Cholesky;
// where H is not positive definite, a small multiple of its diagonal is added until it is, and a
// step that does not lower the value is halved.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/solver/minimum.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

// f(at): returns the value, writes the gradient and the lower triangle of the Hessian.
using CurvedFunction = std::function<double(std::span<const double> at, std::span<double> gradient,
                                            linalg::Matrix& hessian)>;

struct NewtonResult {
  Minimum minimum;
  linalg::Matrix hessian;  // at the minimum, lower triangle
};

NewtonResult minimise_newton(const CurvedFunction& function, std::vector<double> start,
                             const SolverOptions& options);

// The chord method: Newton's steps with one Hessian for all of them, that of a nearby function. A
// step costs a gradient alone and shortens the error by the same factor every time. It ends with
// `no_progress` when that factor is not a good one: then go on with Newton's method from there.
Minimum minimise_chord(const SmoothFunction& function, const linalg::Matrix& hessian,
                       std::vector<double> start, const SolverOptions& options);

}  // namespace gradus
