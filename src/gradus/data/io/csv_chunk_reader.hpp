// Reads the records of one chunk into their rows of the table.
//
// Two ways that give the same table. The fast one takes a block of rows whose cells are marked
// (csv_rows.hpp) and reads it column by column; a cell that is no plain number or text is handed
// to the careful way, alone. The careful one reads record after record and knows every rule; it
// reads the rows that have another number of cells, comments and blank lines, and once more all
// rows of a block in which something is wrong, so that the first problem of the file is the one
// that is reported.
#pragma once

#include <fast_float/fast_float.h>

#include <string>
#include <utility>
#include <vector>

#include "gradus/data/io/csv_columns.hpp"

namespace gradus::io {

class ChunkReader {
 public:
  ChunkReader(const Pass& pass, RawTable& table, ChunkResult& result, ChunkRoom& room);

  void run(const Chunk& chunk);

 private:
  // The careful way; each returns where the next record, or the rest of this one, begins.
  const char* read_line(const char* at);
  const char* after_line(const char* at) const;
  const char* read_or_reject(const char* start);
  const char* read_row(const char* at);
  const char* read_cell(std::size_t column, const char* at);
  const char* read_number(std::size_t column, std::size_t row, const char* at);
  const char* read_text(std::size_t column, std::size_t row, const char* at);
  double judged_number(std::size_t column, std::size_t row, const Cell& cell);
  void accept_notes();

  // The fast way, for rows that begin at `at` and end before `end`.
  const char* read_marked(const char* at, const char* end);
  bool is_regular(std::size_t row) const;
  bool all_are_regular() const;
  const char* read_block(std::size_t first, std::size_t last);
  void read_column(std::size_t column, std::size_t first, std::size_t count);
  void read_numbers(std::size_t column, const CellsDown& cells, std::size_t count);
  void read_texts(std::size_t column, const CellsDown& cells, std::size_t count);
  void require_nothing(const CellsDown& cells, std::size_t count) const;
  std::int32_t code_of_cell(std::size_t column, std::size_t row, std::string_view raw);

  Cell sized(const Cell& cell, std::size_t column) const;
  [[noreturn]] void refuse_cell(std::size_t column, const Cell& cell,
                                std::string_view expected) const;
  [[noreturn]] void refuse_count(const char* start, const char* at) const;
  // The row of the table that the current row of the file becomes.
  std::size_t next_row() const { return result_.first_row + result_.rows; }

  const Pass& pass_;
  RawTable& table_;
  ChunkResult& result_;
  CellReader reader_;
  std::size_t columns_;
  char delimiter_;
  std::uint64_t max_cell_;
  fast_float::parse_options number_format_;
  bool plain_numbers_;  // a number in the usual form means itself
  std::string buffer_;
  std::vector<std::pair<std::size_t, Notes>> noted_;  // of the current rows, until accepted
  RowMarks& rows_;
  std::vector<RecentCells>& recent_;  // by slot
  std::vector<std::uint32_t>& odd_numbers_;
};

}  // namespace gradus::io
