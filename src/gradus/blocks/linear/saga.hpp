// SAGA: stochastic steps whose noise vanishes, for linear classifiers with corners in the penalty
// (Defazio, Bach, Lacoste-Julien 2014).
//
//   f(w) = sum_i v_i L(w'x_i, y_i) / V + sum_j l1_j |w_j| + l2_j w_j^2 / 2
// The slope s_i of every row is remembered from its last visit, and with them the mean gradient g.
// A step takes one row by chance, finds its slope anew and moves by
//   w <- prox(w - step ((s_new - s_old) x_i + g)),      step = 1 / (3 L), L = max_i |x_i|^2 / 4
// (|x_i|^2 / 2 for a softmax). The expected move is that of the whole gradient, and its variance
// falls to 0 as the slopes settle: constant steps converge, linearly where l2 > 0.
//
// A step over a sparse row touches only its columns. What another column owes, m moves by the same
// g_j, has a closed form and is paid when the column is next met: inside one sign w <- r (w -
// step (g_j +- l1)) with r = 1 / (1 + step l2) is iterated m times at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gradus/blocks/penalty/penalty.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

// The numbers of one row that are not 0, ascending; `index` is null for all columns in turn.
struct SagaRow {
  const std::uint32_t* index = nullptr;
  const double* value = nullptr;
  std::size_t count = 0;
};

struct SagaProblem {
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t outputs = 1;  // one: logistic; more: softmax
  bool intercept = true;    // never penalised
  // Row i; may use `scratch`.
  std::function<SagaRow(std::size_t i, std::vector<double>& scratch)> row = {};
  std::span<const double> targets = {};  // 0 and 1, or class codes
  std::span<const double> weights = {};  // empty: all 1
  Penalty penalty = {};                  // of each feature, divided by the weight of all rows
};

struct SagaOptions {
  int max_iter = 100;  // passes: as many steps as there are rows
  double tol = 1e-6;   // on the least subgradient, from the remembered slopes
  Seed seed = 0;
  // After every pass: its number and the state.
  std::function<void(int pass, std::span<const double> w)> observe = {};
  const Context* context = nullptr;
};

struct SagaSolution {
  std::vector<double> w;  // features x outputs, then the intercepts
  int passes = 0;
  double step = 0;
  bool converged = false;
  bool finite = true;
  // f at the start, then after each pass with the losses of its rows as they were met.
  std::vector<double> values;
};

SagaSolution minimise_saga(const SagaProblem& problem, std::vector<double> start,
                           const SagaOptions& options);

// `steps` moves w <- prox(w - step g), all with the same g: the debt of a column.
struct LaggedStep {
  double step = 0;
  double l1 = 0;
  double l2 = 0;
};
double lagged(double w, double gradient, std::uint64_t steps, const LaggedStep& how);

}  // namespace gradus
