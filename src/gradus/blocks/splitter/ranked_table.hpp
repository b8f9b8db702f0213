// A table of ranks: every number replaced by its place among the distinct numbers of its column.
//
// Exact trees only ever compare numbers of one column, so 32-bit ranks say all that a split needs;
// they sort by counting and are shared by all trees of a forest. Categories are their own ranks.
// What is missing has the rank after the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

struct RankedColumn {
  bool nominal = false;
  std::vector<double> values;       // numeric: the distinct numbers, ascending
  std::size_t ranks = 0;            // how many there are, without the one for missing
  std::vector<std::uint32_t> rank;  // of each row
  bool complete = false;            // numeric, and known not to miss a value
  bool is_missing(std::uint32_t r) const { return r == ranks; }
};

RankedColumn ranked_numbers(const std::vector<double>& numbers);
RankedColumn ranked_levels(const std::vector<double>& codes, std::size_t levels);

// The ranks of one column, wherever they are nearest.
struct RankedCells {
  const std::uint32_t* first = nullptr;
  std::size_t stride = 1;
  std::uint32_t rank(std::uint32_t row) const { return first[row * stride]; }
};

// The numbers of one column, row by row.
struct NumberCells {
  const double* first = nullptr;
  std::size_t stride = 1;
  double number(std::uint32_t row) const { return first[row * stride]; }
};

class RankedTable {
 public:
  RankedTable(const Features& features, const Signature& signature, const Context& context);
  // From columns that are ranked already, all of one length.
  explicit RankedTable(std::vector<RankedColumn> columns)
      : rows_(columns.empty() ? 0 : columns.front().rank.size()), columns_(std::move(columns)) {}
  // From columns of numbers (codes for nominal ones), all of one length.
  RankedTable(const std::vector<std::vector<double>>& columns, const Signature& signature,
              const Context& context);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return columns_.size(); }
  const RankedColumn& column(std::size_t j) const { return columns_[j]; }

  // Keeps the ranks (or the numbers themselves) row by row too. The rows of a small node lie far
  // apart: read by column, every cell costs a line of memory; read by row, the columns of a row
  // share a few of them.
  void keep_ranks_by_row(const Context& context);
  void keep_numbers_by_row(const Context& context);
  // For reading as many rows of a column.
  RankedCells cells(std::size_t j, std::size_t rows) const {
    if (rank_rows_.empty() || !scattered(rows)) return {columns_[j].rank.data(), 1};
    return {rank_rows_.data() + j, columns_.size()};
  }
  // Whether the numbers of as many rows are at hand.
  bool has_numbers(std::size_t rows) const { return !number_rows_.empty() && scattered(rows); }
  NumberCells numbers(std::size_t j) const { return {number_rows_.data() + j, columns_.size()}; }

 private:
  std::size_t rows_;
  std::vector<RankedColumn> columns_;
  // Whether as many rows lie far apart.
  bool scattered(std::size_t rows) const { return rows * 8 <= rows_; }

  std::vector<std::uint32_t> rank_rows_;  // rows x columns, or empty
  std::vector<double> number_rows_;       // the same
};

}  // namespace gradus
