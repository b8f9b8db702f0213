// The entries of every row of a sparse matrix in the order of their columns.
//
// Who counts words meets them in the order of the text. A row of n entries is put in order without
// comparing them: each marks its column in a set of bits, and the set is read from its first bit to
// its last, 64 columns at a time; a second, smaller set says which of these words have any bit. So
// a row costs O(n), and rows that are in order already cost one look.
//
//   const CsrMatrix ordered = ordered_rows(matrix, context);   // ordered.check() holds
#pragma once

#include "gradus/core/context.hpp"
#include "gradus/data/csr.hpp"

namespace gradus {

// A copy of a matrix whose columns may stand in any order, also repeated; every one must be below
// `matrix.cols`. Values of a repeated column are added up, in the order in which they stand.
CsrMatrix ordered_rows(const CsrMatrix& matrix, const Context& context);

}  // namespace gradus
