#include "gradus/data/io/csv_columns.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/column.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus::io {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargestExact = 9007199254740992.0;  // 2^53

// Where the record after the one at `at` begins, by the same rules for quotes as the chunks.
const char* next_record(const CellReader& reader, const char* at, char delimiter) {
  bool cell_start = true;
  while (at < reader.end()) {
    if (*at == '"' && cell_start) {
      for (++at; at < reader.end(); ++at) {
        if (*at != '"') continue;
        if (at + 1 == reader.end() || at[1] != '"') break;
        ++at;
      }
      cell_start = false;
      if (at < reader.end()) ++at;
      continue;
    }
    if (*at == '\n') return at + 1;
    cell_start = *at == delimiter;
    ++at;
  }
  return at;
}

// Reads the records of one chunk into their rows.
class ChunkReader {
 public:
  ChunkReader(const Pass& pass, RawTable& table, ChunkResult& result)
      : pass_(pass),
        table_(table),
        result_(result),
        reader_(pass.text, pass.dialect),
        delimiter_(pass.dialect.delimiter),
        max_cell_(pass.options->max_cell_bytes),
        number_format_(fast_float::chars_format::general, pass.dialect.decimal) {}

  void run(const Chunk& chunk, const std::string& name) {
    if (chunk.bare_cr) reader_.look_for_bare_cr();
    const char* at = reader_.begin() + chunk.begin;
    const char* end = reader_.begin() + chunk.end;
    const bool one_column = pass_.uses.size() == 1;
    while (at < end) {
      if (pass_.dialect.comment && *at == *pass_.dialect.comment) {
        at = after_line(at);
      } else if (*at <= ' ' && !one_column && is_blank_line(reader_, at, delimiter_)) {
        ++result_.blank_lines;
        at = after_line(at);
      } else {
        at = read_or_reject(at, name);
      }
    }
  }

 private:
  const char* after_line(const char* at) const {
    at = std::find(at, reader_.end(), '\n');
    return at == reader_.end() ? at : at + 1;
  }

  const char* read_or_reject(const char* start, const std::string& name) {
    try {
      const char* next = read_row(start);
      if (static_cast<std::size_t>(next - start) > pass_.options->max_line_bytes) {
        throw RowProblem{reader_.offset(start),
                         fmt::format("the row is longer than the limit of {} bytes",
                                     pass_.options->max_line_bytes),
                         "raise --max-line-bytes", true};
      }
      ++result_.rows;
      for (const auto& [column, notes] : noted_) result_.notes[column].merge(notes);
      noted_.clear();
      return next;
    } catch (const RowProblem& problem) {
      if (problem.limit || pass_.options->bad_rows == BadRow::error) {
        throw_row_problem(problem, pass_.text, name);
      }
      noted_.clear();
      const char* next = next_record(reader_, start, delimiter_);
      result_.rejects.push_back({problem, reader_.offset(start), reader_.offset(next)});
      return next;
    }
  }

  const char* read_row(const char* at) {
    const char* start = at;
    const std::size_t columns = pass_.uses.size();
    std::size_t column = 0;
    while (true) {
      if (column == columns) refuse_count(start, at);
      at = read_cell(column, at);
      ++column;
      if (at == reader_.end() || *at != delimiter_) break;
      ++at;
    }
    const bool trailing_left_out = column + 1 == columns && pass_.uses.back() == Use::nothing;
    if (column != columns && !trailing_left_out) refuse_count(start, at);
    return reader_.after_record_end(at);
  }

  const char* read_cell(std::size_t column, const char* at) {
    switch (pass_.uses[column]) {
      case Use::number:
      case Use::number_always: return read_number(column, at);
      case Use::text: return read_text(column, at);
      case Use::skip: sized(reader_.next(at), column); return at;
      case Use::nothing: break;
    }
    const char* start = at;
    if (!reader_.next(at).text.empty()) refuse_count(start, start);
    return at;
  }

  // Numbers are read where they stand; only what is no plain number is cut out as a cell first.
  const char* read_number(std::size_t column, const char* at) {
    double& out = table_.column_numbers(column)[result_.first_row + result_.rows];
    if (!pass_.missing->some_are_numbers()) {
      double number = 0;
      const auto parsed =
          fast_float::from_chars_advanced(at, reader_.end(), number, number_format_);
      // The comparison also sends NaN, infinity and large integers to the careful path.
      if (parsed.ec == std::errc() && reader_.at_cell_end(parsed.ptr) &&
          std::abs(number) < kLargestExact) {
        out = number;
        return parsed.ptr;
      }
    }
    const Cell cell = sized(reader_.next(at), column);
    out = judged_number(column, cell);
    return at;
  }

