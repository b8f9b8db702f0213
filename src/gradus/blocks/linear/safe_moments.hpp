// Sums of products of a table in units in which nothing overflows, underflows or needs a second
// look: every column of [X | Y] is scaled by a power of two to about length 1 about its centre.
//
//   const SafeMoments m = safe_moments(design, Centre::mean, task.signature, context);
//   m.products(i, j) = S_ij scale_i scale_j
#pragma once

#include <string>
#include <vector>

#include "gradus/contract/signature.hpp"
#include "gradus/core/context.hpp"
#include "gradus/linalg/gram.hpp"

namespace gradus {

struct SafeMoments {
  double weight = 0;
  std::vector<double> means;
  std::vector<double> scales;  // powers of two
  std::vector<bool> constant;  // spread no more than rounding; its products are 0
  linalg::Matrix products;     // both triangles
};

// Error{numerical} names the column whose numbers are too large.
SafeMoments safe_moments(const linalg::Design& design, linalg::Centre centre,
                         const Signature& signature, const Context& context);

// The same sums with one scale for all features, so that lengths in feature space mean what they
// mean in the data; outputs keep theirs.
SafeMoments in_common_units(SafeMoments moments, std::size_t features);

// "column "x"": where an error about column j of [X | Y] is.
std::string column_place(const Signature& signature, std::size_t column);

}  // namespace gradus
