// What a model remembers of the rows that taught it, so that it can go on with new ones: the
// quadratic model of their summed losses at its own coefficients w0,
//   q(w) = g'(w - w0) + (w - w0)'A(w - w0) / 2.
// The loss of the new rows plus q plus the penalty has its minimum where all rows together have it,
// but for terms of third order. A is the Hessian, or its diagonal alone where that is large.
//
// Coefficients are in units of the data, output by output, the intercept last in each.
//
//   RememberedTerm term(memory, w0, {units, shape, weight});
//   value += term.add(c, gradient);        // in the comfortable units of the new rows
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/blocks/linear/objective.hpp"
#include "gradus/blocks/linear/standardise.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/linalg/matrix.hpp"

namespace gradus {

struct RememberedLoss {
  std::vector<double> class_weights;  // of the rows, by class
  std::vector<double> gradient;       // g
  linalg::Matrix hessian;             // A: both triangles, or one row, its diagonal

  template <class R = RememberedLoss>
  static constexpr auto describe() {
    return Members{field(&R::class_weights, 1, "class_weights"), field(&R::gradient, 2, "gradient"),
                   field(&R::hessian, 3, "hessian")};
  }

  double weight() const;
  // out = A v.
  void product(std::span<const double> v, std::span<double> out) const;
  // Whether all sizes are those of so many coefficients and classes, and all numbers finite.
  bool fits(std::size_t coefficients, std::size_t classes) const;
};

// Comfortable units, and how functions lie in them.
struct FunctionUnits {
  const Units& units;
  std::size_t outputs = 1;
  bool intercept = true;

  std::size_t width() const { return units.scale.size() + (intercept ? 1 : 0); }
  std::size_t size() const { return outputs * width(); }
  // Coefficients of the data from those of comfortable units, and back. Output by output.
  std::vector<double> to_data(std::span<const double> c) const;
  std::vector<double> from_data(std::span<const double> w) const;
  // Gradients: df/dc from df/dw, and df/dw from df/dc.
  std::vector<double> slope_from_data(std::span<const double> slope) const;
  std::vector<double> slope_to_data(std::span<const double> slope) const;
};

// The Hessian in units of the data from its lower triangle in comfortable ones, times `factor`.
linalg::Matrix hessian_to_data(const linalg::Matrix& hessian, const FunctionUnits& functions,
                               double factor);

// `memory` seen from another place, where its gradient is `gradient`, and the rows of `to`: all
// rows.
void add_memory(const RememberedLoss& memory, std::span<const double> gradient, RememberedLoss& to);

// q / divisor as a function of coefficients in comfortable units.
class RememberedTerm {
 public:
  // Everything is borrowed but the coefficients.
  RememberedTerm(const RememberedLoss& memory, std::vector<double> at,
                 const FunctionUnits& functions, double divisor);

  // Returns the value and adds the gradient.
  double add(std::span<const double> c, std::span<double> gradient) const;
  // out += the Hessian times v.
  void add_product(std::span<const double> v, std::span<double> out) const;
  // The Hessian, both triangles.
  linalg::Matrix hessian() const;
  // g + A (w - w0) and q at w, in units of the data: the memory seen from another place.
  std::vector<double> gradient_at(std::span<const double> w) const;
  double value_at(std::span<const double> w) const;

 private:
  std::vector<double> change(std::span<const double> w) const;

  const RememberedLoss& memory_;
  std::vector<double> at_;
  FunctionUnits functions_;
  double divisor_;
};

}  // namespace gradus
