#include "gradus/data/io/csv_chunk_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "gradus/core/decimal.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/column.hpp"
#include "gradus/data/io/large_integers.hpp"

namespace gradus::io {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 15;  // a block stays in the nearest caches
constexpr std::size_t kBlockRows = 8;  // at least this many rows of usual length

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

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

// How many bytes are marked at once: a few rows even in a wide table.
std::size_t block_bytes(const Chunk& chunk) {
  const std::size_t size = chunk.end - chunk.begin;
  const std::size_t row = size / std::max<std::size_t>(1, chunk.records);
  return std::min(size, std::max(kBlockBytes, kBlockRows * row));
}

}  // namespace

ChunkReader::ChunkReader(const Pass& pass, RawTable& table, ChunkResult& result, ChunkRoom& room)
    : pass_(pass),
      table_(table),
      result_(result),
      reader_(pass.text, pass.dialect),
      columns_(pass.uses.size()),
      delimiter_(pass.dialect.delimiter),
      max_cell_(pass.options->max_cell_bytes),
      number_format_(fast_float::chars_format::general, pass.dialect.decimal),
      plain_numbers_(pass.dialect.decimal == '.' && !pass.missing->some_are_numbers()),
      rows_(room.marks),
      recent_(room.recent),
      odd_numbers_(room.odd_numbers) {}

void ChunkReader::run(const Chunk& chunk) {
  const char* at = reader_.begin() + chunk.begin;
  const char* end = reader_.begin() + chunk.end;
  if (chunk.bare_cr) reader_.look_for_bare_cr();
  // Quotes in a comment mean nothing, and only the careful way knows what is a comment.
  const bool careful = chunk.bare_cr || (pass_.dialect.comment && chunk.quotes);
  if (!careful && at < end) {
    rows_.prepare(pass_.dialect, block_bytes(chunk));
    for (RecentCells& cells : recent_) cells.prepare(chunk.records);
  }
  while (at < end) at = careful ? read_line(at) : read_marked(at, end);
}

const char* ChunkReader::read_line(const char* at) {
  if (pass_.dialect.comment && *at == *pass_.dialect.comment) return after_line(at);
  if (*at <= ' ' && columns_ > 1 && is_blank_line(reader_, at, delimiter_)) {
    ++result_.blank_lines;
    return after_line(at);
  }
  return read_or_reject(at);
}

const char* ChunkReader::read_marked(const char* at, const char* end) {
  rows_.mark(at, end);
  if (rows_.count() == 0) {
    do at = read_line(at);
    while (rows_.odd_quote() && at < rows_.end());
    return at;
  }
  if (all_are_regular()) return read_block(0, rows_.count());
  for (std::size_t row = 0; row < rows_.count();) {
    const std::size_t first = row;
    while (row < rows_.count() && is_regular(row)) ++row;
    at = row > first ? read_block(first, row) : read_line(rows_.begin(row++));
    if (at != rows_.begin(row)) return at;
  }
  return at;
}

// A row of the table that passes no limit, for sure.
bool ChunkReader::is_regular(std::size_t row) const {
  const char* begin = rows_.begin(row);
  const auto size = static_cast<std::uint64_t>(rows_.begin(row + 1) - begin);
  return rows_.cells(row) == columns_ && size <= max_cell_ &&
         size <= pass_.options->max_line_bytes &&
         (!pass_.dialect.comment || *begin != *pass_.dialect.comment);
}

// As `is_regular` for every row, without looking at them one by one where they are together within
// the limits.
bool ChunkReader::all_are_regular() const {
  const auto size = static_cast<std::uint64_t>(rows_.begin(rows_.count()) - rows_.begin(0));
  return size <= std::min<std::uint64_t>(max_cell_, pass_.options->max_line_bytes) &&
         !pass_.dialect.comment && rows_.all_have(columns_);
}

// Reads the rows [first, last) of the marked ones.
const char* ChunkReader::read_block(std::size_t first, std::size_t last) {
  std::vector<std::size_t> known;
  for (const Dictionary& dictionary : result_.dictionaries) known.push_back(dictionary.size());
  try {
    for (std::size_t column = 0; column < columns_; ++column) {
      read_column(column, first, last - first);
    }
    result_.rows += last - first;
    accept_notes();
    return rows_.begin(last);
  } catch (const RowProblem&) {
    // The first problem in the order of the file may be another one.
    noted_.clear();
    for (std::size_t i = 0; i < known.size(); ++i) {
      result_.dictionaries[i].forget_after(known[i]);
      recent_[i].forget();
    }
  }
  const char* at = rows_.begin(first);
  while (at < rows_.begin(last)) at = read_line(at);
  return at;
}

