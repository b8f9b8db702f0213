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
  // Sorted, not marked in a list of all rows: how many those are is what the file says.
  std::vector<std::size_t> examine = fold.test;
  std::sort(examine.begin(), examine.end());
  examine.erase(std::unique(examine.begin(), examine.end()), examine.end());
  if (examine.empty() || examine.size() == rows) {
    throw Error(ErrorKind::bad_data, where, "a fold has no rows to learn from, or none to test");
  }
  for (const std::size_t row : fold.train) {
    if (!std::binary_search(examine.begin(), examine.end(), row)) continue;
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

Folds folds_from_value(const Value& value, const std::string& where) {
  const Value* version = value.is_object() ? value.find("folds_version") : nullptr;
  if (version == nullptr || !(*version == Value(kVersion))) {
    throw Error(ErrorKind::bad_data, where, "this is no file of folds of version 1",
                "--save-folds writes one");
  }
  Folds out;
  const std::int64_t rows = value.at("rows").as_integer();
  if (rows < 2) {
    throw Error(ErrorKind::bad_data, where,
                fmt::format("folds need 2 rows or more, the file says {}", rows));
  }
  out.rows = static_cast<std::size_t>(rows);
  out.data_fingerprint = value.at("data_fingerprint").as_string();
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

Folds folds_from_value(const Value& value, const Dataset& data, const std::string& where) {
  Folds out = folds_from_value(value, where);
  if (out.rows != data.rows()) {
    throw Error(ErrorKind::bad_data, where,
                fmt::format("the folds are for {} rows, the data has {}", out.rows, data.rows()),
                "use the data that the folds were made for");
  }
  std::string fingerprint = data.fingerprint();
  if (!out.data_fingerprint.empty() && out.data_fingerprint != fingerprint) {
    throw Error(ErrorKind::bad_data, where,
                "the data is not the one that the folds were made for: values, names or the order "
                "of rows differ",
                "make new folds, or use the old data");
  }
  out.data_fingerprint = std::move(fingerprint);
  return out;
}

}  // namespace gradus
