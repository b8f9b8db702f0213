#include "table.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "gradus/core/error.hpp"

namespace gradus::python {
namespace {

// A buffer exported by Python, open for as long as somebody reads it.
class Buffer {
 public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
      throw nb::python_error();
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    const nb::gil_scoped_acquire held;
    PyBuffer_Release(&view_);
  }

  int dimensions() const { return view_.ndim; }
  std::size_t extent(int axis) const { return static_cast<std::size_t>(view_.shape[axis]); }
  std::ptrdiff_t stride(int axis) const { return view_.strides[axis]; }
  const std::byte* data() const { return static_cast<const std::byte*>(view_.buf); }
  std::size_t item_size() const { return static_cast<std::size_t>(view_.itemsize); }
  // The last letter: NumPy may put a byte-order mark before it.
  char format() const {
    return view_.format == nullptr ? 'B' : view_.format[std::strlen(view_.format) - 1];
  }
  bool is_integer() const { return std::strchr("bhilqn", format()) != nullptr; }

 private:
  Py_buffer view_{};
};

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

template <class T>
std::vector<T> copied(nb::handle object, bool right_type(const Buffer&), const char* expected) {
  const auto buffer = open(object, 1);
  if (buffer->item_size() != sizeof(T) || !right_type(*buffer)) refuse_layout(expected);
  std::vector<T> out(buffer->extent(0));
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::memcpy(&out[i], buffer->data() + static_cast<std::ptrdiff_t>(i) * buffer->stride(0),
                sizeof(T));
  }
  return out;
}

bool holds_integers(const Buffer& buffer) { return buffer.is_integer(); }
bool holds_doubles(const Buffer& buffer) { return buffer.format() == 'd'; }

[[noreturn]] void refuse_sparse(const std::string& why) {
  throw Error(ErrorKind::bad_data, "X", "the sparse matrix is not valid: " + why);
}

// Appends one row with its entries in column order, the values of a repeated column added up.
void append_row(CsrMatrix& matrix, std::vector<std::pair<std::uint32_t, double>>& entries) {
  const auto before = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(entries.begin(), entries.end(), before)) {
    std::stable_sort(entries.begin(), entries.end(), before);
  }
  const std::size_t begin = matrix.index.size();
  for (const auto& [column, value] : entries) {
    if (matrix.index.size() > begin && matrix.index.back() == column) {
      matrix.value.back() += value;
    } else {
      matrix.index.push_back(column);
      matrix.value.push_back(value);
    }
  }
  matrix.row_begin.push_back(matrix.value.size());
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

void Table::set_sparse(nb::handle row_begin, nb::handle index, nb::handle value, std::size_t cols) {
  const auto begin = copied<std::int64_t>(row_begin, &holds_integers, "of int64");
  const auto column = copied<std::int64_t>(index, &holds_integers, "of int64");
  const auto number = copied<double>(value, &holds_doubles, "of float64");
  if (begin.empty() || begin.front() != 0) refuse_sparse("indptr must begin with 0");
  if (cols > std::numeric_limits<std::uint32_t>::max()) refuse_sparse("too many columns");
  if (column.size() != number.size() || begin.back() != static_cast<std::int64_t>(column.size())) {
    refuse_sparse("indptr, indices and data do not fit together");
  }
  if (!std::is_sorted(begin.begin(), begin.end())) refuse_sparse("indptr must not decrease");
  auto matrix = std::make_shared<CsrMatrix>();
  matrix->cols = cols;
  matrix->index.reserve(column.size());
  matrix->value.reserve(number.size());
  std::vector<std::pair<std::uint32_t, double>> entries;
  for (std::size_t row = 0; row + 1 < begin.size(); ++row) {
    entries.clear();
    for (auto k = static_cast<std::size_t>(begin[row]);
         k < static_cast<std::size_t>(begin[row + 1]); ++k) {
      if (column[k] < 0 || static_cast<std::size_t>(column[k]) >= cols) {
        refuse_sparse("column " + std::to_string(column[k]) + " is outside of " +
                      std::to_string(cols) + " columns");
      }
      entries.emplace_back(static_cast<std::uint32_t>(column[k]), number[k]);
    }
    append_row(*matrix, entries);
  }
  sparse_ = SparseBlock{std::move(matrix), "x", 0};
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
           nb::arg("value"), nb::arg("cols"))
      .def("set_weights", &Table::set_weights, nb::arg("weights"))
      .def("address", &Table::address, nb::arg("name"));
}

}  // namespace gradus::python
