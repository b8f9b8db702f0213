// A table under construction: Python hands over columns, the library reads them where they are.
//
// Matrices and columns of float64 or float32 are never copied, whatever their strides: the column
// keeps the exporter's buffer open, and with it the memory. The same holds for sparse rows that are
// in order; as with SciPy itself, nobody may change their structure while a call reads it. Codes of
// categories are copied (they are checked first, and a caller who changes them later must not reach
// an invalid code).
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gradus/data/dataset.hpp"

namespace gradus::python {

namespace nb = nanobind;

class Table {
 public:
  // Every column of a two-dimensional array of numbers.
  void add_matrix(const std::vector<std::string>& names, nb::handle matrix);
  void add_numeric(const std::string& name, nb::handle values);
  void add_nominal(const std::string& name, nb::handle codes,
                   const std::vector<std::string>& levels, bool ordered);
  // The three arrays of a CSR matrix: columns of int32 and numbers of float64 stay where they are
  // when every row is in order; unsorted and duplicate entries are copied and put in order.
  void set_sparse(nb::handle row_begin, nb::handle index, nb::handle value, std::size_t cols,
                  int threads);
  void set_weights(nb::handle weights);

  // The address of a column's first number: tests prove with it that nothing was copied.
  std::uintptr_t address(const std::string& name) const;
  // The same for the columns and the numbers of the sparse rows.
  std::pair<std::uintptr_t, std::uintptr_t> sparse_addresses() const;

  // The table so far; refuses columns of different lengths or of the same name.
  Dataset data() const;

 private:
  std::vector<Column> columns_;
  std::vector<double> weights_;
  std::optional<SparseBlock> sparse_;
};

void bind_table(nb::module_& module);

}  // namespace gradus::python
