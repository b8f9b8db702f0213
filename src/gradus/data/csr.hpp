// Sparse rows: compressed sparse row storage of a table that is mostly zero.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gradus {

struct CsrMatrix {
  std::size_t cols = 0;
  std::vector<std::uint64_t> row_begin = {0};  // rows + 1 entries
  std::vector<std::uint32_t> index;            // column of each stored value, ascending in a row
  std::vector<double> value;

  std::size_t rows() const { return row_begin.size() - 1; }
  std::size_t stored() const { return value.size(); }
  std::span<const std::uint32_t> row_index(std::size_t row) const {
    return std::span(index).subspan(row_begin[row], row_begin[row + 1] - row_begin[row]);
  }
  std::span<const double> row_value(std::size_t row) const {
    return std::span(value).subspan(row_begin[row], row_begin[row + 1] - row_begin[row]);
  }

  CsrMatrix take(std::span<const std::size_t> rows) const;
  // Every invariant above, or Error{bad_data} that names the first violation.
  void check() const;
};

}  // namespace gradus
