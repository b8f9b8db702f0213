// The three arrays of a CSR matrix of SciPy as rows of the library.
//
// Columns of int32 and numbers of float64 are read where they are, when every row is in order: the
// matrix keeps the exporters' buffers open. Other types are copied, and rows in another order are
// copied and put in order, with the numbers of a repeated column added up.
#pragma once

#include <memory>

#include "buffer.hpp"
#include "gradus/data/csr.hpp"

namespace gradus::python {

struct SparseBuffers {
  std::shared_ptr<const Buffer> row_begin;
  std::shared_ptr<const Buffer> index;
  std::shared_ptr<const Buffer> value;
  std::size_t cols = 0;
};

// Works without the interpreter's lock. Error{bad_data} when the arrays make no matrix.
std::shared_ptr<const CsrMatrix> sparse_rows(SparseBuffers buffers, int threads);

}  // namespace gradus::python
