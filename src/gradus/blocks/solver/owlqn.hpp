// OWL-QN, orthant-wise limited-memory quasi-Newton: L-BFGS for F(w) = f(w) + sum_j l1_j |w_j|
// (Andrew and Gao 2007).
//
// Inside one orthant F is smooth. Each iteration takes the orthant into which the least subgradient
// v of F leads, the direction -H v with the H of L-BFGS (from the gradients of f alone), drops the
// parts of it that v does not agree with, and sets to 0 what would leave the orthant:
//   w <- pi(w + step d),      step halved until F falls.
// It ends when the least subgradient of F is within the tolerance.
//
//   Minimum best = minimise_owlqn(function, l1, std::vector<double>(n, 0.0), {.max_iter = 100});
#pragma once

#include <span>
#include <vector>

#include "gradus/blocks/solver/minimum.hpp"

namespace gradus {

// `function` gives f, without the absolute values.
Minimum minimise_owlqn(const SmoothFunction& function, std::span<const double> l1,
                       std::vector<double> start, const SolverOptions& options);

}  // namespace gradus
