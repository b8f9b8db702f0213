// JSON Lines: one row per line, either an object or an array of cells.
//
//   {"age": 39, "job": "clerk", "paid": true}
//   {"age": null, "job": "cook", "paid": false}
//
// The first row gives the columns and their order (an array: x1 … xd); every further row must have
// the same keys, in any order. null is a missing value; true and false are two categories.
#include <fmt/format.h>

#include <unordered_map>

#include "gradus/core/text.hpp"
#include "gradus/data/io/bad_rows.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/json_cells.hpp"
#include "gradus/data/io/large_integers.hpp"
#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {
namespace {

class JsonlReader {
 public:
  JsonlReader(const Input& input, const ReadOptions& options, ReadReport& report)
      : input_(input), options_(options), report_(report), scanner_(options) {}

  Dataset read() {
    LineReader lines(input_, begin_text(input_), options_.max_line_bytes);
    std::size_t blank_lines = 0;
    JsonRow row;
    while (const std::optional<Line> line = lines.next()) {
      if (trim(line->text).empty()) {
        ++blank_lines;
        continue;
      }
      const bool good = read_or_reject(*line, options_, rejects_, [&] {
        scanner_.scan(*line, row);
        if (builders_.empty()) start(row, *line);
        add_row(row, *line);
      });
      if (!good) take_back_row();
    }
    report_rejects(input_, rejects_, options_, report_);
    if (builders_.empty())
      throw Error(ErrorKind::bad_data, input_.name, "the file has no data rows");
    if (blank_lines > 0)
      report_.warnings.push_back(counted(blank_lines, "blank line") + " skipped");
    return finish();
  }

 private:
  void start(const JsonRow& row, const Line& line);
  void add_row(const JsonRow& row, const Line& line);
  void take_back_row();
  std::size_t column_of(const JsonCell& cell, std::size_t position);
  void add_cell(std::size_t column, const JsonCell& cell);
  [[noreturn]] void refuse_missing_key(const Line& line) const;
  Dataset finish();

