#include "sparse_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <span>
#include <utility>

#include "gradus/data/csr_order.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::python {
namespace {

[[noreturn]] void refuse_sparse(const std::string& why) {
  throw Error(ErrorKind::bad_data, "X", "the sparse matrix is not valid: " + why);
}

std::vector<std::int64_t> copied_indices(const Buffer& buffer) {
  if (!buffer.is_integer()) refuse_layout("of int32 or int64");
  if (buffer.item_size() == 4) return copied_from<std::int64_t, std::int32_t>(buffer);
  if (buffer.item_size() == 8) return copied_from<std::int64_t, std::int64_t>(buffer);
  refuse_layout("of int32 or int64");
}

// Whether the elements can be read where they are, as numbers of type T.
template <class T>
bool lies_ready(const Buffer& buffer) {
  return buffer.item_size() == sizeof(T) && buffer.stride(0) == sizeof(T) &&
         reinterpret_cast<std::uintptr_t>(buffer.data()) % alignof(T) == 0;
}

template <class T>
std::span<const T> in_place(const Buffer& buffer) {
  return {reinterpret_cast<const T*>(buffer.data()), buffer.extent(0)};
}

[[noreturn]] void refuse_column(std::int64_t column, std::size_t cols) {
  refuse_sparse(fmt::format("column {} is outside of {} columns", column, cols));
}

// What a matrix reads: the caller's memory, or a copy where its types are not ours.
struct SparseArrays {
  SparseBuffers given;
  CsrArrays own = {};
  std::span<const std::uint32_t> index = {};
  std::span<const double> value = {};

  void read_row_begins() {
    const std::vector<std::int64_t> begin = copied_indices(*given.row_begin);
    if (begin.empty() || begin.front() != 0) refuse_sparse("indptr must begin with 0");
    if (!std::is_sorted(begin.begin(), begin.end())) refuse_sparse("indptr must not decrease");
    own.row_begin.assign(begin.begin(), begin.end());
  }

  // Below 2^31 columns a negative number of 32 bits is too large when it is read unsigned, so
  // that `look_at_rows` meets it.
  void read_columns() {
    constexpr std::size_t kSigned = std::numeric_limits<std::int32_t>::max();
    if (given.index->is_integer() && lies_ready<std::uint32_t>(*given.index) &&
        own.cols <= kSigned) {
      index = in_place<std::uint32_t>(*given.index);
      return;
    }
    const std::vector<std::int64_t> wide = copied_indices(*given.index);
    own.index.resize(wide.size());
    for (std::size_t k = 0; k < wide.size(); ++k) {
      if (wide[k] < 0 || static_cast<std::size_t>(wide[k]) >= own.cols) {
        refuse_column(wide[k], own.cols);
      }
      own.index[k] = static_cast<std::uint32_t>(wide[k]);
    }
    index = own.index;
  }

  void read_numbers() {
    const bool is_double = float_type(*given.value) == ElementType::float64;
    if (is_double && lies_ready<double>(*given.value)) {
      value = in_place<double>(*given.value);
      return;
    }
    own.value = is_double ? copied_from<double, double>(*given.value)
                          : copied_from<double, float>(*given.value);
    value = own.value;
  }

  // Whether every row is in order. A column outside of the table is refused.
  bool look_at_rows(const Context& context) const {
    constexpr std::size_t kFewRows = 256;
    std::atomic<bool> ordered = true;
    std::atomic<bool> outside = false;
    const std::size_t rows = own.rows();
    const std::size_t length = parallel::reduction_block(rows, kFewRows);
    parallel::for_each_block(context, rows, length, [&](parallel::Block block) {
      for (std::size_t row = block.begin; row < block.end; ++row) {
        const auto columns_of_row =
            index.subspan(own.row_begin[row], own.row_begin[row + 1] - own.row_begin[row]);
        if (columns_of_row.empty()) continue;
        std::uint32_t largest = columns_of_row.front();
        bool steps_back = false;
        for (std::size_t k = 1; k < columns_of_row.size(); ++k) {
          largest = std::max(largest, columns_of_row[k]);
          steps_back |= columns_of_row[k - 1] >= columns_of_row[k];
        }
        if (largest >= own.cols) outside = true;
        if (steps_back) ordered = false;
      }
    });
    if (outside) {
      const auto is_outside = [this](std::uint32_t column) { return column >= own.cols; };
      const std::uint32_t first = *std::find_if(index.begin(), index.end(), is_outside);
      refuse_column(static_cast<std::int32_t>(first), own.cols);
    }
    return ordered;
  }
};

}  // namespace

std::shared_ptr<const CsrMatrix> sparse_rows(SparseBuffers buffers, int threads) {
  const nb::gil_scoped_release released;
  if (buffers.cols > std::numeric_limits<std::uint32_t>::max()) refuse_sparse("too many columns");
  Context context;
  context.threads = threads;
  const auto arrays = std::make_shared<SparseArrays>();
  arrays->own.cols = buffers.cols;
  arrays->given = std::move(buffers);
  arrays->read_row_begins();
  arrays->read_columns();
  arrays->read_numbers();
  if (arrays->index.size() != arrays->value.size() ||
      arrays->own.row_begin.back() != arrays->index.size()) {
    refuse_sparse("indptr, indices and data do not fit together");
  }
  const bool in_order = arrays->look_at_rows(context);
  CsrMatrix matrix(arrays->own.cols, arrays->own.row_begin, arrays->index, arrays->value, arrays);
  if (!in_order) matrix = ordered_rows(matrix, context);
  return std::make_shared<const CsrMatrix>(std::move(matrix));
}

}  // namespace gradus::python
