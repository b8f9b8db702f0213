#include "table.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "buffer.hpp"
#include "gradus/core/error.hpp"
#include "sparse_rows.hpp"

namespace gradus::python {
namespace {

std::shared_ptr<const Buffer> open(nb::handle object, int dimensions) {
  auto buffer = std::make_shared<const Buffer>(object);
  if (buffer->dimensions() != dimensions) {
    refuse_layout(dimensions == 1 ? "one-dimensional" : "two-dimensional");
  }
  return buffer;
}

template <class T>
std::vector<T> copied(nb::handle object, bool right_type(const Buffer&), const char* expected) {
  const auto buffer = open(object, 1);
  if (buffer->item_size() != sizeof(T) || !right_type(*buffer)) refuse_layout(expected);
  return copied_from<T, T>(*buffer);
}

bool holds_integers(const Buffer& buffer) { return buffer.is_integer(); }
bool holds_doubles(const Buffer& buffer) { return buffer.format() == 'd'; }

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
  sparse_ = SparseBlock{
      sparse_rows({open(row_begin, 1), open(index, 1), open(value, 1), cols}, threads), "x", 0};
}

void Table::set_weights(nb::handle weights) {
  weights_ = copied<double>(weights, &holds_doubles, "of float64");
}

Dataset Table::data() const {
  Dataset data(columns_);
  if (sparse_) data = data.with_sparse(*sparse_);
  return weights_.empty() ? data : data.with_weights(weights_);
}

std::pair<std::uintptr_t, std::uintptr_t> Table::sparse_addresses() const {
  if (!sparse_) return {0, 0};
  return {reinterpret_cast<std::uintptr_t>(sparse_->matrix->index.data()),
          reinterpret_cast<std::uintptr_t>(sparse_->matrix->value.data())};
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
      .def("address", &Table::address, nb::arg("name"))
      .def("sparse_addresses", &Table::sparse_addresses);
}

}  // namespace gradus::python
