// A linear function learned by stochastic gradient descent, and where it stands, so that it can go
// on with new rows.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/blocks/linear/functions.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/linear/sgd/params.hpp"

namespace gradus {

struct SgdModel {
  LinearFunctions functions;
  LinearFunctions last;  // the last w where `functions` is the mean; else empty
  SgdLoss loss = SgdLoss::hinge;
  std::vector<std::int64_t> steps;   // per function, in all
  std::vector<std::int64_t> n_iter;  // per function: passes
  std::vector<double> mean_loss;     // per function: of the rows as they were met in the last pass
  bool converged = false;
  std::vector<std::vector<double>> losses;  // per function: mean_loss of every pass so far

  template <class M = SgdModel>
  static constexpr auto describe() {
    return Members{field(&M::functions, 1, "functions"), field(&M::last, 2, "last"),
                   field(&M::loss, 3, "loss"),           field(&M::steps, 4, "steps"),
                   field(&M::n_iter, 5, "n_iter"),       field(&M::mean_loss, 6, "mean_loss"),
                   field(&M::converged, 7, "converged"), field(&M::losses, 8, "losses")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficient of each feature, by name."},
      {"loss", "The loss that was used."},
      {"steps", "Rows learned from, counted as often as they were met."},
      {"n_iter", "Passes over the rows: the most that a class needed."},
      {"n_iter_by_class", "Passes over the rows for each class, when there are several functions."},
      {"mean_loss", "The mean loss of the rows as they were met in the last pass."},
      {"loss_curve", "The mean loss of the rows as they were met, pass by pass."},
      {"converged", "Whether the loss stood still before max_iter."},
  };

  void predict(const RowBlock& rows, double* out) const { functions.predict(rows, out); }
  bool predicts_sparse() const { return true; }
  void predict(const SparseRows& rows, double* out) const { functions.predict(rows, out); }
  CompiledFunctions compiled() const { return functions.compiled(); }
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const {
    functions.explain(row, signature, trace);
  }
};

}  // namespace gradus