  double judged_number(std::size_t column, const Cell& cell) {
    if (pass_.missing->contains(cell)) return kNaN;
    const std::size_t offset = reader_.offset(cell.text.data());
    const bool always = pass_.uses[column] == Use::number_always;
    const std::optional<double> number = cell_number(cell, pass_.dialect.decimal);
    if (!number) {
      if (always) refuse_cell(column, cell, "expected a number");
      noted_.push_back({column, {1, offset, result_.rows}});
      return kNaN;
    }
    if (std::isinf(*number) && !pass_.options->infinite_is_missing) {
      if (always) refuse_cell(column, cell, "expected a finite number");
      noted_.push_back({column, {.infinite = 1, .first_infinite = offset}});
      return kNaN;
    }
    if (std::isinf(*number)) return kNaN;
    if (std::abs(*number) >= kLargestExact &&
        is_integer_text(MissingTokens::without_blanks(cell.text))) {
      noted_.push_back({column, {.large_integers = 1, .first_large_integer = offset}});
    }
    return *number;
  }

  const char* read_text(std::size_t column, const char* at) {
    const std::size_t slot = table_.slot[column];
    const Cell cell = sized(reader_.next(at), column);
    std::int32_t code = kMissingCode;
    if (!pass_.missing->contains(cell)) {
      Dictionary& dictionary = result_.dictionaries[slot];
      const std::size_t offset = reader_.offset(cell.text.data());
      code = cell.doubled ? dictionary.code_of_copy(cell.value(buffer_), offset)
                          : dictionary.code(cell.text, offset);
    }
    table_.codes[slot][result_.first_row + result_.rows] = code;
    return at;
  }

  Cell sized(const Cell& cell, std::size_t column) const {
    if (cell.text.size() <= max_cell_) [[likely]]
      return cell;
    throw RowProblem{reader_.offset(cell.text.data()),
                     fmt::format("the cell in column {} has {} bytes, the limit is {}",
                                 in_quotes(pass_.names[column]), cell.text.size(), max_cell_),
                     "raise --max-cell-bytes", true};
  }

  [[noreturn]] void refuse_cell(std::size_t column, const Cell& cell,
                                std::string_view expected) const {
    const std::string name = in_quotes(pass_.names[column]);
    throw RowProblem{reader_.offset(cell.text.data()),
                     fmt::format("column {}: {}, got {}", name, expected, in_quotes(cell.text)),
                     expected == "expected a number"
                         ? fmt::format("declare the column with --nominal {}", name)
                         : "read infinity as missing with --inf missing"};
  }

  // Counts the cells of the whole row for the message.
  [[noreturn]] void refuse_count(const char* start, const char* at) const {
    const char* cursor = start;
    std::size_t cells = 1;
    for (reader_.next(cursor); !reader_.at_record_end(cursor); reader_.next(++cursor)) ++cells;
    const std::size_t expected = pass_.uses.size() - (pass_.uses.back() == Use::nothing ? 1U : 0U);
    throw RowProblem{reader_.offset(at),
                     fmt::format("the row has {} (got {}, expected {})", counted(cells, "cell"),
                                 cells, expected),
                     "quote cells that hold the delimiter, or skip such rows with --on-bad-row "
                     "reject:FILE"};
  }

  const Pass& pass_;
  RawTable& table_;
  ChunkResult& result_;
  CellReader reader_;
  char delimiter_;
  std::uint64_t max_cell_;
  fast_float::parse_options number_format_;
  std::string buffer_;
  std::vector<std::pair<std::size_t, Notes>> noted_;  // of the current row, until it is accepted
};

