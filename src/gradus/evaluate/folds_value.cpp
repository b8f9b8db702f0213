// Folds as JSON and back, with every check: a file of folds decides which rows are tested.
#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/folds.hpp"

namespace gradus {
namespace {

constexpr int kVersion = 1;

Value rows_value(const std::vector<std::size_t>& rows) {
  Value out = Value::Array();
  out.as_array().reserve(rows.size());
  for (const std::size_t row : rows) out.push_back(Value(row + 1));
  return out;
}

std::vector<std::size_t> rows_from(const Value& value, std::size_t rows, const std::string& where) {
  std::vector<std::size_t> out;
  out.reserve(value.size());
  for (const Value& item : value.as_array()) {
    const std::int64_t row = item.as_integer();
    if (row < 1 || static_cast<std::uint64_t>(row) > rows) {
      throw Error(ErrorKind::bad_data, where,
                  fmt::format("row {} is not among the {} of the data", row, counted(rows, "row")));
    }
    out.push_back(static_cast<std::size_t>(row - 1));
  }
  return out;
}

Fold fold_from(const Value& value, std::size_t rows, const std::string& where) {
  Fold fold{rows_from(value.at("test"), rows, where)};
  if (const Value* train = value.find("train")) {
    fold.train = rows_from(*train, rows, where);
    if (fold.train.empty())
      throw Error(ErrorKind::bad_data, where, "a fold has no rows to learn from");
  }
  std::vector<bool> examines(rows, false);
  std::size_t distinct = 0;
  for (const std::size_t row : fold.test) {
    if (!examines[row]) ++distinct;
    examines[row] = true;
  }
  if (distinct == 0 || distinct == rows) {
    throw Error(ErrorKind::bad_data, where, "a fold has no rows to learn from, or none to test");
  }
  for (const std::size_t row : fold.train) {
    if (!examines[row]) continue;
    throw Error(ErrorKind::bad_data, where,
                fmt::format("row {} both teaches and examines in one fold", row + 1));
  }
  return fold;
}

}  // namespace

Value to_value(const Folds& folds) {
  Value out = object({{"folds_version", kVersion}, {"scheme", scheme_word(folds.how.scheme)}});
  out["repeats"] = Value(folds.how.repeats);
  out["column"] = folds.how.column;
  out["seed"] = Value(folds.how.seed);
  out["rows"] = Value(folds.rows);
  out["data_fingerprint"] = folds.data_fingerprint;
  Value list = Value::Array();
  for (const Fold& fold : folds.folds) {
    Value one = object({{"test", rows_value(fold.test)}});
    if (!fold.train.empty()) one["train"] = rows_value(fold.train);
    list.push_back(std::move(one));
  }
  out["folds"] = std::move(list);
  return out;
}

Folds folds_from_value(const Value& value, const Dataset& data, const std::string& where) {
  const Value* version = value.is_object() ? value.find("folds_version") : nullptr;
  if (version == nullptr || !(*version == Value(kVersion))) {
    throw Error(ErrorKind::bad_data, where, "this is no file of folds of version 1",
                "--save-folds writes one");
  }
  Folds out;
  out.rows = data.rows();
  if (value.at("rows").as_integer() != static_cast<std::int64_t>(data.rows())) {
    throw Error(ErrorKind::bad_data, where,
                fmt::format("the folds are for {} rows, the data has {}",
                            value.at("rows").as_integer(), data.rows()),
                "use the data that the folds were made for");
  }
  out.data_fingerprint = data.fingerprint();
  if (value.at("data_fingerprint").as_string() != out.data_fingerprint) {
    throw Error(ErrorKind::bad_data, where,
                "the data is not the one that the folds were made for: values, names or the order "
                "of rows differ",
                "make new folds, or use the old data");
  }
  const std::vector<std::string> words = scheme_words();
  const auto word = std::find(words.begin(), words.end(), value.at("scheme").as_string());
  if (word == words.end()) throw Error(ErrorKind::bad_data, where, "the scheme is unknown");
  out.how.scheme = static_cast<FoldScheme>(word - words.begin());
  out.how.repeats =
      static_cast<std::size_t>(std::max<std::int64_t>(1, value.at("repeats").as_integer()));
  out.how.column = value.at("column").as_string();
  for (const Value& fold : value.at("folds").as_array()) {
    out.folds.push_back(fold_from(fold, out.rows, where));
  }
  if (out.folds.empty()) throw Error(ErrorKind::bad_data, where, "the file holds no folds");
  out.how.folds = out.folds.size() / out.how.repeats;
  return out;
}

}  // namespace gradus
