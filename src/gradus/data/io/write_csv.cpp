// CSV out: RFC 4180 quotes, shortest numbers that read back to the same bits, LF line ends.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/csv_cells.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/parallel/parallel.hpp"

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

  static void number(std::string& out, const Column& column, std::size_t row) {
    const double value = column.number(row);
    if (std::isnan(value)) return;
    if (!std::isfinite(value)) {
      out += value > 0 ? "inf" : "-inf";
      return;
    }
    char buffer[64];
    const auto end = column.element_type() == ElementType::float32
                         ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value))
                         : std::to_chars(buffer, buffer + sizeof buffer, value);
    out.append(buffer, end.ptr);
  }

 private:
  const WriteOptions& options_;
  io::MissingTokens missing_;
};

constexpr std::size_t kBlockRows = 8192;

std::string rows_as_csv(const Dataset& data, const CellWriter& writer, char delimiter,
                        const parallel::Block& rows) {
  const auto columns = data.columns();
  std::string out;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (j > 0) out += delimiter;
      if (columns[j].missing(row)) {
        // An empty line would be a blank line; an empty cell in quotes is a missing value.
        if (columns.size() == 1) out += "\"\"";
      } else if (columns[j].is_numeric()) {
        CellWriter::number(out, columns[j], row);
      } else {
        writer.text(out, columns[j].text_at(row));
      }
    }
    out += '\n';
  }
  return out;
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

std::string io::format_csv(const Dataset& data, const WriteOptions& options,
                           const Context& context) {
  if (data.sparse()) {
    throw Error(ErrorKind::usage, "--format", "a sparse table cannot be written as CSV",
                "write it as LIBSVM");
  }
  const CellWriter writer(options);
  const auto columns = data.columns();
  std::string out;
  for (std::size_t j = 0; options.header && j < columns.size(); ++j) {
    if (j > 0) out += options.delimiter;
    writer.text(out, columns[j].name());
  }
  if (options.header) out += '\n';
  // Blocks of rows become texts of their own, in parallel, and are joined in their order.
  const std::size_t blocks = parallel::block_count(data.rows(), kBlockRows);
  const auto texts = parallel::map_slots<std::string>(context, blocks, [&](std::size_t k) {
    const std::size_t first = k * kBlockRows;
    return rows_as_csv(data, writer, options.delimiter,
                       {first, std::min(first + kBlockRows, data.rows()), k});
  });
  std::size_t size = out.size();
  for (const std::string& text : texts) size += text.size();
  out.reserve(size);
  for (const std::string& text : texts) out += text;
  return out;
}

}  // namespace gradus
