#include "table.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "buffer.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"
#include "gradus/data/csr_order.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::python {
namespace {

[[noreturn]] void refuse_layout(const char* expected) {
  throw Error(ErrorKind::internal, "table", std::string("the array must be ") + expected);
}

std::shared_ptr<const Buffer> open(nb::handle object, int dimensions) {
  auto buffer = std::make_shared<const Buffer>(object);
  if (buffer->dimensions() != dimensions) {
    refuse_layout(dimensions == 1 ? "one-dimensional" : "two-dimensional");
  }
  return buffer;
}

ElementType float_type(const Buffer& buffer) {
  if (buffer.format() == 'd') return ElementType::float64;
  if (buffer.format() == 'f') return ElementType::float32;
  refuse_layout("of float64 or float32");
}

// A copy as numbers of type T from elements of type Source.
template <class T, class Source>
std::vector<T> copied_from(const Buffer& buffer) {
  std::vector<T> out(buffer.extent(0));
  for (std::size_t i = 0; i < out.size(); ++i) {
    Source one;
    std::memcpy(&one, buffer.data() + static_cast<std::ptrdiff_t>(i) * buffer.stride(0),
                sizeof(Source));
    out[i] = static_cast<T>(one);
  }
  return out;
}

template <class T>
std::vector<T> copied(nb::handle object, bool right_type(const Buffer&), const char* expected) {
  const auto buffer = open(object, 1);
  if (buffer->item_size() != sizeof(T) || !right_type(*buffer)) refuse_layout(expected);
  return copied_from<T, T>(*buffer);
}

bool holds_integers(const Buffer& buffer) { return buffer.is_integer(); }
bool holds_doubles(const Buffer& buffer) { return buffer.format() == 'd'; }

[[noreturn]] void refuse_sparse(const std::string& why) {
  throw Error(ErrorKind::bad_data, "X", "the sparse matrix is not valid: " + why);
}

std::vector<std::int64_t> copied_indices(const Buffer& buffer) {
  if (!buffer.is_integer()) refuse_layout("of int32 or int64");
  if (buffer.item_size() == 4) return copied_from<std::int64_t, std::int32_t>(buffer);
  if (buffer.item_size() == 8) return copied_from<std::int64_t, std::int64_t>(buffer);
  refuse_layout("of int32 or int64");
}

// Numbers side by side are taken over at once, without being cleared before.
template <class T>
std::vector<T> taken_from(const Buffer& buffer) {
  if (buffer.stride(0) != sizeof(T)) return copied_from<T, T>(buffer);
  const auto* first = reinterpret_cast<const T*>(buffer.data());
  std::vector<T> out;
  out.reserve(buffer.extent(0));
  prefer_large_pages(out.data(), buffer.extent(0) * sizeof(T));
  out.assign(first, first + buffer.extent(0));
  return out;
}

std::vector<double> copied_numbers(const Buffer& buffer) {
  return float_type(buffer) == ElementType::float64 ? taken_from<double>(buffer)
                                                    : copied_from<double, float>(buffer);
}

[[noreturn]] void refuse_column(std::int64_t column, std::size_t cols) {
  refuse_sparse(fmt::format("column {} is outside of {} columns", column, cols));
}

// Below 2^31 columns a number of 32 bits that is negative is too large when it is read unsigned.
std::vector<std::uint32_t> narrow_columns(const Buffer& buffer, std::size_t cols) {
  std::vector<std::uint32_t> out = taken_from<std::uint32_t>(buffer);
  std::uint32_t largest = 0;
  for (const std::uint32_t column : out) largest = std::max(largest, column);
  if (out.empty() || largest < cols) return out;
  const auto outside = [cols](std::uint32_t column) { return column >= cols; };
  refuse_column(static_cast<std::int32_t>(*std::find_if(out.begin(), out.end(), outside)), cols);
}

std::vector<std::uint32_t> checked_columns(const Buffer& buffer, std::size_t cols) {
  constexpr std::size_t kSigned = std::numeric_limits<std::int32_t>::max();
  if (buffer.is_integer() && buffer.item_size() == 4 && cols <= kSigned) {
    return narrow_columns(buffer, cols);
  }
  const std::vector<std::int64_t> column = copied_indices(buffer);
  std::vector<std::uint32_t> out(column.size());
  for (std::size_t k = 0; k < column.size(); ++k) {
    if (column[k] < 0 || static_cast<std::size_t>(column[k]) >= cols) {
      refuse_column(column[k], cols);
    }
    out[k] = static_cast<std::uint32_t>(column[k]);
  }
  return out;
}

}  // namespace

