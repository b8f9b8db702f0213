// CSV out: RFC 4180 quotes, shortest numbers that read back to the same bits, LF line ends.
#include <span>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/csv_cells.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/row_texts.hpp"

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

// A text that would be read back as missing is quoted, which keeps it a text.
class CellWriter {
 public:
  explicit CellWriter(const WriteOptions& options)
      : options_(options), missing_(ReadOptions().missing_tokens) {}

  void text(std::string& out, std::string_view cell) const {
    const bool formula = options_.spreadsheet_safe && starts_a_formula(cell);
    if (formula || needs_quotes(cell, options_.delimiter)) {
      out += csv_cell(cell, options_.delimiter, options_.spreadsheet_safe);
    } else if (missing_.contains({cell})) {
      append_quoted(out, cell);
    } else {
      out += cell;
    }
  }

 private:
  const WriteOptions& options_;
  io::MissingTokens missing_;
};

void add_row(std::string& out, std::span<const Column> columns, std::size_t row,
             const CellWriter& writer, char delimiter) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (j > 0) out += delimiter;
    if (columns[j].missing(row)) {
      // An empty line would be a blank line; an empty cell in quotes is a missing value.
      if (columns.size() == 1) out += "\"\"";
    } else if (columns[j].is_numeric()) {
      io::append_number(out, columns[j], row);
    } else {
      writer.text(out, columns[j].text_at(row));
    }
  }
  out += '\n';
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
  if (data.sparse()) {
    throw Error(ErrorKind::usage, "--format", "a sparse table cannot be written as CSV",
                "write it as LIBSVM");
  }
  const CellWriter writer(options);
  const auto columns = data.columns();
  std::string head;
  for (std::size_t j = 0; options.header && j < columns.size(); ++j) {
    if (j > 0) head += options.delimiter;
    writer.text(head, columns[j].name());
  }
  if (options.header) head += '\n';
  const auto add = [&](std::string& text, std::size_t row) {
    add_row(text, columns, row, writer, options.delimiter);
  };
  stream_rows(head, data.rows(), context, add, sink);
}

std::string io::format_csv(const Dataset& data, const WriteOptions& options,
                           const Context& context) {
  std::string out;
  stream_csv(data, options, context, [&](std::string_view part) { out += part; });
  return out;
}

}  // namespace gradus