  const Input& input_;
  const ReadOptions& options_;
  ReadReport& report_;
  JsonRowScanner scanner_;
  bool arrays_ = false;
  std::vector<ColumnBuilder> builders_;
  std::vector<JsonCellKind> kinds_;         // what each column holds; null while only missing
  std::vector<JsonCellKind> kinds_before_;  // the row at hand; kept when rows can be rejected
  std::vector<Reject> rejects_;
  std::unordered_map<std::string, std::size_t> column_of_key_;
  std::vector<std::size_t> key_offset_;  // in the row at hand
  LargeIntegerNotes large_integers_;
  std::size_t rows_ = 0;
};

// The columns, as the first row names them.
void JsonlReader::start(const JsonRow& row, const Line& line) {
  if (row.count == 0) refuse(line.offset, "the first row has no cells");
  arrays_ = row.is_array;
  column_of_key_.clear();  // of a first row that turned out to be bad
  std::vector<std::string> names = numbered_names("x", arrays_ ? row.count : 0);
  for (std::size_t i = 0; i < row.count && !arrays_; ++i) {
    const JsonCell& cell = row.cells[i];
    if (cell.key.empty()) refuse(cell.key_offset, "a key must not be empty");
    const auto [entry, fresh] = column_of_key_.emplace(cell.key, i);
    if (!fresh) {
      refuse(cell.key_offset,
             fmt::format("the key {} stands twice, first at {}", in_quotes(cell.key),
                         place_in(input_, row.cells[entry->second].key_offset)));
    }
    names.push_back(cell.key);
  }
  const std::vector<Declaration> declared = declared_columns(names, options_);
  for (std::size_t j = 0; j < names.size(); ++j) {
    builders_.emplace_back(names[j], declared[j], options_.max_categories);
  }
  kinds_.assign(names.size(), JsonCellKind::null);
  key_offset_.assign(names.size(), 0);
}

void JsonlReader::add_row(const JsonRow& row, const Line& line) {
  if (row.is_array != arrays_) {
    refuse(line.offset, arrays_ ? "this row is an object, and the first is an array"
                                : "this row is an array, and the first is an object");
  }
  if (arrays_ && row.count != builders_.size()) {
    refuse(line.offset, fmt::format("row {} has {}, and the first row has {}", rows_ + 1,
                                    counted(row.count, "cell"), builders_.size()));
  }
  if (options_.bad_rows == BadRow::reject) kinds_before_ = kinds_;
  for (std::size_t i = 0; i < row.count; ++i) {
    const JsonCell& cell = row.cells[i];
    add_cell(arrays_ ? i : column_of(cell, i), cell);
  }
  if (row.count != builders_.size()) refuse_missing_key(line);
  large_integers_.keep_row();
  ++rows_;
}

void JsonlReader::take_back_row() {
  bool added = false;
  for (ColumnBuilder& builder : builders_) {
    added = added || builder.size() > rows_;
    builder.shrink(rows_);
  }
  if (added) kinds_ = kinds_before_;
  large_integers_.drop_row();
}

// Rows mostly have their keys in the order of the first one: that column is tried before the map.
std::size_t JsonlReader::column_of(const JsonCell& cell, std::size_t position) {
  std::size_t column = position;
  if (position >= builders_.size() || builders_[position].name() != cell.key) {
    const auto found = column_of_key_.find(cell.key);
    if (found == column_of_key_.end()) {
      std::vector<std::string> names;
      for (const ColumnBuilder& builder : builders_) names.push_back(builder.name());
      refuse(cell.key_offset, fmt::format("the first row has no key {}", in_quotes(cell.key)),
             did_you_mean(cell.key, names));
    }
    column = found->second;
  }
  if (builders_[column].size() > rows_) {
    refuse(cell.key_offset, fmt::format("the key {} stands twice, first at {}", in_quotes(cell.key),
                                        place_in(input_, key_offset_[column])));
  }
  key_offset_[column] = cell.key_offset;
  return column;
}

void JsonlReader::add_cell(std::size_t column, const JsonCell& cell) {
  ColumnBuilder& builder = builders_[column];
  if (cell.kind == JsonCellKind::null) return builder.add_missing();
  // Truths are categories of their own: not the texts "true" and "false".
  const bool texts = cell.kind == JsonCellKind::truth || cell.kind == JsonCellKind::text;
  if (texts && kinds_[column] != JsonCellKind::null && kinds_[column] != cell.kind &&
      kinds_[column] != JsonCellKind::number) {
    refuse(cell.offset,
           fmt::format("column {} mixes texts with true and false", in_quotes(builder.name())));
  }
  kinds_[column] = cell.kind;
  at_offset(cell.offset, [&] {
    if (cell.kind == JsonCellKind::number) {
      if (!cell.text.empty()) large_integers_.note(column, cell.offset, cell.text);
      builder.add_number(cell.number, cell.text);
    } else if (cell.kind == JsonCellKind::truth) {
      builder.add_truth(cell.number != 0);
    } else {
      builder.add_text(cell.text);
    }
  });
}

void JsonlReader::refuse_missing_key(const Line& line) const {
  for (const ColumnBuilder& builder : builders_) {
    if (builder.size() > rows_) continue;
    refuse(line.offset, fmt::format("row {} has no key {}", rows_ + 1, in_quotes(builder.name())),
           "write null for a missing value");
  }
  GRADUS_ASSERT(false && "a row of another size lacks a key");
}

Dataset JsonlReader::finish() {
  report_.format = arrays_ ? "jsonl, rows are arrays" : "jsonl, rows are objects";
  std::vector<Column> columns;
  for (ColumnBuilder& builder : builders_) columns.push_back(builder.finish(report_));
  for (const auto& [column, found] : large_integers_.columns()) {
    if (!columns[column].is_numeric()) continue;  // texts keep their digits
    const std::string& name = columns[column].name();
    tell_large_integers({place_in(input_, found.first), "column " + in_quotes(name), found.count,
                         in_quotes(found.digits), keep_digits_hint(name)},
                        options_, report_);
  }
  return Dataset(std::move(columns));
}

}  // namespace

Dataset parse_jsonl(const Input& input, const ReadOptions& options, ReadReport& report) {
  return as_errors(input, [&] { return JsonlReader(input, options, report).read(); });
}

}  // namespace gradus::io
