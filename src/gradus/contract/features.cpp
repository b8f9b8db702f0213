#include "gradus/contract/features.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/simd/columns.hpp"

namespace gradus {
namespace {

// Numbers that stay as they are, unless they are missing.
bool is_unchanged(const FeatureColumn& column) {
  const Recipe& recipe = column.recipe;
  return recipe.op == FeatureOp::value && recipe.shift == 0 && recipe.scale == 1;
}

bool fills(const FeatureColumn& column) { return !std::isnan(column.recipe.fill); }

bool is_plain(const FeatureColumn& column) { return is_unchanged(column) && !fills(column); }

// The address of row 0 when the columns are the columns of one row-major matrix of T.
template <class T>
const T* find_row_major(const std::vector<FeatureColumn>& columns) {
  constexpr ElementType kType =
      std::is_same_v<T, double> ? ElementType::float64 : ElementType::float32;
  if (columns.empty()) return nullptr;
  const std::byte* first = columns.front().source.data();
  const auto row_bytes = static_cast<std::ptrdiff_t>(columns.size() * sizeof(T));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Column& source = columns[j].source;
    const bool fits = source.is_numeric() && source.element_type() == kType &&
                      source.stride() == row_bytes && source.data() == first + j * sizeof(T);
    if (!fits || !is_unchanged(columns[j])) return nullptr;
  }
  return reinterpret_cast<const T*>(first);
}

// Whether the column lies in memory as it is to be read, unless numbers are missing.
bool is_contiguous(const FeatureColumn& column) {
  const Column& source = column.source;
  return source.is_numeric() && source.element_type() == ElementType::float64 &&
         source.stride() == sizeof(double) && is_unchanged(column);
}

// The numbers of row `begin` of all columns; empty when one of them is not contiguous.
std::vector<const double*> starts_of(const std::vector<FeatureColumn>& columns, std::size_t begin) {
  if (!std::all_of(columns.begin(), columns.end(), is_contiguous)) return {};
  std::vector<const double*> starts;
  starts.reserve(columns.size());
  for (const FeatureColumn& column : columns) {
    starts.push_back(reinterpret_cast<const double*>(column.source.data()) + begin);
  }
  return starts;
}

// Writes rows that only have to be brought together or widened; false when there is more to do.
bool copy_rows(const std::vector<FeatureColumn>& columns, std::size_t begin, std::size_t end,
               double* out) {
  if (const float* rows = find_row_major<float>(columns)) {
    simd::widen(rows + begin * columns.size(), (end - begin) * columns.size(), out);
    return true;
  }
  const std::vector<const double*> starts = starts_of(columns, begin);
  simd::rows_from_columns(starts.data(), starts.size(), end - begin, out, columns.size());
  return !starts.empty();
}

double number_at(double value) { return value; }
double number_at(float value) { return static_cast<double>(value); }
double number_at(std::int32_t code) {
  return code == kMissingCode ? std::numeric_limits<double>::quiet_NaN()
                              : static_cast<double>(code);
}

// Applies a recipe to a raw number; codes arrive as numbers, missing as NaN.
double cooked(const Recipe& recipe, double raw) {
  switch (recipe.op) {
    case FeatureOp::value: break;
    case FeatureOp::indicator:
      if (!std::isnan(raw)) raw = raw == static_cast<double>(recipe.level) ? 1.0 : 0.0;
      break;
    case FeatureOp::lookup:
      if (!std::isnan(raw)) raw = recipe.table[static_cast<std::size_t>(raw)];
      break;
  }
  if (std::isnan(raw)) raw = recipe.fill;
  return (raw - recipe.shift) * recipe.scale;
}

template <class T>
void fill_strided(const FeatureColumn& column, std::size_t begin, std::size_t end, double* out,
                  std::size_t out_stride) {
  const std::byte* at =
      column.source.data() + static_cast<std::ptrdiff_t>(begin) * column.source.stride();
  const bool plain = is_plain(column);
  for (std::size_t row = begin; row < end; ++row) {
    T raw;
    std::memcpy(&raw, at, sizeof raw);
    *out = plain ? number_at(raw) : cooked(column.recipe, number_at(raw));
    out += out_stride;
    at += column.source.stride();
  }
}

void fill(const FeatureColumn& column, std::size_t begin, std::size_t end, double* out,
          std::size_t out_stride) {
  switch (column.source.element_type()) {
    case ElementType::float64: return fill_strided<double>(column, begin, end, out, out_stride);
    case ElementType::float32: return fill_strided<float>(column, begin, end, out, out_stride);
    case ElementType::code32:
      return fill_strided<std::int32_t>(column, begin, end, out, out_stride);
  }
}

}  // namespace

