// Tables as LIBSVM. The label is the target (or the column "label"), a column "qid" becomes `qid:`,
// all other columns must be numbers without missing values; zeros of dense columns are left out.
#include <fmt/format.h>

#include <cmath>

#include "gradus/core/text.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/row_texts.hpp"
#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {
namespace {

struct Parts {
  const Column* label = nullptr;
  const Column* query = nullptr;
  std::vector<const Column*> features;
};

[[noreturn]] void refuse_column(const Column& column, std::string message, std::string hint = {}) {
  throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()), std::move(message),
              std::move(hint));
}

void check_complete(const Column& column) {
  refuse_infinite(column, "LIBSVM");
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (!column.missing(row)) continue;
    refuse_column(column,
                  fmt::format("LIBSVM has no form for the missing value in row {}", row + 1),
                  "fill missing values first");
  }
}

// A label must read back as one word.
void check_label(const Column& label) {
  check_complete(label);
  for (std::size_t row = 0; row < label.size() && !label.is_numeric(); ++row) {
    const std::string_view text = label.text_at(row);
    if (text.empty() || text.starts_with(kByteOrderMark) ||
        text.find_first_of(" \t\r\n#:,") != std::string_view::npos) {
      refuse_column(label, in_quotes(text) + " cannot be a label of a LIBSVM file",
                    "labels have no blanks and none of # : ,");
    }
  }
}

Parts parts_of(const Dataset& data, const WriteOptions& options) {
  Parts parts;
  const std::string label = options.target.empty() ? "label" : options.target;
  if (options.target.empty() && data.find(label) == nullptr) {
    throw Error(ErrorKind::usage, "--target", "a LIBSVM file needs a label column",
                "name the column of the labels with --target");
  }
  parts.label = &data.column(label);
  check_label(*parts.label);
  for (const Column& column : data.columns()) {
    if (column.name() == label) continue;
    if (!column.is_numeric()) {
      refuse_column(column, fmt::format("a LIBSVM file holds numbers, and this column is {}",
                                        kind_word(column.kind())));
    }
    check_complete(column);
    if (column.name() == "qid") {
      parts.query = &column;
    } else {
      parts.features.push_back(&column);
    }
  }
  return parts;
}

void add_feature(std::string& out, std::size_t index) {
  out += ' ';
  out += fmt::format_int(index).str();
  out += ':';
}

void add_sparse(std::string& out, const SparseBlock& block, std::size_t shift, std::size_t row) {
  const auto indices = block.matrix->row_index(row);
  const auto values = block.matrix->row_value(row);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (!std::isfinite(values[k])) {
      throw Error(ErrorKind::bad_data, "column " + in_quotes(block.name(indices[k])),
                  fmt::format("LIBSVM has no form for the value in row {}", row + 1),
                  "fill missing values first");
    }
    add_feature(out, indices[k] + shift);
    append_number(out, values[k]);
  }
}

}  // namespace

std::string format_libsvm(const Dataset& data, const WriteOptions& options,
                          const Context& context) {
  refuse_weights(data, "a LIBSVM file");
  const Parts parts = parts_of(data, options);
  const std::size_t first_index = data.sparse() ? data.sparse()->first_index : 1;
  return text_of_rows({}, data.rows(), context, [&](std::string& out, std::size_t row) {
    out += parts.label->cell(row);
    if (parts.query != nullptr) out += " qid:" + parts.query->cell(row);
    for (std::size_t j = 0; j < parts.features.size(); ++j) {
      if (parts.features[j]->number(row) == 0) continue;
      add_feature(out, j + first_index);
      append_number(out, *parts.features[j], row);
    }
    if (data.sparse()) add_sparse(out, *data.sparse(), first_index + parts.features.size(), row);
    out += '\n';
  });
}

}  // namespace gradus::io
