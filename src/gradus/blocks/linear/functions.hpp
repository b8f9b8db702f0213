// Linear functions of a row, z_k = b_k + w_k'x: what linear classifiers and regressions predict
// with. Two classes share one function (the second class has the score z, the first -z), more have
// one each, a regression has one per output.
//
//   struct MyModel { LinearFunctions functions; ... };
//   functions.predict(rows, signature width, out);
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/blocks/linear/sparse_scores.hpp"
#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/value.hpp"
#include "gradus/linalg/matrix.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

class CompiledFunctions;

struct LinearFunctions {
  std::vector<double> intercept;  // 0 where there is none
  linalg::Matrix coefficients;    // functions x features
  bool has_intercept = true;
  bool two_classes = false;  // one function, two scores

  template <class M = LinearFunctions>
  static constexpr auto describe() {
    return Members{field(&M::intercept, 1, "intercept"), field(&M::coefficients, 2, "coefficients"),
                   field(&M::has_intercept, 3, "has_intercept"),
                   field(&M::two_classes, 4, "two_classes")};
  }

  static LinearFunctions zeros(std::size_t functions, std::size_t features);

  std::size_t count() const { return intercept.size(); }

  // Scores of classes, or numbers; a score beyond the range of numbers becomes +-1e300.
  void predict(const RowBlock& rows, double* out) const;
  void predict(const SparseRows& rows, double* out) const;
  CompiledFunctions compiled() const;

  // The coefficients by name; of several functions by the name of the class or output first.
  Value by_name(const Signature& signature) const;
  // Throws Error{bad_data} when sizes or numbers do not fit the signature.
  void check(const Signature& signature) const;
  // Throws Error{numerical} that names the column when a number left the range of numbers.
  void require_finite(const Signature& signature) const;
  // One step per function: z = b + w x term by term, and the decision.
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;

  // "z = 0.5 + 2 x1 - 3 x2" with the names, up to 8 terms.
  std::string equation(std::size_t function, const Signature& signature) const;
  // The class or output that a function speaks for.
  const std::string& name(std::size_t function, const Signature& signature) const;
};

// The same answers; many functions of sparse rows with less jumping about (sparse_scores.hpp).
class CompiledFunctions {
 public:
  CompiledFunctions(const LinearFunctions& functions, Turned turned)
      : functions_(functions), sparse_(functions.coefficients, turned) {}

  void predict(const RowBlock& rows, double* out) const { functions_.predict(rows, out); }
  void predict(const SparseRows& rows, double* out) const;

 private:
  const LinearFunctions& functions_;
  SparseScores sparse_;
};

inline CompiledFunctions LinearFunctions::compiled() const {
  return {*this, Turned::for_many_rows};
}

}  // namespace gradus
