// Dual coordinate descent for logistic regression with an l2 penalty: the probabilities of one row
// at a time, exactly (Yu, Huang, Lin 2011, for two classes and for the softmax).
//
// f(w) = |w|^2 / 2 + sum_i C_i (ln sum_k e^z_ik - z_iy), z_ik = w_k'x_i + b_k, has a dual whose
// variables are probabilities p_i, one point of the simplex for each row, with
//   w_k = sum_i C_i ([y_i = k] - p_ik) x_i,      p_i = softmax(z_i) at the minimum.
// With w kept beside them, the best p for one row given all others solves
//   ln p_k + q (p_k - old p_k) = z_k + nu,      q = C_i x_i'x_i,  sum_k p_k = 1,
// which Newton's method finds in ln p and nu together in two or three rounds: a visit costs one
// reading and one writing of the row. Two classes have one function and the variable p of class 1.
//
// What a row is still away from its best, C_i KL(p_i || softmax(z_i)), adds up to the difference
// between f and its lower bound, the duality gap, which decides the end: the objective is then
// within the share `tol` of the least one.
//
// The intercepts are free, for which sum_i C_i ([y_i = k] - p_ik) = 0 must hold. They are found by
// the proximal point method: b is penalised by (b - b0)^2 / (2 s^2), so that it is s^2 times that
// sum away from b0, and b0 follows b as soon as the rest is as near to its end as b is to b0. s^2
// is some steps of Newton's method along b long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/linear/rows.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

struct SoftmaxDualProblem {
  const LinearRows& rows;
  std::span<const double> targets;  // 0 and 1, or class codes for several outputs
  std::span<const double> costs;    // C of each row; 0: the row does not count
  std::size_t outputs = 1;          // one for two classes, else one per class
  bool intercept = true;
  // The rows that count in the order from which they are mixed.
  std::span<const std::uint32_t> order = {};
};

// One visit that changed a row, for those who watch; of several outputs those of its own class.
struct SoftmaxDualVisit {
  int sweep = 0;
  std::size_t row = 0;
  double score = 0;
  double before = 0;
  double after = 0;
};

struct SoftmaxDualOptions {
  int max_iter = 100;  // sweeps
  double tol = 1e-6;   // on the duality gap, as a share of the objective
  Seed seed = 0;
  std::function<void(const SoftmaxDualVisit&)> visit = {};
  // After every sweep: its number and the coefficients, laid out as in the solution.
  std::function<void(int sweep, std::span<const double> w)> observe = {};
  const Context& context;
};

struct SoftmaxDualSolution {
  std::vector<double> w;  // features x outputs, then the intercepts
  std::vector<double> p;  // rows x outputs; rows that do not count: their class
  int sweeps = 0;
  bool converged = false;
  double primal = 0;  // f
  double gap = 0;     // f is above the least value by at most this
  // f at w = 0, then after each sweep with the losses of its rows as they were met, which costs
  // nothing; the last is f itself.
  std::vector<double> values;
};

SoftmaxDualSolution descend_softmax_dual(const SoftmaxDualProblem& problem,
                                         const SoftmaxDualOptions& options);

}  // namespace gradus
