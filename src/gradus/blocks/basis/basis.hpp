// Basis functions: a row of numbers becomes a longer row of functions of these numbers.
//
// Polynomials are all products of powers up to a total degree (without interactions: powers of one
// column). The other kinds take each column by itself, between the smallest and the largest number
// that it had in training: radial e^(-(x-c)^2 / 2s^2), sigmoid 1 / (1 + e^(-(x-c)/s)), cubic
// B-splines on equal intervals (the first is left out: all of them add up to the intercept),
// fourier sin and cos of 2 pi k x / period. A column of zeros and ones stands for itself, and a
// constant column too.
//
//   const Basis basis = learn_basis(how, task, context);
//   const ExpandedTask wide(basis, task, context);
//   model.line = learner.fit(wide.task(), context);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gradus/blocks/basis/basis_functions.hpp"
#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

struct Basis {
  BasisKind kind = BasisKind::polynomial;
  std::int64_t degree = 1;
  bool interactions = true;
  std::int64_t n_basis = 1;
  std::vector<double> low;    // per column
  std::vector<double> high;   // per column
  std::vector<double> width;  // per column: s, or the period; 0: the column stands for itself

  template <class M = Basis>
  static constexpr auto describe() {
    return Members{field(&M::kind, 1, "kind"),
                   field(&M::degree, 2, "degree"),
                   field(&M::interactions, 3, "interactions"),
                   field(&M::n_basis, 4, "n_basis"),
                   field(&M::low, 5, "low"),
                   field(&M::high, 6, "high"),
                   field(&M::width, 7, "width")};
  }

  std::size_t columns() const { return low.size(); }
  // How many functions there are; Error{limit} when they are more than 100 million.
  std::size_t size() const;
  // rows x size().
  void expand(const RowBlock& rows, double* out) const;
  std::vector<std::string> names(const Signature& signature) const;
  // The column that each function is of; -1: a product of several.
  std::vector<std::int32_t> sources() const;
  // The signature of the expanded rows.
  Signature expanded(const Signature& signature) const;
  // Whether the numbers make sense for this many columns; for models that come from a file.
  bool fits(std::size_t columns) const;
};

Basis learn_basis(const BasisFunctions& how, const TrainTask& task, const Context& context);

// A task whose features are the functions. Borrows the target and the weights.
class ExpandedTask {
 public:
  // Error{numerical} names a function that leaves the range of numbers.
  ExpandedTask(const Basis& basis, const TrainTask& task, const Context& context);
  TrainTask task() const {
    return {features_, signature_, base_.classes, base_.numbers, base_.weights};
  }

 private:
  const TrainTask& base_;
  Signature signature_;
  Features features_;
};

}  // namespace gradus