void ChunkReader::read_column(std::size_t column, std::size_t first, std::size_t count) {
  const CellsDown cells = rows_.column(first, column, columns_);
  switch (pass_.uses[column]) {
    case Use::number:
    case Use::number_always: return read_numbers(column, cells, count);
    case Use::text: return read_texts(column, cells, count);
    case Use::nothing: return require_nothing(cells, count);
    case Use::skip: break;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const char* at = cells.begin(i);
    if (*at == '"') reader_.next(at);  // may find what breaks the grammar
  }
}

void ChunkReader::read_numbers(std::size_t column, const CellsDown& cells, std::size_t count) {
  double* out = table_.column_numbers(column) + next_row();
  const bool last = column + 1 == columns_;
  const bool plain =
      plain_numbers_ && reader_.offset(cells.begin(0)) >= decimal::kBytesBeforeEnd &&
      reader_.offset(cells.begin(count - 1)) + decimal::kBytesAfterBegin <= pass_.text.size();
  if (!plain) {
    for (std::size_t i = 0; i < count; ++i) read_number(column, result_.rows + i, cells.begin(i));
    return;
  }
  if (odd_numbers_.size() < count) odd_numbers_.resize(count);
  const std::size_t odd =
      simd::read_decimals(cells.decimals(count, last), out, odd_numbers_.data());
  for (const std::uint32_t i : std::span(odd_numbers_).first(odd)) {
    const char* begin = cells.begin(i);
    const char* end = cells.end(i);
    if (last && end > begin && end[-1] == '\r') --end;
    if (!decimal::read_plain(begin, end, out[i])) read_number(column, result_.rows + i, begin);
  }
}

void ChunkReader::read_texts(std::size_t column, const CellsDown& cells, std::size_t count) {
  const std::size_t slot = table_.slot[column];
  RecentCells& recent = recent_[slot];
  std::int32_t* codes = table_.codes[slot].get() + next_row();
  const bool last = column + 1 == columns_;
  const bool readable =
      reader_.offset(cells.begin(count - 1)) + RecentCells::kLongest <= pass_.text.size();
  for (std::size_t i = 0; i < count; ++i) {
    const char* begin = cells.begin(i);
    const char* end = cells.end(i);
    if (last && end > begin && end[-1] == '\r') --end;
    const auto size = static_cast<std::size_t>(end - begin);
    if (!readable || size > RecentCells::kLongest) {
      codes[i] = code_of_cell(column, result_.rows + i, {begin, size});
      continue;
    }
    const RecentCells::Key key = RecentCells::key_at(begin, size);
    std::int32_t code = recent.find(key);
    if (code == RecentCells::kUnknown) {
      code = code_of_cell(column, result_.rows + i, {begin, size});
      recent.remember(key, code);
    }
    codes[i] = code;
  }
}

// `raw` is the marked cell. Equal bytes give equal codes: the end of a quoted cell is known too.
std::int32_t ChunkReader::code_of_cell(std::size_t column, std::size_t row, std::string_view raw) {
  if (!raw.empty() && raw.front() == '"') {
    read_text(column, row, raw.data());
    return table_.codes[table_.slot[column]][result_.first_row + row];
  }
  const Cell cell{raw};
  if (pass_.missing->contains(cell)) return kMissingCode;
  return result_.dictionaries[table_.slot[column]].code(raw, reader_.offset(raw.data()));
}

void ChunkReader::require_nothing(const CellsDown& cells, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i) {
    if (reader_.at_record_end(cells.begin(i))) continue;
    throw RowProblem{reader_.offset(cells.begin(i)), "a cell behind the last column"};
  }
}

const char* ChunkReader::after_line(const char* at) const {
  at = std::find(at, reader_.end(), '\n');
  return at == reader_.end() ? at : at + 1;
}

const char* ChunkReader::read_or_reject(const char* start) {
  try {
    const char* next = read_row(start);
    if (static_cast<std::size_t>(next - start) > pass_.options->max_line_bytes) {
      throw RowProblem{reader_.offset(start),
                       fmt::format("the row is longer than the limit of {} bytes",
                                   pass_.options->max_line_bytes),
                       "raise --max-line-bytes", true};
    }
    ++result_.rows;
    accept_notes();
    return next;
  } catch (const RowProblem& problem) {
    if (problem.limit || pass_.options->bad_rows == BadRow::error) {
      throw_row_problem(problem, pass_.text, pass_.name);
    }
    noted_.clear();
    const char* next = next_record(reader_, start, delimiter_);
    result_.rejects.push_back({problem, reader_.offset(start), reader_.offset(next)});
    return next;
  }
}

const char* ChunkReader::read_row(const char* at) {
  const char* start = at;
  std::size_t column = 0;
  while (true) {
    if (column == columns_) refuse_count(start, at);
    at = read_cell(column, at);
    ++column;
    if (at == reader_.end() || *at != delimiter_) break;
    ++at;
  }
  const bool trailing_left_out = column + 1 == columns_ && pass_.uses.back() == Use::nothing;
  if (column != columns_ && !trailing_left_out) refuse_count(start, at);
  return reader_.after_record_end(at);
}

