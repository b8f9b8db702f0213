// The choice of basis functions, as parameters of a learner: y = w0 + sum_j w_j phi_j(x) is linear
// in w whatever the phi are. Light to include; basis.hpp computes them.
#pragma once

#include <array>
#include <string_view>

#include "gradus/core/describe.hpp"

namespace gradus {

enum class BasisKind { polynomial, radial, sigmoid, spline, fourier };
constexpr std::array<std::string_view, 5> enum_names(BasisKind) {
  return {"polynomial", "radial", "sigmoid", "spline", "fourier"};
}

struct PolynomialTerms {
  int degree = 2;
  bool interactions = true;

  template <class L = PolynomialTerms>
  static constexpr auto describe() {
    return Members{
        param(&L::degree, "degree", "Largest degree of a term of a polynomial.")
            .at_least(1)
            .at_most(50)
            .tune(1, 5),
        param(
            &L::interactions, "interactions",
            "Whether a polynomial has products of different columns too, up to the same degree.")};
  }
};

struct BasisFunctions {
  BasisKind basis = BasisKind::spline;
  int n_basis = 5;
  double width = 0;
  PolynomialTerms terms = {};

  template <class L = BasisFunctions>
  static constexpr auto describe() {
    return Members{
        param(&L::basis, "basis",
              "The functions of each column: polynomial powers and products; radial "
              "e^(-(x-c)²/2s²); sigmoid 1/(1+e^(-(x-c)/s)); spline cubic B-splines; fourier sines "
              "and cosines."),
        param(
            &L::n_basis, "n_basis",
            "Centres c (radial, sigmoid), intervals (spline) or frequencies (fourier) per column, "
            "equally spaced.")
            .at_least(1)
            .at_most(1000)
            .aka("n_knots")
            .tune(2, 20),
        param(&L::width, "width",
              "The width s of radial and sigmoid functions, or the period of fourier, in units of "
              "the column; 0: the distance of the centres, or the range of the column.")
            .at_least(0),
        group(&L::terms)};
  }
};

}  // namespace gradus
