// A table of ranks: every number replaced by its place among the distinct numbers of its column.
//
// Exact trees only ever compare numbers of one column, so 32-bit ranks say all that a split needs;
// they sort by counting and are shared by all trees of a forest. Categories are their own ranks.
// What is missing has the rank after the last.
//
// With bins, neighbouring numbers share a rank, and only the edges between bins are asked for: the
// few ranks of a column are counted instead of sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gradus/blocks/tree/between.hpp"
#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

struct RankedColumn {
  bool nominal = false;
  std::vector<double> values;  // numeric: the distinct numbers, ascending; of a bin the largest
  std::vector<double> edges;   // between each two bins; empty: every number has its own rank
  std::size_t ranks = 0;       // how many there are, without the one for missing
  std::vector<std::uint32_t> rank;  // of each row
  bool complete = false;            // numeric, and known not to miss a value
  bool is_missing(std::uint32_t r) const { return r == ranks; }
  // A threshold that parts the numbers of the ranks up to `last` from those of `next` and above.
  double cut_between(std::uint32_t last, std::uint32_t next) const {
    return edges.empty() ? between(values[last], values[next]) : edges[last];
  }
};

// How numbers are cut into bins before they are ranked.
struct RankBins {
  std::optional<int> most = {};          // of one column; nothing: every number has its own rank
  std::span<const double> weights = {};  // rows of weight 0 have no say in where the edges are
};

RankedColumn ranked_numbers(const std::vector<double>& numbers);
// By bins, of which `edges` are the edges.
RankedColumn ranked_bins(const std::vector<double>& numbers, std::vector<double> edges);
RankedColumn ranked_levels(const std::vector<double>& codes, std::size_t levels);

// The ranks of one column, wherever they are nearest.
template <class Rank>
struct RankedCells {
  const Rank* first = nullptr;
  std::size_t stride = 1;
  std::uint32_t rank(std::uint32_t row) const { return first[row * stride]; }
};

// Cells row by row; a short row lies on one line of memory.
template <class T>
struct CellRows {
  std::vector<T> cells;
  std::size_t first = 0;   // where the first row begins: at a line
  std::size_t stride = 0;  // from row to row
  bool empty() const { return cells.empty(); }
  const T* column(std::size_t j) const { return cells.data() + first + j; }
};

// The numbers of one column, row by row.
struct NumberCells {
  const double* first = nullptr;
  std::size_t stride = 1;
  double number(std::uint32_t row) const { return first[row * stride]; }
};

class RankedTable {
 public:
  RankedTable(const Features& features, const Signature& signature, const Context& context,
              const RankBins& bins = {});
  // From columns that are ranked already, all of one length.
  explicit RankedTable(std::vector<RankedColumn> columns)
      : rows_(columns.empty() ? 0 : columns.front().rank.size()), columns_(std::move(columns)) {}
  // From columns of numbers (codes for nominal ones), all of one length.
  RankedTable(const std::vector<std::vector<double>>& columns, const Signature& signature,
              const Context& context, const RankBins& bins = {});

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return columns_.size(); }
  const RankedColumn& column(std::size_t j) const { return columns_[j]; }

  // Keeps the ranks (or the numbers themselves) row by row too. The rows of a small node lie far
  // apart: read by column, every cell costs a line of memory; read by row, the columns of a row
  // share a few of them. Ranks of 8 or 16 bits, where they suffice for all columns, put 64 or 32
  // columns into one line. Numbers are not kept where they share ranks.
  void keep_ranks_by_row(const Context& context);
  void keep_numbers_by_row(const Context& context);
  // use(RankedCells) with the ranks of a column, for reading as many of its rows.
  template <class Use>
  void with_cells(std::size_t j, std::size_t rows, Use&& use) const {
    if (!tiny_rows_.empty()) {
      use(scattered(rows) ? RankedCells<std::uint8_t>{tiny_rows_.column(j), tiny_rows_.stride}
                          : RankedCells<std::uint8_t>{tiny_columns_.data() + j * rows_, 1});
    } else if (!narrow_rows_.empty()) {
      use(scattered(rows) ? RankedCells<std::uint16_t>{narrow_rows_.column(j), narrow_rows_.stride}
                          : RankedCells<std::uint16_t>{narrow_columns_.data() + j * rows_, 1});
    } else if (!wide_rows_.empty() && scattered(rows)) {
      use(RankedCells<std::uint32_t>{wide_rows_.column(j), wide_rows_.stride});
    } else {
      use(RankedCells<std::uint32_t>{columns_[j].rank.data(), 1});
    }
  }
  // use(RankedCells) with the ranks of the first column row by row; those of column j stand j
  // places behind it. False when they are not kept.
  template <class Use>
  bool with_rows(Use&& use) const {
    if (!tiny_rows_.empty()) {
      use(RankedCells<std::uint8_t>{tiny_rows_.column(0), tiny_rows_.stride});
    } else if (!narrow_rows_.empty()) {
      use(RankedCells<std::uint16_t>{narrow_rows_.column(0), narrow_rows_.stride});
    } else if (!wide_rows_.empty()) {
      use(RankedCells<std::uint32_t>{wide_rows_.column(0), wide_rows_.stride});
    } else {
      return false;
    }
    return true;
  }
  bool keeps_numbers() const { return !number_rows_.empty(); }
  // Whether the numbers of as many rows are at hand.
  bool has_numbers(std::size_t rows) const { return !number_rows_.empty() && rows <= kFewRows; }
  NumberCells numbers(std::size_t j) const { return {number_rows_.column(j), number_rows_.stride}; }

 private:
  // Numbers are four times as long as narrow ranks, but a few rows of them are near all the same,
  // and a threshold needs no search for its rank.
  static constexpr std::size_t kFewRows = 512;

  // Whether as many rows lie far apart: columns that are read from top to bottom come beforehand.
  bool scattered(std::size_t rows) const { return rows * 16 <= rows_; }

  std::size_t rows_;
  std::vector<RankedColumn> columns_;
  CellRows<std::uint8_t> tiny_rows_;
  std::vector<std::uint8_t> tiny_columns_;  // columns x rows, beside them
  CellRows<std::uint16_t> narrow_rows_;
  std::vector<std::uint16_t> narrow_columns_;  // columns x rows, beside them
  CellRows<std::uint32_t> wide_rows_;          // where 16 bits do not suffice
  CellRows<double> number_rows_;
};

}  // namespace gradus
