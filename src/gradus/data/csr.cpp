#include "gradus/data/csr.hpp"

#include <fmt/format.h>

#include <utility>

#include "gradus/core/error.hpp"

namespace gradus {

CsrMatrix::CsrMatrix(CsrArrays arrays) : cols(arrays.cols) {
  const auto own = std::make_shared<const CsrArrays>(std::move(arrays));
  row_begin = own->row_begin;
  index = own->index;
  value = own->value;
  owner_ = own;
}

CsrMatrix::CsrMatrix(std::size_t columns, std::span<const std::uint64_t> row_begins,
                     std::span<const std::uint32_t> indices, std::span<const double> values,
                     std::shared_ptr<const void> owner)
    : cols(columns),
      row_begin(row_begins),
      index(indices),
      value(values),
      owner_(std::move(owner)) {}

CsrArrays CsrMatrix::arrays() const {
  return {cols,
          {row_begin.begin(), row_begin.end()},
          {index.begin(), index.end()},
          {value.begin(), value.end()}};
}

CsrMatrix CsrMatrix::take(std::span<const std::size_t> rows) const {
  CsrArrays out;
  out.cols = cols;
  for (const std::size_t row : rows) {
    const auto indices = row_index(row);
    const auto values = row_value(row);
    out.index.insert(out.index.end(), indices.begin(), indices.end());
    out.value.insert(out.value.end(), values.begin(), values.end());
    out.end_row();
  }
  return CsrMatrix(std::move(out));
}

void CsrMatrix::check() const {
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorKind::bad_data, "sparse matrix", why);
  };
  if (row_begin.empty() || row_begin.front() != 0) refuse("row starts must begin with 0");
  if (index.size() != value.size()) refuse("as many indices as values are needed");
  if (row_begin.back() != value.size()) refuse("the last row start must be the number of values");
  for (std::size_t row = 0; row + 1 < row_begin.size(); ++row) {
    if (row_begin[row] > row_begin[row + 1] || row_begin[row + 1] > value.size()) {
      refuse(fmt::format("row {} ends before it begins", row));
    }
    const auto indices = row_index(row);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      if (indices[k] >= cols) refuse(fmt::format("row {}: column {} of {}", row, indices[k], cols));
      if (k > 0 && indices[k] <= indices[k - 1]) {
        refuse(fmt::format("row {}: column {} stands twice or out of order", row, indices[k]));
      }
    }
  }
}

}  // namespace gradus
