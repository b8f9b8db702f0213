// A fitted linear support vector machine: one linear function per class (one for two classes) or
// for the number, and how it was found.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/blocks/linear/functions.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/linear/linear_svm/params.hpp"

namespace gradus {

struct LinearSvmModel {
  LinearFunctions functions;
  SvmLoss loss = SvmLoss::hinge;
  SvmSolver solver = SvmSolver::dual;
  double lambda = 0;              // 1 / (C W): the same problem with the mean loss
  std::vector<double> objective;  // per function
  std::vector<double> gap;        // per function: objective minus its bound from the dual
  std::vector<std::int64_t> support_vectors;  // per function: rows that hold the border in place
  std::vector<std::int64_t> n_iter;           // per function
  bool converged = true;
  // Of all functions together, at the start and after each iteration: the objective of primal, its
  // lower bound of dual.
  std::vector<double> curve;

  template <class M = LinearSvmModel>
  static constexpr auto describe() {
    return Members{field(&M::functions, 1, "functions"),
                   field(&M::loss, 2, "loss"),
                   field(&M::solver, 3, "solver"),
                   field(&M::lambda, 4, "lambda"),
                   field(&M::objective, 5, "objective"),
                   field(&M::gap, 6, "gap"),
                   field(&M::support_vectors, 7, "support_vectors"),
                   field(&M::n_iter, 8, "n_iter"),
                   field(&M::converged, 9, "converged"),
                   field(&M::curve, 10, "curve")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficient of each feature, by name."},
      {"margin", "1 / |w|: the distance from the border to the edge of the street."},
      {"objective", "|w|^2 / 2 plus C times the losses, at the solution."},
      {"duality_gap", "How far the objective is from its least value at most; of primal null."},
      {"support_vectors", "The number of rows on or inside their margin."},
      {"lambda", "1 / (C W): the strength of |w|^2 / 2 beside the mean loss."},
      {"loss", "The loss that was used."},
      {"solver", "How the minimum was found."},
      {"n_iter", "Passes over the rows, or Newton steps: the most that a class needed."},
      {"n_iter_by_class", "The same for each class, when there are several functions."},
      {"converged", "Whether the tolerance was reached."},
      {"loss_curve",
       "Of primal: the objective, of all classes together, at the start and after each step."},
      {"bound_curve",
       "Of dual: what the objective, of all classes together, was known to be at least, at the "
       "start and after each pass. It rises to the objective."},
      {"note", "What to know when the work ended early."},
  };

  void predict(const RowBlock& rows, double* out) const { functions.predict(rows, out); }
  bool predicts_sparse() const { return true; }
  void predict(const SparseRows& rows, double* out) const { functions.predict(rows, out); }
  CompiledFunctions compiled() const { return functions.compiled(); }
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;

  double length(std::size_t function) const;  // |w|
};

}  // namespace gradus
