// Gauss-Legendre quadrature on [0, 1]: n nodes integrate polynomials of degree 2n − 1 exactly.
#pragma once

#include <cstddef>
#include <vector>

namespace gradus {

struct Quadrature {
  std::vector<double> node;    // ascending, inside (0, 1)
  std::vector<double> weight;  // they add up to 1
};

// `count` nodes, at least 1; found by Newton's method on the Legendre polynomial.
Quadrature gauss_legendre(std::size_t count);

// The rules for Shapley values, by the number of factors: leaving one out, `factors` of them are a
// polynomial of degree factors − 1. Made when they are first asked for.
class FactorRules {
 public:
  const Quadrature& of(std::size_t factors);

 private:
  std::vector<Quadrature> rules_;
};

}  // namespace gradus
