#include "gradus/blocks/rows/subset.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// Rows that are packed at a time.
constexpr std::size_t kPackedRows = 512;

bool is_all(std::span<const std::uint32_t> rows, std::size_t count) {
  if (rows.size() != count) return false;
  // As many as there are and ascending: all of them, unless one is repeated.
  for (std::size_t i = 0; i < count; ++i) {
    if (rows[i] != i) return false;
  }
  return true;
}

void copy_row(std::span<const double> row, std::span<const std::int32_t> columns, double* out) {
  if (columns.empty()) {
    std::copy(row.begin(), row.end(), out);
    return;
  }
  for (const std::int32_t j : columns) *out++ = row[static_cast<std::size_t>(j)];
}

Features dense_subset(const Features& features, const TableChoice& choice) {
  const std::size_t cols = choice.columns.empty() ? features.cols() : choice.columns.size();
  std::vector<double> cells(choice.rows.size() * cols);
  std::vector<double> scratch;
  std::size_t next = 0;
  for (std::size_t begin = 0; begin < features.rows(); begin += kPackedRows) {
    const std::size_t end = std::min(begin + kPackedRows, features.rows());
    if (next == choice.rows.size()) break;
    if (choice.rows[next] >= end) continue;
    const RowBlock block = features.block(begin, end, scratch);
    for (; next < choice.rows.size() && choice.rows[next] < end; ++next) {
      copy_row(block.row(choice.rows[next] - begin), choice.columns, cells.data() + next * cols);
    }
  }
  return features_of(std::move(cells), choice.rows.size(), cols);
}

Features sparse_subset(const CsrMatrix& matrix, const TableChoice& choice) {
  CsrArrays out;
  const std::span<const std::int32_t> columns = choice.columns;
  out.cols = columns.empty() ? matrix.cols : columns.size();
  for (const std::uint32_t row : choice.rows) {
    const auto index = matrix.row_index(row);
    const auto value = matrix.row_value(row);
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (columns.empty()) {
        out.add(index[k], value[k]);
        continue;
      }
      const auto [first, last] =
          std::equal_range(columns.begin(), columns.end(), static_cast<std::int32_t>(index[k]));
      for (auto at = first; at != last; ++at) {
        out.add(static_cast<std::uint32_t>(at - columns.begin()), value[k]);
      }
    }
    out.end_row();
  }
  return Features(std::make_shared<const CsrMatrix>(std::move(out)));
}

}  // namespace

Features features_of(std::vector<double> cells, std::size_t rows, std::size_t cols) {
  const auto owner = std::make_shared<const std::vector<double>>(std::move(cells));
  const auto stride = static_cast<std::ptrdiff_t>(cols * sizeof(double));
  std::vector<FeatureColumn> columns;
  columns.reserve(cols);
  for (std::size_t j = 0; j < cols; ++j) {
    columns.push_back(
        {Column::numeric_view("", ElementType::float64, owner->data() + j, rows, stride, owner),
         {}});
  }
  return Features(rows, std::move(columns));
}

std::uint64_t copied_bytes(const Features& features, const TableChoice& choice) {
  const bool whole = choice.columns.empty() && is_all(choice.rows, features.rows());
  if (whole || features.sparse() != nullptr) return 0;
  const std::size_t cols = choice.columns.empty() ? features.cols() : choice.columns.size();
  return choice.rows.size() * cols * sizeof(double);
}

Features subset(const Features& features, const TableChoice& choice, const Context& context) {
  GRADUS_ASSERT(std::is_sorted(choice.rows.begin(), choice.rows.end()));
  GRADUS_ASSERT(choice.rows.empty() || choice.rows.back() < features.rows());
  if (choice.columns.empty() && is_all(choice.rows, features.rows())) return features;
  if (features.sparse() != nullptr) return sparse_subset(*features.sparse(), choice);
  context.require_memory(copied_bytes(features, choice), "a copy of the chosen rows");
  return dense_subset(features, choice);
}

FeatureNames subset(const FeatureNames& names, std::span<const std::int32_t> columns) {
  if (columns.empty()) return names;
  std::vector<FeatureNames::Stored> chosen;
  chosen.reserve(columns.size());
  for (const std::int32_t j : columns) {
    const FeatureName name = names[static_cast<std::size_t>(j)];
    chosen.push_back({name.name,
                      name.nominal,
                      {name.levels.begin(), name.levels.end()},
                      {name.order.begin(), name.order.end()}});
  }
  return FeatureNames(std::move(chosen));
}

}  // namespace gradus
