// Tables as JSON Lines: one object per row; missing values are null. Categories false and
// true alone are written as truths, all other categories as texts.
#include "gradus/core/text.hpp"
#include "gradus/core/value.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {
namespace {

// Two categories true and false go out as the truths they came from.
bool holds_truths(const Column& column) {
  return column.kind() == ColumnKind::nominal && column.levels() == Levels{"false", "true"};
}

std::string cell_of(const Column& column, std::size_t row, bool truths) {
  if (column.missing(row)) return "null";
  if (column.is_numeric()) return column.cell(row);
  if (truths) return std::string(column.text_at(row));
  return to_json(Value(column.text_at(row)));
}

}  // namespace

std::string format_jsonl(const Dataset& data, const WriteOptions&) {
  if (!data.weights().empty()) {
    throw Error(ErrorKind::usage, "weights", "JSON Lines cannot hold the weights of rows",
                "write ARFF instead");
  }
  if (data.sparse()) {
    throw Error(ErrorKind::usage, "", "JSON Lines cannot hold sparse features",
                "write LIBSVM or ARFF instead");
  }
  std::vector<std::string> keys;
  std::vector<bool> truths;
  for (const Column& column : data.columns()) {
    refuse_infinite(column, "JSON");
    keys.push_back((keys.empty() ? "{" : ",") + to_json(Value(column.name())) + ":");
    truths.push_back(holds_truths(column));
  }
  std::string out;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (std::size_t j = 0; j < keys.size(); ++j) {
      out += keys[j];
      out += cell_of(data.columns()[j], row, truths[j]);
    }
    out += "}\n";
  }
  return out;
}

}  // namespace gradus::io
