#include "table.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "buffer.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/pages.hpp"

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

std::vector<std::int64_t> copied_indices(nb::handle object) {
  const auto buffer = open(object, 1);
  if (!buffer->is_integer()) refuse_layout("of int32 or int64");
  if (buffer->item_size() == 4) return copied_from<std::int64_t, std::int32_t>(*buffer);
  if (buffer->item_size() == 8) return copied_from<std::int64_t, std::int64_t>(*buffer);
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

std::vector<double> copied_numbers(nb::handle object) {
  const auto buffer = open(object, 1);
  return float_type(*buffer) == ElementType::float64 ? taken_from<double>(*buffer)
                                                     : copied_from<double, float>(*buffer);
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

std::vector<std::uint32_t> checked_columns(nb::handle object, std::size_t cols) {
  const auto buffer = open(object, 1);
  constexpr std::size_t kSigned = std::numeric_limits<std::int32_t>::max();
  if (buffer->is_integer() && buffer->item_size() == 4 && cols <= kSigned) {
    return narrow_columns(*buffer, cols);
  }
  const std::vector<std::int64_t> column = copied_indices(object);
  std::vector<std::uint32_t> out(column.size());
  for (std::size_t k = 0; k < column.size(); ++k) {
    if (column[k] < 0 || static_cast<std::size_t>(column[k]) >= cols) {
      refuse_column(column[k], cols);
    }
    out[k] = static_cast<std::uint32_t>(column[k]);
  }
  return out;
}

// Whether the columns of every row rise: most matrices are made so.
bool in_order(const CsrMatrix& matrix) {
  for (std::size_t row = 0; row + 1 < matrix.row_begin.size(); ++row) {
    const auto begin = matrix.index.begin() + static_cast<std::ptrdiff_t>(matrix.row_begin[row]);
    const auto end = matrix.index.begin() + static_cast<std::ptrdiff_t>(matrix.row_begin[row + 1]);
    if (std::adjacent_find(begin, end, std::greater_equal<>()) != end) return false;
  }
  return true;
}

// The places of the entries of one row after the other, by column; those of a repeated column stay
// in their order. Long rows are sorted digit by digit, the least first.
class ColumnOrder {
 public:
  explicit ColumnOrder(std::size_t cols) {
    while (digits_ * kBits < 32 && (cols - 1) >> (digits_ * kBits) != 0) ++digits_;
  }

  // Entries with the column above and the place in the row below.
  std::span<const std::uint64_t> sort(std::span<const std::uint32_t> columns) {
    entries_.resize(columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k) entries_[k] = entry(columns[k], k);
    if (columns.size() < kShort) {
      std::sort(entries_.begin(), entries_.end());
    } else {
      other_.resize(entries_.size());
      for (std::size_t digit = 0; digit < digits_; ++digit) sort_by(32 + digit * kBits);
    }
    return entries_;
  }

 private:
  static constexpr std::size_t kBits = 9;
  static constexpr std::size_t kDigits = std::size_t{1} << kBits;
  static constexpr std::size_t kShort = 48;  // where counting digits begins to pay

  static std::uint64_t entry(std::uint32_t column, std::size_t place) {
    return std::uint64_t{column} << 32 | place;
  }

  void sort_by(std::size_t shift) {
    std::array<std::uint32_t, kDigits> next{};
    const auto digit_of = [shift](std::uint64_t entry) { return (entry >> shift) % kDigits; };
    for (const std::uint64_t entry : entries_) ++next[digit_of(entry)];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), std::uint32_t{0});
    for (const std::uint64_t entry : entries_) other_[next[digit_of(entry)]++] = entry;
    entries_.swap(other_);
  }

  std::size_t digits_ = 0;
  std::vector<std::uint64_t> entries_;
  std::vector<std::uint64_t> other_;
};

// The same matrix with every row in column order and the values of a repeated column added up.
CsrMatrix put_in_order(const CsrMatrix& given) {
  CsrMatrix out;
  out.cols = given.cols;
  out.row_begin.reserve(given.row_begin.size());
  out.index.reserve(given.index.size());
  out.value.reserve(given.value.size());
  ColumnOrder order(given.cols);
  for (std::size_t row = 0; row < given.rows(); ++row) {
    const auto values = given.row_value(row);
    const std::size_t begin = out.index.size();
    for (const std::uint64_t entry : order.sort(given.row_index(row))) {
      const auto column = static_cast<std::uint32_t>(entry >> 32);
      const double value = values[entry & std::numeric_limits<std::uint32_t>::max()];
      if (out.index.size() > begin && out.index.back() == column) {
        out.value.back() += value;
      } else {
        out.index.push_back(column);
        out.value.push_back(value);
      }
    }
    out.row_begin.push_back(out.value.size());
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

void Table::set_sparse(nb::handle row_begin, nb::handle index, nb::handle value, std::size_t cols) {
  const std::vector<std::int64_t> begin = copied_indices(row_begin);
  if (begin.empty() || begin.front() != 0) refuse_sparse("indptr must begin with 0");
  if (cols > std::numeric_limits<std::uint32_t>::max()) refuse_sparse("too many columns");
  CsrMatrix matrix;
  matrix.cols = cols;
  matrix.value = copied_numbers(value);
  matrix.index = checked_columns(index, cols);
  if (matrix.index.size() != matrix.value.size() ||
      begin.back() != static_cast<std::int64_t>(matrix.index.size())) {
    refuse_sparse("indptr, indices and data do not fit together");
  }
  if (!std::is_sorted(begin.begin(), begin.end())) refuse_sparse("indptr must not decrease");
  matrix.row_begin.assign(begin.begin(), begin.end());
  if (!in_order(matrix)) matrix = put_in_order(matrix);
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
           nb::arg("value"), nb::arg("cols"))
      .def("set_weights", &Table::set_weights, nb::arg("weights"))
      .def("address", &Table::address, nb::arg("name"));
}

}  // namespace gradus::python