void Table::add_matrix(const std::vector<std::string>& names, nb::handle matrix) {
  const auto buffer = open(matrix, 2);
  const ElementType type = float_type(*buffer);
  if (buffer->extent(1) != names.size()) refuse_layout("as wide as its names");
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::byte* first = buffer->data() + static_cast<std::ptrdiff_t>(j) * buffer->stride(1);
    columns_.push_back(
        Column::numeric_view(names[j], type, first, buffer->extent(0), buffer->stride(0), buffer));
  }
}

void Table::add_numeric(const std::string& name, nb::handle values) {
  const auto buffer = open(values, 1);
  columns_.push_back(Column::numeric_view(name, float_type(*buffer), buffer->data(),
                                          buffer->extent(0), buffer->stride(0), buffer));
}

void Table::add_nominal(const std::string& name, nb::handle codes,
                        const std::vector<std::string>& levels, bool ordered) {
  std::vector<std::int32_t> checked = copied<std::int32_t>(codes, &holds_integers, "of int32");
  const auto count = static_cast<std::int32_t>(levels.size());
  for (const std::int32_t code : checked) {
    if (code < kMissingCode || code >= count) refuse_layout("of codes inside the levels");
  }
  columns_.push_back(ordered ? Column::ordinal(name, std::move(checked), levels)
                             : Column::nominal(name, std::move(checked), levels));
}

void Table::set_sparse(nb::handle row_begin, nb::handle index, nb::handle value, std::size_t cols,
                       int threads) {
  const auto begins = open(row_begin, 1);
  const auto columns = open(index, 1);
  const auto numbers = open(value, 1);
  const nb::gil_scoped_release released;
  const std::vector<std::int64_t> begin = copied_indices(*begins);
  if (begin.empty() || begin.front() != 0) refuse_sparse("indptr must begin with 0");
  if (cols > std::numeric_limits<std::uint32_t>::max()) refuse_sparse("too many columns");
  Context context;
  context.threads = threads;
  CsrMatrix matrix;
  matrix.cols = cols;
  parallel::for_each_index(context, 2, [&](std::size_t which) {
    if (which == 0) matrix.value = copied_numbers(*numbers);
    if (which == 1) matrix.index = checked_columns(*columns, cols);
  });
  if (matrix.index.size() != matrix.value.size() ||
      begin.back() != static_cast<std::int64_t>(matrix.index.size())) {
    refuse_sparse("indptr, indices and data do not fit together");
  }
  if (!std::is_sorted(begin.begin(), begin.end())) refuse_sparse("indptr must not decrease");
  matrix.row_begin.assign(begin.begin(), begin.end());
  order_rows(matrix, context);
  sparse_ = SparseBlock{std::make_shared<CsrMatrix>(std::move(matrix)), "x", 0};
}

void Table::set_weights(nb::handle weights) {
  weights_ = copied<double>(weights, &holds_doubles, "of float64");
}

Dataset Table::data() const {
  Dataset data(columns_);
  if (sparse_) data = data.with_sparse(*sparse_);
  return weights_.empty() ? data : data.with_weights(weights_);
}

std::uintptr_t Table::address(const std::string& name) const {
  return reinterpret_cast<std::uintptr_t>(data().column(name).data());
}

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table", "Columns for the library, not copied where possible.")
      .def(nb::init<>())
      .def("add_matrix", &Table::add_matrix, nb::arg("names"), nb::arg("matrix"))
      .def("add_numeric", &Table::add_numeric, nb::arg("name"), nb::arg("values"))
      .def("add_nominal", &Table::add_nominal, nb::arg("name"), nb::arg("codes"), nb::arg("levels"),
           nb::arg("ordered"))
      .def("set_sparse", &Table::set_sparse, nb::arg("row_begin"), nb::arg("index"),
           nb::arg("value"), nb::arg("cols"), nb::arg("threads") = 0)
      .def("set_weights", &Table::set_weights, nb::arg("weights"))
      .def("address", &Table::address, nb::arg("name"));
}

}  // namespace gradus::python