Features::Features(std::size_t rows, std::vector<FeatureColumn> columns)
    : row_major_(find_row_major<double>(columns)),
      fills_(std::any_of(columns.begin(), columns.end(), fills)),
      rows_(rows),
      cols_(columns.size()),
      columns_(std::move(columns)) {
  for (const FeatureColumn& column : columns_) {
    GRADUS_ASSERT(column.source.size() == rows_ && column.source.kind() != ColumnKind::text);
  }
}

Features::Features(std::shared_ptr<const CsrMatrix> sparse)
    : rows_(sparse->rows()), cols_(sparse->cols), sparse_(std::move(sparse)) {}

RowBlock Features::block(std::size_t begin, std::size_t end, std::vector<double>& scratch) const {
  GRADUS_ASSERT(begin <= end && end <= rows_);
  if (row_major_ != nullptr) {
    const double* rows = row_major_ + begin * cols_;
    if (!fills_ || !simd::any_nan(rows, (end - begin) * cols_)) return {rows, end - begin, cols_};
  }
  if (sparse_ != nullptr) {
    scratch.assign((end - begin) * cols_, 0.0);
    for (std::size_t row = begin; row < end; ++row) {
      const auto index = sparse_->row_index(row);
      const auto value = sparse_->row_value(row);
      double* out = scratch.data() + (row - begin) * cols_;
      for (std::size_t k = 0; k < index.size(); ++k) out[index[k]] = value[k];
    }
    return {scratch.data(), end - begin, cols_};
  }
  scratch.resize((end - begin) * cols_);
  const bool done = copy_rows(columns_, begin, end, scratch.data()) &&
                    (!fills_ || !simd::any_nan(scratch.data(), scratch.size()));
  for (std::size_t j = 0; j < cols_ && !done; ++j) {
    fill(columns_[j], begin, end, scratch.data() + j, cols_);
  }
  return {scratch.data(), end - begin, cols_};
}

FloatBlock Features::floats(std::size_t begin, std::size_t end) const {
  GRADUS_ASSERT(begin <= end && end <= rows_);
  const float* rows = fills_ ? nullptr : find_row_major<float>(columns_);
  if (rows == nullptr) return {};
  return {rows + begin * cols_, end - begin, cols_};
}

std::vector<double> Features::column(std::size_t feature) const {
  GRADUS_ASSERT(feature < cols_);
  std::vector<double> out(rows_, 0.0);
  if (sparse_ == nullptr) {
    fill(columns_[feature], 0, rows_, out.data(), 1);
    return out;
  }
  for (std::size_t row = 0; row < rows_; ++row) {
    const auto index = sparse_->row_index(row);
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (index[k] == feature) out[row] = sparse_->row_value(row)[k];
    }
  }
  return out;
}

std::vector<std::int32_t> Features::codes(std::size_t feature) const {
  const std::vector<double> numbers = column(feature);
  std::vector<std::int32_t> out;
  out.reserve(numbers.size());
  for (const double number : numbers) {
    out.push_back(std::isnan(number) ? kMissingCode : static_cast<std::int32_t>(number));
  }
  return out;
}

}  // namespace gradus
