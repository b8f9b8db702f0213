// What every table reader needs: places for errors, lines, and typed columns from cells.
//
// A reader walks its text with offsets; only when something is wrong is an offset turned into
// `name:line:column`: what is wrong with a row is a RowProblem, which BadRows (bad_rows.hpp) turns
// into an Error or a line of the reject file. Cells go into one ColumnBuilder per column, which
// knows what the user declared about the column (schema.hpp) and otherwise infers: all cells
// numbers: numeric; other texts: categories, or free text by the rule that CSV follows too
// (TextRule).
//
//   const std::vector<Declaration> declared = declared_columns(names, options);
//   ColumnBuilder builder(names[0], declared[0], options.max_categories);
//   builder.add_number(17.0);
//   builder.add_missing();
//   Column age = builder.finish(report);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gradus/core/error.hpp"
#include "gradus/data/io/csv_record.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/schema.hpp"

namespace gradus::io {

// U+FEFF in UTF-8: some programs begin their files with it.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// `name:line:column` of a byte; lines end at '\n', columns count bytes from 1.
std::string place_in(const Input& input, std::size_t offset);

// A RowProblem at a byte of the text.
[[noreturn]] void refuse(std::size_t offset, std::string message, std::string hint = {});
// The same for a stated limit, which is Error{limit} and never leaves a row out.
[[noreturn]] void refuse_limit(std::size_t offset, std::string message, std::string hint = {});

// Runs `work`; what it refuses becomes an Error with its place in the file.
template <class Work>
auto as_errors(const Input& input, const Work& work) {
  try {
    return work();
  } catch (const RowProblem& problem) {
    throw_row_problem(problem, input.text, input.name);
  }
}

// Runs `work`; an Error that has no place yet is a problem of the row at `offset`.
template <class Work>
void at_offset(std::size_t offset, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (!error.where().empty()) throw;
    throw RowProblem{offset, error.message(), error.hint(), error.kind() == ErrorKind::limit};
  }
}

// Runs `work`; an Error that has no place yet gets the one that `where()` gives.
template <class Where, class Work>
void with_place(const Where& where, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (!error.where().empty()) throw;
    throw Error(error.kind(), where(), error.message(), error.hint());
  }
}

// Refuses an empty file, UTF-16, NUL bytes and invalid UTF-8; gives the offset after a byte order
// mark.
std::size_t begin_text(const Input& input);

struct Line {
  std::string_view text;  // without its end ("\n" or "\r\n")
  std::size_t offset = 0;
};

// Cuts a text into lines without copying.
class LineReader {
 public:
  LineReader(const Input& input, std::size_t offset, std::uint64_t max_line_bytes)
      : input_(input), offset_(offset), max_line_bytes_(max_line_bytes) {}
  std::optional<Line> next();
  std::size_t offset() const { return offset_; }  // where the next line begins

 private:
  const Input& input_;
  std::size_t offset_;
  std::uint64_t max_line_bytes_;
};

// One column while it is read. Errors have no place: the reader knows it and adds it.
class ColumnBuilder {
 public:
  ColumnBuilder(std::string name, Declaration declared, std::uint64_t max_categories);

  const std::string& name() const { return name_; }
  std::size_t size() const { return size_; }
  // `digits` is how a text column keeps it (default: the shortest form).
  void add_number(double value, std::string_view digits = {});
  void add_text(std::string_view text);
  void add_truth(bool value);  // a category of two: false, true
  void add_missing();
  // Takes back the cells after the first `rows` (of a row that turned out to be bad), and what
  // they alone decided about the column.
  void shrink(std::size_t rows);
  Column finish(ReadReport& report);

 private:
  enum class Holding { nothing, numbers, codes, texts };
  void hold(Holding wanted);
  void add_code(std::string_view text);
  [[noreturn]] void refuse_mix(std::string_view found) const;
  bool is_free_text() const;
  Column finished_texts();
  Column finished_codes();
  std::string why() const;

  std::string name_;
  Declaration declared_;
  std::uint64_t max_categories_;
  Holding holding_ = Holding::nothing;
  std::size_t size_ = 0;
  std::size_t decided_at_ = 0;  // the row whose cell decided what an undeclared column holds
  bool truths_ = false;
  std::vector<double> numbers_;
  std::vector<std::int32_t> codes_;
  std::vector<std::optional<std::string>> texts_;
  Levels levels_;
  std::unordered_map<std::string, std::int32_t> code_of_;
};

// Notes a decision that a reader took by itself (a declared type, a binary format).
void note_column(ReadReport& report, const Column& column, std::string why);

// A column read with the type of its file, turned into what the user declared.
Column as_declared(const Column& column, const Declaration& declared, std::uint64_t max_categories);

// Text formats have no agreed form of an infinite number: Error{bad_data} names column and row.
void refuse_infinite(const Column& column, std::string_view format);

// Error{usage} for a table with weights: `format` has no place for them.
void refuse_weights(const Dataset& data, std::string_view format);

// The table of a binary format: infinite numbers are refused (or missing, if the user says so) and
// declarations applied.
Dataset finish_numbers(const Input& input, std::vector<Column> columns, const ReadOptions& options,
                       ReadReport& report);

// Columns `prefix`1 … `prefix`n.
std::vector<std::string> numbered_names(std::string_view prefix, std::size_t count);

// Splits `before?SELECT …` at the first '?' that a SELECT, WITH, VALUES or TABLE follows.
struct QuerySource {
  std::string database;
  std::string query;
};
QuerySource split_query(const std::string& source);

}  // namespace gradus::io
