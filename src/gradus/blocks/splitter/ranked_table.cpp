#include "gradus/blocks/splitter/ranked_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/blocks/histogram/binning.hpp"
#include "gradus/blocks/splitter/number_order.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {

RankedColumn ranked_numbers(const std::vector<double>& numbers) {
  const NumberOrder order(numbers);
  RankedColumn column;
  column.rank.resize(numbers.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double number = order.number(i);
    if (column.values.empty() || column.values.back() != number) column.values.push_back(number);
    column.rank[order.row(i)] = static_cast<std::uint32_t>(column.values.size() - 1);
  }
  column.ranks = column.values.size();
  column.complete = order.size() == numbers.size();
  if (column.complete) return column;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (std::isnan(numbers[row])) column.rank[row] = static_cast<std::uint32_t>(column.ranks);
  }
  return column;
}

RankedColumn ranked_levels(const std::vector<double>& codes, std::size_t levels) {
  RankedColumn column;
  column.nominal = true;
  column.ranks = levels;
  column.rank.reserve(codes.size());
  for (const double code : codes) {
    column.rank.push_back(std::isnan(code) ? static_cast<std::uint32_t>(levels)
                                           : static_cast<std::uint32_t>(code));
  }
  return column;
}

RankedColumn ranked_bins(const std::vector<double>& numbers, std::vector<double> edges) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const std::size_t bins = edges.size() + 1;
  const EdgeSearch search(edges);
  RankedColumn column;
  column.rank.resize(numbers.size());
  column.values.assign(bins, -kNone);
  std::vector<double> least(bins, kNone);
  column.complete = true;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    const double number = numbers[row] + 0.0;  // of zeros, the positive one
    if (std::isnan(number)) {
      column.rank[row] = static_cast<std::uint32_t>(bins);
      column.complete = false;
      continue;
    }
    const std::size_t bin = search.bin_of(number);
    column.rank[row] = static_cast<std::uint32_t>(bin);
    column.values[bin] = std::max(column.values[bin], number);
    least[bin] = std::min(least[bin], number);
  }
  // Not a single number: nothing has a rank but what is missing.
  if (edges.empty() && column.values[0] == -kNone) return ranked_numbers(numbers);
  column.ranks = bins;
  column.edges = std::move(edges);
  // A bin for each number is what ranks are anyway.
  if (least == column.values) column.edges.clear();
  for (std::size_t bin = 0; bin < column.edges.size(); ++bin) {
    if (column.values[bin] == -kNone) column.values[bin] = column.edges[bin];
  }
  return column;
}

namespace {

class Ranking {
 public:
  Ranking(const Signature& signature, const RankBins& bins, std::size_t cols)
      : signature_(signature), bins_(bins), cols_(cols) {}

  RankedColumn column(const std::vector<double>& numbers, std::size_t j) const {
    const FeatureNames& names = signature_.features;
    if (names.nominal(j)) return ranked_levels(numbers, names.levels(j).size());
    if (!bins_.most) return ranked_numbers(numbers);
    return ranked_bins(numbers, column_edges(numbers, cols_,
                                             {.max_bins = static_cast<std::size_t>(*bins_.most),
                                              .weights = bins_.weights}));
  }

 private:
  const Signature& signature_;
  const RankBins& bins_;
  std::size_t cols_;
};

}  // namespace

RankedTable::RankedTable(const Features& features, const Signature& signature,
                         const Context& context, const RankBins& bins)
    : rows_(features.rows()) {
  context.require_memory(rows_ * features.cols() * (sizeof(std::uint32_t) + sizeof(double)),
                         "the ranks of all numbers");
  const Ranking ranking(signature, bins, features.cols());
  columns_ = parallel::map_slots<RankedColumn>(context, features.cols(), [&](std::size_t j) {
    return ranking.column(features.column(j), j);
  });
}

RankedTable::RankedTable(const std::vector<std::vector<double>>& columns,
                         const Signature& signature, const Context& context, const RankBins& bins)
    : rows_(columns.empty() ? 0 : columns.front().size()) {
  const Ranking ranking(signature, bins, columns.size());
  columns_ = parallel::map_slots<RankedColumn>(
      context, columns.size(), [&](std::size_t j) { return ranking.column(columns[j], j); });
}

namespace {

constexpr std::size_t kLineBytes = 64;

// From row to row: a short row lies on one line. Long rows follow each other without gaps, for a
// power of two from row to row would crowd a column into a part of the cache.
template <class T>
std::size_t stride_of(std::size_t columns) {
  return columns <= kLineBytes / sizeof(T) ? std::bit_ceil(columns) : columns;
}

// All cells in parallel: cell(column, row).
template <class T, class Cell>
CellRows<T> cells_by_row(const Context& context, const RankedTable& table, Cell cell) {
  constexpr std::size_t kBlockRows = 1024;
  constexpr std::size_t kPerLine = kLineBytes / sizeof(T);
  CellRows<T> out;
  out.stride = stride_of<T>(table.cols());
  const std::size_t count = table.rows() * out.stride + kPerLine;
  context.require_memory(count * sizeof(T), "all cells row by row");
  out.cells.resize(count);
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(out.cells.data()) % kLineBytes;
  out.first = (kLineBytes - beyond) % kLineBytes / sizeof(T);
  parallel::for_each_block(context, table.rows(), kBlockRows, [&](parallel::Block block) {
    for (std::size_t j = 0; j < table.cols(); ++j) {
      const RankedColumn& column = table.column(j);
      T* cells = out.cells.data() + out.first + j;
      for (std::size_t row = block.begin; row < block.end; ++row) {
        cells[row * out.stride] = static_cast<T>(cell(column, row));
      }
    }
  });
  return out;
}

// The ranks of all columns, one column behind the other.
template <class T>
std::vector<T> cells_by_column(const Context& context, const RankedTable& table) {
  std::vector<T> out(table.rows() * table.cols());
  const auto copy_column = [&](std::size_t j) {
    const std::vector<std::uint32_t>& rank = table.column(j).rank;
    std::transform(rank.begin(), rank.end(), out.data() + j * table.rows(),
                   [](std::uint32_t r) { return static_cast<T>(r); });
  };
  parallel::for_each_index(context, table.cols(), copy_column);
  return out;
}

}  // namespace

void RankedTable::keep_ranks_by_row(const Context& context) {
  const auto rank = [](const RankedColumn& column, std::size_t row) { return column.rank[row]; };
  std::size_t most = 0;  // what is missing has the rank after the last
  for (const RankedColumn& column : columns_) most = std::max(most, column.ranks);
  if (most <= std::numeric_limits<std::uint8_t>::max()) {
    tiny_rows_ = cells_by_row<std::uint8_t>(context, *this, rank);
    tiny_columns_ = cells_by_column<std::uint8_t>(context, *this);
  } else if (most <= std::numeric_limits<std::uint16_t>::max()) {
    narrow_rows_ = cells_by_row<std::uint16_t>(context, *this, rank);
    narrow_columns_ = cells_by_column<std::uint16_t>(context, *this);
  } else {
    wide_rows_ = cells_by_row<std::uint32_t>(context, *this, rank);
  }
}

void RankedTable::keep_numbers_by_row(const Context& context) {
  const auto usable = [](const RankedColumn& column) {
    return column.complete && column.edges.empty();
  };
  if (!std::all_of(columns_.begin(), columns_.end(), usable)) return;
  number_rows_ = cells_by_row<double>(
      context, *this,
      [](const RankedColumn& column, std::size_t row) { return column.values[column.rank[row]]; });
}

}  // namespace gradus
