// Sparse rows: compressed sparse row storage of a table that is mostly zero.
//
// A CsrMatrix is an immutable view with an owner behind it, as a Column is: rows read from a file
// own their arrays, rows that come from SciPy stay in the caller's memory. Copying one copies
// pointers. Who makes a matrix fills CsrArrays and hands them over:
//
//   CsrArrays arrays;
//   arrays.cols = 3;
//   arrays.add(2, 7.0);                            // one row with one number, in column 2
//   arrays.end_row();
//   const CsrMatrix matrix(std::move(arrays));
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gradus {

// The arrays of a matrix under construction.
struct CsrArrays {
  std::size_t cols = 0;
  std::vector<std::uint64_t> row_begin = {0};  // rows + 1 entries
  std::vector<std::uint32_t> index = {};       // column of each stored value, ascending in a row
  std::vector<double> value = {};

  std::size_t rows() const { return row_begin.size() - 1; }
  // The next number of the row that is being written.
  void add(std::uint32_t column, double number) {
    index.push_back(column);
    value.push_back(number);
  }
  void end_row() { row_begin.push_back(value.size()); }
};

class CsrMatrix {
 public:
  CsrMatrix() : CsrMatrix(CsrArrays{}) {}
  CsrMatrix(CsrArrays arrays);  // NOLINT(google-explicit-constructor): the same rows, finished
  // Views of `rows + 1`, `stored` and `stored` numbers; `owner` keeps them alive.
  CsrMatrix(std::size_t columns, std::span<const std::uint64_t> row_begins,
            std::span<const std::uint32_t> indices, std::span<const double> values,
            std::shared_ptr<const void> owner);

  std::size_t cols = 0;
  std::span<const std::uint64_t> row_begin;
  std::span<const std::uint32_t> index;
  std::span<const double> value;

  std::size_t rows() const { return row_begin.size() - 1; }
  std::size_t stored() const { return value.size(); }
  std::span<const std::uint32_t> row_index(std::size_t row) const {
    return index.subspan(row_begin[row], row_begin[row + 1] - row_begin[row]);
  }
  std::span<const double> row_value(std::size_t row) const {
    return value.subspan(row_begin[row], row_begin[row + 1] - row_begin[row]);
  }

  // A copy that can be changed.
  CsrArrays arrays() const;
  CsrMatrix take(std::span<const std::size_t> rows) const;
  // Every invariant above, or Error{bad_data} that names the first violation.
  void check() const;

 private:
  std::shared_ptr<const void> owner_;
};

}  // namespace gradus
