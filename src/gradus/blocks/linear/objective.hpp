// The objective of a linear model, over the rows of a table in one fused pass:
//   f(c) = sum_i w_i L(z_i'c, y_i) / W + P(c),      z_i the row in comfortable units,
// with value, gradient and, when asked for, the Hessian (1/W) sum_i w_i L'' z_i z_i' + l2.
//
// One output has any loss; several classes have the softmax cross-entropy, whose Hessian block of
// classes k and l is sum_i w_i p_k (1[k = l] - p_l) z_i z_i'. Coefficients are laid out output by
// output, the intercept last. A block of rows is read once: units, scores, losses, gradient and
// curvature are computed while it is in the cache. The same bytes for any number of threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/blocks/linear/leads.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/blocks/loss/loss.hpp"
#include "gradus/blocks/penalty/penalty.hpp"
#include "gradus/core/context.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

struct LinearShape {
  Loss loss = {};           // of one output
  std::size_t outputs = 1;  // more: the classes of a softmax, and targets are their codes
  bool intercept = true;
};

class LinearObjective {
 public:
  // Everything is borrowed. The penalty is that of f: divided by W.
  LinearObjective(const linalg::Design& design, const Units& units, const LinearShape& shape,
                  const Penalty& penalty, const Context& context);

  std::size_t size() const { return shape_.outputs * width_; }

  double operator()(std::span<const double> c, std::span<double> gradient);
  double operator()(std::span<const double> c, std::span<double> gradient, linalg::Matrix& hessian);
  // Over the rows given alone, their weights relative to the mean weight; for mini-batches.
  double over(std::span<const std::size_t> rows, std::span<const double> c,
              std::span<double> gradient);

  double weight() const { return weight_; }
  // Of the last full evaluation, among the rows that count.
  const Leads& leads() const { return leads_; }

 private:
  struct Part;
  class Pass;
  double evaluate(std::span<const double> c, std::span<double> gradient, linalg::Matrix* hessian);

  const linalg::Design& design_;
  const Units& units_;
  LinearShape shape_;
  const Penalty& penalty_;
  Context context_;
  std::size_t width_ = 0;  // coefficients per output
  double weight_ = 0;
  Leads leads_;
};

}  // namespace gradus
