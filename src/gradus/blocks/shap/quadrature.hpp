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

}  // namespace gradus