// Moves every chunk's rows to close the gaps that blank lines, comments and bad rows left.
void close_gaps(const Pass& pass, RawTable& table, const Context& context) {
  table.rows = 0;
  std::vector<std::size_t> target(table.chunks.size());
  bool gaps = false;
  for (std::size_t k = 0; k < table.chunks.size(); ++k) {
    target[k] = table.rows;
    table.rows += table.chunks[k].rows;
    gaps = gaps || target[k] != table.chunks[k].first_row;
  }
  parallel::for_each_index(context, pass.uses.size(), [&](std::size_t column) {
    const Use use = pass.uses[column];
    const bool numeric = use == Use::number || use == Use::number_always;
    for (std::size_t k = 0; gaps && k < target.size(); ++k) {
      const std::size_t from = table.chunks[k].first_row;
      const std::size_t count = table.chunks[k].rows;
      if (numeric) {
        double* values = table.column_numbers(column);
        std::copy(values + from, values + from + count, values + target[k]);
      } else if (use == Use::text) {
        auto* codes = table.codes[table.slot[column]].data();
        std::copy(codes + from, codes + from + count, codes + target[k]);
      }
    }
    if (use == Use::text) table.codes[table.slot[column]].resize(table.rows);
  });
  for (std::size_t k = 0; k < target.size(); ++k) {
    table.chunks[k].first_row = target[k];
    for (auto& [column, notes] : table.chunks[k].notes) notes.first_not_number_row += target[k];
  }
}

// Gives every chunk its rows. A row of c cells needs at least c bytes, so a count that cannot be
// true (many blank lines in a wide file) is replaced by an exact one before memory is taken.
void lay_out(const Pass& pass, const std::vector<Chunk>& chunks, RawTable& table,
             const Context& context) {
  std::size_t total = 0;
  for (const Chunk& chunk : chunks) total += chunk.records;
  const std::size_t columns = pass.uses.size();
  std::vector<std::size_t> rows;
  for (const Chunk& chunk : chunks) rows.push_back(chunk.records);
  const bool reads_nothing =
      std::all_of(pass.uses.begin(), pass.uses.end(), [](Use use) { return use == Use::skip; });
  if (!reads_nothing && total > (pass.text.size() + columns) / columns) {
    Pass counting = pass;
    counting.uses.assign(columns, Use::skip);
    const RawTable counted_rows = read_columns(counting, chunks, context);
    // A row that will be rejected writes its first cells before it is found bad: one place to
    // spare.
    const std::size_t spare = pass.options->bad_rows == BadRow::reject ? 1 : 0;
    for (std::size_t k = 0; k < chunks.size(); ++k) rows[k] = counted_rows.chunks[k].rows + spare;
  }
  table.chunks.resize(chunks.size());
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    table.chunks[k].first_row = table.capacity;
    table.capacity += rows[k];
  }
}

}  // namespace

void Notes::merge(const Notes& later) {
  if (not_numbers == 0) {
    first_not_number = later.first_not_number;
    first_not_number_row = later.first_not_number_row;
  }
  if (infinite == 0) first_infinite = later.first_infinite;
  if (large_integers == 0) first_large_integer = later.first_large_integer;
  not_numbers += later.not_numbers;
  infinite += later.infinite;
  large_integers += later.large_integers;
}

void throw_row_problem(const RowProblem& problem, std::string_view text, const std::string& name) {
  throw Error(problem.limit ? ErrorKind::limit : ErrorKind::bad_data,
              place_text(name, text, problem.offset), problem.message, problem.hint);
}

RawTable read_columns(const Pass& pass, const std::vector<Chunk>& chunks, const Context& context) {
  RawTable table;
  std::size_t numeric = 0;
  std::size_t texts = 0;
  for (const Use use : pass.uses) {
    const bool number = use == Use::number || use == Use::number_always;
    table.slot.push_back(number ? numeric : texts);
    numeric += number ? 1U : 0U;
    texts += use == Use::text ? 1U : 0U;
  }
  lay_out(pass, chunks, table, context);
  context.require_memory(table.capacity * (numeric * sizeof(double) + texts * 4), "the table");
  table.numbers = std::make_shared_for_overwrite<double[]>(numeric * table.capacity);
  table.codes.resize(texts);
  for (auto& codes : table.codes) codes.resize(table.capacity);
  parallel::for_each_index(context, chunks.size(), [&](std::size_t k) {
    ChunkResult& result = table.chunks[k];
    result.dictionaries.resize(texts);
    ChunkReader(pass, table, result).run(chunks[k], pass.name);
  });
  close_gaps(pass, table, context);
  return table;
}

}  // namespace gradus::io
