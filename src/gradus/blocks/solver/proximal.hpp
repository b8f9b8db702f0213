// Smooth functions with a penalty on absolute values: F(w) = f(w) + sum_j l1_j |w_j|.
//
// `minimise_proximal_newton` replaces f by its quadratic model at w and solves the model with the
// penalty by coordinate descent, then goes along the line to its solution (the outer loop of
// glmnet; Friedman, Hastie, Tibshirani 2010; Lee, Sun, Saunders 2014). `minimise_proximal_gradient`
// needs no Hessian: w <- S(v - step g(v), step l1) with Nesterov's momentum, begun anew when it
// leads uphill (FISTA; Beck and Teboulle 2009). Both end when the smallest subgradient of F is
// within the tolerance.
#pragma once

#include <span>
#include <vector>

#include "gradus/blocks/solver/minimum.hpp"
#include "gradus/blocks/solver/newton.hpp"

namespace gradus {

// `function` gives f, without the absolute values.
Minimum minimise_proximal_newton(const CurvedFunction& function, std::span<const double> l1,
                                 std::vector<double> start, const SolverOptions& options);
Minimum minimise_proximal_gradient(const SmoothFunction& function, std::span<const double> l1,
                                   std::vector<double> start, const SolverOptions& options);

// sum_j l1_j |w_j|.
double absolute_part(std::span<const double> w, std::span<const double> l1);

// The smallest element of the subdifferential of F, by coordinates.
std::vector<double> least_subgradient(std::span<const double> w, std::span<const double> gradient,
                                      std::span<const double> l1);

}  // namespace gradus
