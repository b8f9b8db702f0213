// One pass over the records of a CSV text: cells to numbers and to codes of texts.
//
// Every chunk is read by one task, straight into its rows of the final columns; texts get codes of
// a dictionary per chunk and column. What a column is going to be is not decided here: a cell that
// is no number in a column that was taken for numeric is noted, and csv_types.cpp judges the notes.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "gradus/core/context.hpp"
#include "gradus/data/io/bad_rows.hpp"
#include "gradus/data/io/csv_cells.hpp"
#include "gradus/data/io/csv_chunks.hpp"
#include "gradus/data/io/csv_rows.hpp"
#include "gradus/data/io/dictionary.hpp"
#include "gradus/data/io/recent_cells.hpp"

namespace gradus::io {

// How a pass treats a column.
enum class Use : std::uint8_t {
  skip,
  number,         // taken for numeric: other cells are noted
  number_always,  // declared numeric: another cell makes the row bad
  text,
  nothing  // must be empty: what follows a trailing delimiter
};

struct Pass {
  std::string_view text;
  std::string name;  // of the file
  const ReadOptions* options = nullptr;
  Dialect dialect;
  const MissingTokens* missing = nullptr;
  std::vector<std::string> names;
  std::vector<Use> uses;
  bool text_stays = true;  // while the table is built; else texts are copied
};

// Cells of a column taken for numeric that need a decision.
struct Notes {
  std::size_t not_numbers = 0;
  std::size_t first_not_number = 0;  // byte offsets and rows of the first ones
  std::size_t first_not_number_row = 0;
  std::size_t infinite = 0;
  std::size_t first_infinite = 0;
  std::size_t large_integers = 0;  // beyond 2^53
  std::size_t first_large_integer = 0;

  void merge(const Notes& later);
};

// Dictionaries and notes of one chunk, by column.
struct ChunkResult {
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::size_t blank_lines = 0;
  std::vector<Dictionary> dictionaries;          // one per text column, by slot
  std::vector<std::vector<std::uint32_t>> uses;  // of each text of each dictionary
  std::vector<std::size_t> present;              // numbers that are there, by slot
  std::unordered_map<std::size_t, Notes> notes;
  std::vector<Reject> rejects;
};

// All distinct texts of a column in order of first appearance, and each chunk's way into them.
struct ColumnTexts {
  Dictionary all;
  std::vector<std::vector<std::int32_t>> translation;  // by chunk: local code to code in `all`
  std::size_t present = 0;                             // cells that are not missing
  std::size_t bytes = 0;                               // of all these cells

  double mean_bytes() const {
    return present == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(present);
  }
};

// The memory in which a chunk is read. Fresh memory costs more than what is done in it: one chunk
// after the other uses the same.
struct ChunkRoom {
  std::vector<Dictionary::Room> lookups;  // by slot
  std::vector<RecentCells> recent;        // by slot
  RowMarks marks;
  std::vector<std::uint32_t> odd_numbers;  // rows of a block whose numbers are read one by one
};

class SpareRooms {
 public:
  std::unique_ptr<ChunkRoom> take(std::size_t slots);
  void give(std::unique_ptr<ChunkRoom> room);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<ChunkRoom>> rooms_;
};

struct RawTable {
  std::size_t rows = 0;
  std::size_t capacity = 0;           // rows between the begins of two numeric columns
  std::shared_ptr<double[]> numbers;  // column after column
  std::vector<std::size_t> slot;      // of each column, in `numbers` or in `codes`
  std::vector<std::shared_ptr<std::int32_t[]>> codes;  // local to each chunk's dictionary
  std::vector<ColumnTexts> texts;                      // by slot, as `codes`
  std::vector<ChunkResult> chunks;
  std::size_t next_row = 0;  // of `append_columns`
  std::unique_ptr<SpareRooms> rooms;

  double* column_numbers(std::size_t column) const {
    return numbers.get() + slot[column] * capacity;
  }
  const ColumnTexts& column_texts(std::size_t column) const { return texts[slot[column]]; }
};

// How many of the values are not missing.
std::size_t numbers_among(const double* values, std::size_t count);

RawTable read_columns(const Pass& pass, const std::vector<Chunk>& chunks, const Context& context);

// The same for a text that comes piece by piece: memory for at most `rows` rows, then the chunks of
// one text (`pass.text`) after the other, then the end.
RawTable empty_columns(const Pass& pass, std::size_t rows, const Context& context);
// False, and nothing is read, when the rows do not fit.
bool append_columns(const Pass& pass, const std::vector<Chunk>& chunks, RawTable& table,
                    const Context& context);
// Moves every chunk's rows to close the gaps that blank lines, comments and bad rows left.
void close_gaps(const Pass& pass, RawTable& table, const Context& context);

}  // namespace gradus::io
