// Can a plane separate two classes? A linear program answers, with a proof either way.
//
// With v_i = y_i (x_i, 1) a separating w has w'v_i > 0 for every row. By Farkas' lemma there is
// none exactly when some convex combination of the v_i is 0: sum a_i v_i = 0, a >= 0, sum a_i = 1,
// which says that the convex hulls of the two classes share a point. The first phase of the simplex
// method either finds such a (XOR: the middle of (0,0) and (1,1) is that of (0,1) and (1,0)), or
// ends with prices that are a separating plane.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/blocks/linear/rows.hpp"

namespace gradus {

struct Separability {
  bool separable = false;
  std::vector<double> w;  // separable: y (w'x + b) > 0 for all rows
  double b = 0;
  std::vector<double> combination;  // else: a_i, which sum to 1 within each class (or over all
                                    // rows when there is no intercept)
  std::vector<double> common;       // the point that both classes surround
};

enum class Plane { anywhere, through_origin };

// Whether the program has a size that can be solved in a moment.
bool can_test_separability(const LinearRows& rows);

// `signs` are +1 and -1; rows of sign 0 do not count.
Separability test_separability(const LinearRows& rows, std::span<const double> signs, Plane plane,
                               const Context& context);

}  // namespace gradus
