// CSV out: RFC 4180 quotes, shortest numbers that read back to the same bits, LF line ends. What
// the quotes can keep apart reads back as the same table; the empty text is missing when it is
// read, and categories that are all numbers are numbers. Sparse features are written with their
// zeros.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/csv_cells.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/row_texts.hpp"
#include "gradus/data/io/table_builder.hpp"

namespace gradus {
namespace {

// A cell that begins with one of these is run as a formula by common spreadsheets.
bool starts_a_formula(std::string_view cell) {
  return !cell.empty() && std::string_view("=+-@\t\r").find(cell.front()) != std::string_view::npos;
}

bool needs_quotes(std::string_view cell, char delimiter) {
  return cell.find_first_of("\"\r\n") != std::string_view::npos ||
         cell.find(delimiter) != std::string_view::npos;
}

void append_quoted(std::string& out, std::string_view cell) {
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// Texts that our reader would take for something else are quoted, which keeps them texts: missing
// tokens, `inf`, and what holds a delimiter that the reader might decide for. A blank may be one
// too where there is one column.
class CellWriter {
 public:
  CellWriter(const WriteOptions& options, std::size_t columns)
      : options_(options),
        missing_(ReadOptions().missing_tokens),
        marks_(columns == 1 ? ",;\t| " : ",;\t|") {}

  void text(std::string& out, std::string_view cell) const {
    const bool formula = options_.spreadsheet_safe && starts_a_formula(cell);
    if (formula || needs_quotes(cell, options_.delimiter)) {
      out += csv_cell(cell, options_.delimiter, options_.spreadsheet_safe);
    } else if (reads_otherwise(cell)) {
      append_quoted(out, cell);
    } else {
      out += cell;
    }
  }

 private:
  bool reads_otherwise(std::string_view cell) const {
    if (missing_.contains({cell}) || cell.find_first_of(marks_) != std::string_view::npos)
      return true;
    const std::optional<double> number = io::cell_number({cell}, '.');
    return number && !std::isfinite(*number);
  }

  const WriteOptions& options_;
  io::MissingTokens missing_;
  std::string_view marks_;
};

// One column on its way out, with its categories as they are written.
struct OutColumn {
  const Column& column;
  std::vector<std::string> levels = {};
};

std::vector<OutColumn> out_columns(const Dataset& data, const CellWriter& writer) {
  std::vector<OutColumn> out;
  for (const Column& column : data.columns()) {
    out.push_back({column});
    if (!column.is_categorical()) continue;
    for (const std::string& level : column.levels()) {
      writer.text(out.back().levels.emplace_back(), level);
    }
  }
  return out;
}

void add_csv_cell(std::string& out, const OutColumn& source, std::size_t row,
                  const CellWriter& writer) {
  const Column& column = source.column;
  if (column.missing(row)) return;
  if (column.is_numeric()) {
    io::append_number(out, column, row);
  } else if (column.is_categorical()) {
    out += source.levels[static_cast<std::size_t>(column.code(row))];
  } else {
    writer.text(out, column.text_at(row));
  }
}

void add_sparse_cells(std::string& out, const CsrMatrix& matrix, std::size_t row, char delimiter) {
  const auto index = matrix.row_index(row);
  const auto value = matrix.row_value(row);
  std::size_t k = 0;
  for (std::size_t j = 0; j < matrix.cols; ++j) {
    if (j > 0) out += delimiter;
    if (k == index.size() || index[k] != j) {
      out += '0';
    } else if (const double number = value[k++]; !std::isnan(number)) {
      io::append_number(out, number);
    }
  }
}

bool name_stands_in_cells(const Column& column) {
  if (column.is_categorical()) {
    const Levels& levels = column.levels();
    return std::find(levels.begin(), levels.end(), column.name()) != levels.end();
  }
  if (column.is_numeric()) return false;
  const std::size_t seen = std::min(column.size(), io::kSampleRecords);  // by the reader
  for (std::size_t row = 0; row < seen; ++row) {
    if (!column.missing(row) && column.text_at(row) == column.name()) return true;
  }
  return false;
}

// Whether the reader would take the names for a row: some are numbers, or stand in their columns.
bool names_look_like_data(const Dataset& data) {
  return std::any_of(data.columns().begin(), data.columns().end(), [](const Column& column) {
    return io::cell_number({column.name()}, '.').has_value() || name_stands_in_cells(column);
  });
}

// The line of names. All of them stand in quotes where one could pass for a value: this tells the
// reader that they are names.
std::string name_line(const Dataset& data, const WriteOptions& options, const CellWriter& writer) {
  std::vector<std::string> names = data.names();
  for (std::size_t j = 0; data.sparse() && j < data.sparse()->matrix->cols; ++j) {
    names.push_back(data.sparse()->name(j));
  }
  const bool quoted = names_look_like_data(data);
  std::string line;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (j > 0) line += options.delimiter;
    quoted ? append_quoted(line, names[j]) : writer.text(line, names[j]);
  }
  return line + '\n';
}

// Zeros that nobody stored become text: that is refused where it would fill a disk.
void require_fits_dense(const Dataset& data) {
  const SparseBlock& block = *data.sparse();
  for (std::size_t j = 0; j < data.columns().size(); ++j) {
    const std::string& name = data.columns()[j].name();
    if (!name.starts_with(block.prefix)) continue;
    const std::string_view digits = std::string_view(name).substr(block.prefix.size());
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
      continue;
    throw Error(ErrorKind::usage, "column " + in_quotes(name),
                "a sparse feature has the same name, and CSV needs different ones",
                "leave it out, or write LIBSVM or ARFF instead");
  }
  constexpr double kMostBytes = 1e9;
  constexpr double kBytesOfNumber = 8;
  const auto cols = static_cast<double>(block.matrix->cols);
  const double bytes = 2 * static_cast<double>(block.matrix->rows()) * cols +
                       kBytesOfNumber * (cols + static_cast<double>(block.matrix->stored()));
  if (bytes <= kMostBytes) return;
  throw Error(ErrorKind::limit, "",
              fmt::format("{} of {} would be about {:.1f} GB of CSV, nearly all of it zeros; at "
                          "most 1 GB is written",
                          counted(data.rows(), "row"),
                          counted(block.matrix->cols, "sparse feature"), bytes / 1e9),
              "write LIBSVM or ARFF instead, which leave zeros out");
}

}  // namespace

std::string csv_cell(std::string_view cell, char delimiter, bool spreadsheet_safe) {
  std::string out;
  const std::string safe = spreadsheet_safe && starts_a_formula(cell) ? "'" : "";
  std::string text = safe + std::string(cell);
  if (needs_quotes(text, delimiter)) {
    append_quoted(out, text);
    return out;
  }
  return text;
}

void io::stream_csv(const Dataset& data, const WriteOptions& options, const Context& context,
                    const Sink& sink) {
  refuse_weights(data, "CSV");
  if (data.sparse()) require_fits_dense(data);
  const std::size_t features = data.sparse() ? data.sparse()->matrix->cols : 0;
  const CellWriter writer(options, data.columns().size() + features);
  const std::vector<OutColumn> columns = out_columns(data, writer);
  const bool one_cell = columns.size() == 1 && features == 0;
  const auto add = [&](std::string& text, std::size_t row) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (j > 0) text += options.delimiter;
      add_csv_cell(text, columns[j], row, writer);
    }
    // An empty line would be a blank line; an empty cell in quotes is a missing value.
    if (one_cell && columns.front().column.missing(row)) text += "\"\"";
    if (features > 0) {
      if (!columns.empty()) text += options.delimiter;
      add_sparse_cells(text, *data.sparse()->matrix, row, options.delimiter);
    }
    text += '\n';
  };
  stream_rows(options.header ? name_line(data, options, writer) : "", data.rows(), context, add,
              sink);
}

std::string io::format_csv(const Dataset& data, const WriteOptions& options,
                           const Context& context) {
  std::string out;
  stream_csv(data, options, context, [&](std::string_view part) { out += part; });
  return out;
}

}  // namespace gradus
