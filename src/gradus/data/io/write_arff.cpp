// Tables as ARFF. Numbers are written so that they read back to the same bits; nominal levels in
// their order; row weights as `{w}`; a table with sparse features in sparse rows.
#include <fmt/format.h>

#include "gradus/core/text.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/row_texts.hpp"
#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {
namespace {

// The word as it stands in the file: in quotes where the grammar asks for it.
std::string arff_word(std::string_view word) {
  bool plain = !word.empty() && word != "?" && word.front() != '@';
  std::string out = "'";
  for (const char c : word) {
    if (static_cast<unsigned char>(c) <= ' ' ||
        std::string_view(",{}'\"%\\").find(c) != std::string_view::npos) {
      plain = false;
    }
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\'':
      case '\\': out += '\\'; [[fallthrough]];
      default: out += c;
    }
  }
  return plain ? std::string(word) : out + "'";
}

std::string type_of(const Column& column) {
  if (column.is_numeric()) return "numeric";
  if (!column.is_categorical()) return "string";
  std::string levels;
  for (const std::string& level : column.levels()) {
    levels += (levels.empty() ? "" : ",") + arff_word(level);
  }
  return "{" + levels + "}";
}

void add_value(std::string& out, const Column& column, std::size_t row) {
  if (column.missing(row)) {
    out += '?';
  } else if (column.is_numeric()) {
    append_number(out, column, row);
  } else {
    out += arff_word(column.text_at(row));
  }
}

void add_dense_row(std::string& out, std::span<const Column> columns, std::size_t row) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out += ',';
    add_value(out, columns[i], row);
  }
}

void add_sparse_row(std::string& out, std::span<const Column> columns, const CsrMatrix& matrix,
                    std::size_t row) {
  out += '{';
  for (std::size_t i = 0; i < columns.size(); ++i) {
    out += fmt::format("{}{} ", i > 0 ? "," : "", i);
    add_value(out, columns[i], row);
  }
  bool first = columns.empty();
  for (std::size_t k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k) {
    out += fmt::format("{}{} {}", first ? "" : ",", columns.size() + matrix.index[k],
                       shortest(matrix.value[k]));
    first = false;
  }
  out += '}';
}

}  // namespace

std::string format_arff(const Dataset& data, const WriteOptions& options,
                        const std::string& relation, const Context& context) {
  std::vector<Column> columns(data.columns().begin(), data.columns().end());
  if (!options.target.empty()) {
    const Column& target = data.column(options.target);
    std::erase_if(columns, [&](const Column& column) { return column.name() == options.target; });
    columns.push_back(target);
  }
  std::string out = "@relation " + arff_word(relation) + "\n\n";
  for (const Column& column : columns) {
    refuse_infinite(column, "ARFF");
    out += "@attribute " + arff_word(column.name()) + " " + type_of(column) + "\n";
  }
  if (data.sparse()) {
    for (std::size_t j = 0; j < data.sparse()->matrix->cols; ++j) {
      out += "@attribute " + data.sparse()->name(j) + " numeric\n";
    }
  }
  out += "\n@data\n";
  return text_of_rows(std::move(out), data.rows(), context,
                      [&](std::string& text, std::size_t row) {
                        if (data.sparse()) {
                          add_sparse_row(text, columns, *data.sparse()->matrix, row);
                        } else {
                          add_dense_row(text, columns, row);
                        }
                        if (!data.weights().empty())
                          text += fmt::format(",{{{}}}", shortest(data.weights()[row]));
                        text += '\n';
                      });
}

}  // namespace gradus::io