const char* ChunkReader::read_cell(std::size_t column, const char* at) {
  switch (pass_.uses[column]) {
    case Use::number:
    case Use::number_always: return read_number(column, result_.rows, at);
    case Use::text: return read_text(column, result_.rows, at);
    case Use::skip: sized(reader_.next(at), column); return at;
    case Use::nothing: break;
  }
  const char* start = at;
  if (!reader_.next(at).text.empty()) refuse_count(start, start);
  return at;
}

// Numbers are read where they stand; only what is no plain number is cut out as a cell first.
const char* ChunkReader::read_number(std::size_t column, std::size_t row, const char* at) {
  double& out = table_.column_numbers(column)[result_.first_row + row];
  if (!pass_.missing->some_are_numbers()) {
    double number = 0;
    const auto parsed = fast_float::from_chars_advanced(at, reader_.end(), number, number_format_);
    // The comparison also sends NaN, infinity and large integers to the careful path.
    if (parsed.ec == std::errc() && reader_.at_cell_end(parsed.ptr) &&
        std::abs(number) < kLargestExact) {
      out = number;
      return parsed.ptr;
    }
  }
  const Cell cell = sized(reader_.next(at), column);
  out = judged_number(column, row, cell);
  return at;
}

double ChunkReader::judged_number(std::size_t column, std::size_t row, const Cell& cell) {
  if (pass_.missing->contains(cell)) return kNaN;
  const std::size_t offset = reader_.offset(cell.text.data());
  const bool always = pass_.uses[column] == Use::number_always;
  const std::optional<double> number = cell_number(cell, pass_.dialect.decimal);
  if (!number) {
    if (always) refuse_cell(column, cell, "expected a number");
    noted_.push_back({column, {1, offset, row}});
    return kNaN;
  }
  if (std::isinf(*number) && !pass_.options->infinite_is_missing) {
    if (always) refuse_cell(column, cell, "expected a finite number");
    noted_.push_back({column, {.infinite = 1, .first_infinite = offset}});
    return kNaN;
  }
  if (std::isinf(*number)) return kNaN;
  if (is_large_integer(*number, cell.text)) {
    noted_.push_back({column, {.large_integers = 1, .first_large_integer = offset}});
  }
  return *number;
}

const char* ChunkReader::read_text(std::size_t column, std::size_t row, const char* at) {
  const std::size_t slot = table_.slot[column];
  const Cell cell = sized(reader_.next(at), column);
  std::int32_t code = kMissingCode;
  if (!pass_.missing->contains(cell)) {
    Dictionary& dictionary = result_.dictionaries[slot];
    const std::size_t offset = reader_.offset(cell.text.data());
    code = cell.doubled ? dictionary.code_of_copy(cell.value(buffer_), offset)
                        : dictionary.code(cell.text, offset);
  }
  table_.codes[slot][result_.first_row + row] = code;
  return at;
}

Cell ChunkReader::sized(const Cell& cell, std::size_t column) const {
  if (cell.text.size() <= max_cell_) [[likely]]
    return cell;
  throw RowProblem{reader_.offset(cell.text.data()),
                   fmt::format("the cell in column {} has {} bytes, the limit is {}",
                               in_quotes(pass_.names[column]), cell.text.size(), max_cell_),
                   "raise --max-cell-bytes", true};
}

void ChunkReader::refuse_cell(std::size_t column, const Cell& cell,
                              std::string_view expected) const {
  const std::string name = in_quotes(pass_.names[column]);
  throw RowProblem{reader_.offset(cell.text.data()),
                   fmt::format("column {}: {}, got {}", name, expected, in_quotes(cell.text)),
                   expected == "expected a number"
                       ? fmt::format("declare the column with --nominal {}", name)
                       : "read infinity as missing with --inf missing"};
}

// Counts the cells of the whole row for the message.
void ChunkReader::refuse_count(const char* start, const char* at) const {
  const char* cursor = start;
  std::size_t cells = 1;
  for (reader_.next(cursor); !reader_.at_record_end(cursor); reader_.next(++cursor)) ++cells;
  const std::size_t expected = pass_.uses.size() - (pass_.uses.back() == Use::nothing ? 1U : 0U);
  const char first = pass_.text.empty() ? '\0' : pass_.text.front();
  const bool remark = !pass_.dialect.comment && (first == '#' || first == '%');
  throw RowProblem{
      reader_.offset(at),
      fmt::format("the row has {}, expected {}", counted(cells, "cell"), expected),
      remark ? fmt::format("the file begins with {0}: skip such lines with --comment '{0}'", first)
             : "quote cells that hold the delimiter, or skip such rows with --on-bad-row "
               "reject:FILE"};
}

void ChunkReader::accept_notes() {
  for (const auto& [column, notes] : noted_) result_.notes[column].merge(notes);
  noted_.clear();
}

}  // namespace gradus::io
