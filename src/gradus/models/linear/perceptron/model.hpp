// A fitted perceptron: its linear functions, how many mistakes it took, and the margin that says
// how many it could have taken at most.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gradus/blocks/linear/functions.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/linear/perceptron/params.hpp"

namespace gradus {

enum class Separable { not_tested, yes, no };
constexpr std::array<std::string_view, 3> enum_names(Separable) {
  return {"not_tested", "yes", "no"};
}

// The history of one function.
struct PerceptronRun {
  std::int64_t mistakes = 0;  // rows that were wrong when they were visited
  std::int64_t passes = 0;    // over the rows, the clean one included
  bool converged = false;     // a pass without a mistake; delta: an error that stands still
  std::int64_t errors = 0;    // rows that the result gets wrong
  double margin = 0;          // least y z / |(w, b)| over the rows, below 0 if one is wrong
  double radius = 0;          // the longest row, its constant 1 included
  Separable separable = Separable::not_tested;
  std::vector<std::int64_t> mistakes_by_pass;

  template <class S = PerceptronRun>
  static constexpr auto describe() {
    return Members{
        field(&S::mistakes, 1, "mistakes"),   field(&S::passes, 2, "passes"),
        field(&S::converged, 3, "converged"), field(&S::errors, 4, "errors"),
        field(&S::margin, 5, "margin"),       field(&S::radius, 6, "radius"),
        field(&S::separable, 7, "separable"), field(&S::mistakes_by_pass, 8, "mistakes_by_pass")};
  }
};

struct PerceptronModel {
  LinearFunctions functions;
  std::vector<PerceptronRun> runs;  // one per function

  template <class M = PerceptronModel>
  static constexpr auto describe() {
    return Members{field(&M::functions, 1, "functions"), field(&M::runs, 2, "runs")};
  }

  static constexpr Quantity quantities[] = {
      {"coefficients", "The intercept and the coefficient of each feature, by name."},
      {"mistakes", "How many rows were wrong when they were visited."},
      {"mistakes_by_pass", "The mistakes of every single pass."},
      {"passes", "Passes over the rows."},
      {"n_iter", "Passes over the rows: the most that a class needed."},
      {"converged", "Whether a pass went by without a mistake."},
      {"errors", "Rows that the result gets wrong."},
      {"margin", "The least distance of a row to its border, negative when one is wrong."},
      {"radius", "The length of the longest row."},
      {"mistake_bound", "(radius / margin)^2: no run from zero makes more mistakes."},
      {"separable", "Whether a plane can separate the classes, if that was tested."},
      {"note", "What to know when no pass was clean."},
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
