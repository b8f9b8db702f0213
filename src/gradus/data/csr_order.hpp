// The entries of every row of a sparse matrix in the order of their columns.
//
// Who counts words meets them in the order of the text. A row of n entries is put in order without
// comparing them: each marks its column in a set of bits, and the set is read from its first bit to
// its last, 64 columns at a time; a second, smaller set says which of these words have any bit. So
// a row costs O(n), and rows that are in order already cost one look.
//
//   CsrMatrix matrix = ...;        // columns in any order, also repeated
//   order_rows(matrix, context);   // matrix.check() holds
#pragma once

#include "gradus/core/context.hpp"
#include "gradus/data/csr.hpp"

namespace gradus {

// Every column index must be below `matrix.cols`. Values of a repeated column are added up, in the
// order in which they stand.
void order_rows(CsrMatrix& matrix, const Context& context);

}  // namespace gradus
