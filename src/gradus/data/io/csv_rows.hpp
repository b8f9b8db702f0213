// Some whole rows of a text with the places of all their cells.
//
// Looking for the end of each cell before the next one can be read makes every cell wait for the
// one before it. Here the ends of all cells of a few hundred rows are found first, 64 bytes at a
// time; then each column can be read down through the rows: equal cells follow each other, which
// suits the branch predictor, and no cell waits for another.
//
//   RowMarks rows;
//   rows.prepare(dialect, 1 << 15);
//   rows.mark(at, end);
//   for (std::size_t r = 0; r < rows.count(); ++r) use(rows.begin(r), rows.cells(r));
#pragma once

#include <algorithm>
#include <memory>

#include "gradus/data/io/csv_record.hpp"
#include "gradus/simd/bytes.hpp"
#include "gradus/simd/decimals.hpp"

namespace gradus::io {

// One column of rows that all have the same number of cells.
class CellsDown {
 public:
  CellsDown(const char* base, const std::uint32_t* mark, std::size_t columns)
      : base_(base), mark_(mark), columns_(columns) {}

  // The end of a cell is its delimiter or LF.
  const char* begin(std::size_t row) const {
    return base_ + static_cast<std::uint32_t>(mark_[row * columns_] + 1);
  }
  const char* end(std::size_t row) const { return base_ + mark_[row * columns_ + 1]; }
  // The first `count` rows, for reading numbers; `last` is the column before the end of the row.
  simd::DecimalCells decimals(std::size_t count, bool last) const {
    return {base_, mark_, columns_, count, last};
  }

 private:
  const char* base_;
  const std::uint32_t* mark_;  // the end of the cell before the first one
  std::size_t columns_;
};

class RowMarks {
 public:
  // Room for marking `bytes` bytes at once.
  void prepare(const Dialect& dialect, std::size_t bytes) {
    delimiter_ = dialect.delimiter;
    bytes_ = bytes;
    count_ = 0;
    if (bytes <= capacity_) return;
    capacity_ = bytes;
    ends_ = std::make_unique_for_overwrite<std::uint32_t[]>(bytes + 65);
    rows_ = std::make_unique_for_overwrite<std::uint32_t[]>(bytes);
    ends_[0] = 0xFFFFFFFF;  // one below 0: the first cell begins with the text
  }

  // Marks the rows that begin at `at` and end before `limit`, as many as there is room for.
  void mark(const char* at, const char* limit) {
    base_ = at;
    simd::CellMarks marks{ends_.get() + 1, rows_.get()};
    const auto size = std::min(bytes_, static_cast<std::size_t>(limit - at));
    simd::mark_cells({at, size}, delimiter_, marks);
    odd_quote_ = marks.odd_quote;
    count_ = odd_quote_ ? 0 : marks.rows;
    end_ = at + size;
  }

  std::size_t count() const { return count_; }
  // The quotes cannot be followed without reading cell after cell: nothing before end() is marked.
  bool odd_quote() const { return odd_quote_; }
  const char* end() const { return end_; }

  // The begin of row `count()` is where the last one ends.
  const char* begin(std::size_t row) const {
    return base_ + static_cast<std::uint32_t>(ends_[first_cell(row)] + 1);
  }
  std::size_t cells(std::size_t row) const { return rows_[row] + 1 - first_cell(row); }
  // Whether every row has `columns` cells.
  bool all_have(std::size_t columns) const {
    std::uint32_t differs = 0;
    for (std::size_t row = 0; row < count_; ++row) {
      differs |= rows_[row] ^ static_cast<std::uint32_t>((row + 1) * columns - 1);
    }
    return differs == 0;
  }
  // Row `row` and those after it, while they have `columns` cells each.
  CellsDown column(std::size_t row, std::size_t column, std::size_t columns) const {
    return {base_, ends_.get() + first_cell(row) + column, columns};
  }

 private:
  // The number of cells before the row.
  std::size_t first_cell(std::size_t row) const { return row == 0 ? 0 : rows_[row - 1] + 1; }

  char delimiter_ = ',';
  std::size_t bytes_ = 0;
  std::size_t capacity_ = 0;
  std::unique_ptr<std::uint32_t[]> ends_;  // of all cells, after the one that begins the text
  std::unique_ptr<std::uint32_t[]> rows_;  // the last cell of each row
  const char* base_ = nullptr;
  const char* end_ = nullptr;
  std::size_t count_ = 0;
  bool odd_quote_ = false;
};

}  // namespace gradus::io
