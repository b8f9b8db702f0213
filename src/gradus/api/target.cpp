#include "gradus/api/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_map>

#include "gradus/api/fit_parts.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

void refuse_missing_target(const Column& column) {
  std::size_t missing = 0;
  std::size_t first = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (column.missing(row) && missing++ == 0) first = row + 1;
  }
  if (missing == 0) return;
  throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
              fmt::format("the target contains NaN (missing) in {}, the first is row {}",
                          counted(missing, "row"), first),
              "remove these rows or fill them in");
}

// "; the columns are a, b, c", cut where there are many.
std::string listed_columns(const Dataset& data) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> names = data.names();
  if (names.empty()) return "";
  const std::string more = names.size() > kMost ? ", …" : "";
  names.resize(std::min(names.size(), kMost));
  return "; the columns are " + join(names, ", ") + more;
}

// Class labels coded as numbers are few or whole; anything else is a quantity to be regressed.
void refuse_continuous(const Column& column) {
  constexpr std::size_t kFewValues = 100;
  std::set<double> distinct;
  bool whole = true;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double x = column.number(row);
    if (distinct.size() <= kFewValues) distinct.insert(x);
    whole = whole && x == std::floor(x);
  }
  const bool few = distinct.size() <= kFewValues && distinct.size() * 2 <= column.size();
  if (whole || few) return;
  throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
              "Unknown label type: the target is continuous, and this learner needs classes",
              "use a learner for regression, or make classes of the numbers first");
}

void read_classes(TargetData& out, const Column& column) {
  if (column.is_numeric()) refuse_continuous(column);
  const Column nominal = as_nominal(column);
  // Levels that no row has (declared in the file, or left over from a split) are not classes.
  std::vector<std::int32_t> index(nominal.levels().size(), kMissingCode);
  for (std::size_t row = 0; row < nominal.size(); ++row) {
    index[static_cast<std::size_t>(nominal.code(row))] = 0;
  }
  for (std::size_t level = 0; level < index.size(); ++level) {
    if (index[level] == kMissingCode) continue;
    index[level] = static_cast<std::int32_t>(out.classes.size());
    out.classes.push_back(nominal.levels()[level]);
  }
  out.codes.reserve(nominal.size());
  for (std::size_t row = 0; row < nominal.size(); ++row) {
    out.codes.push_back(index[static_cast<std::size_t>(nominal.code(row))]);
  }
}

std::int32_t code_among(const std::vector<std::string>& classes, std::string_view name) {
  const auto found = std::find(classes.begin(), classes.end(), name);
  return found == classes.end() ? kMissingCode : static_cast<std::int32_t>(found - classes.begin());
}

// Codes over classes that are settled already, kMissingCode for others. Numbers that are classes
// are few: each is turned into its name once, and not once for every row.
std::vector<std::int32_t> codes_of_numbers(const std::vector<std::string>& classes,
                                           const Column& column) {
  std::unordered_map<double, std::int32_t> known;
  std::vector<std::int32_t> codes(column.size());
  for (std::size_t row = 0; row < codes.size(); ++row) {
    const auto [entry, fresh] = known.try_emplace(column.number(row), kMissingCode);
    if (fresh) entry->second = code_among(classes, column.cell(row));
    codes[row] = entry->second;
  }
  return codes;
}

std::vector<std::int32_t> codes_of_levels(const std::vector<std::string>& classes,
                                          const Column& column) {
  std::vector<std::int32_t> translation;
  for (const std::string& level : column.levels()) {
    translation.push_back(code_among(classes, level));
  }
  std::vector<std::int32_t> codes(column.size());
  for (std::size_t row = 0; row < codes.size(); ++row) {
    codes[row] = translation[static_cast<std::size_t>(column.code(row))];
  }
  return codes;
}

// `out.classes` are settled already; a row of another one is refused.
void read_known_classes(TargetData& out, const Column& column, std::string_view complaint) {
  out.codes = column.is_numeric() ? codes_of_numbers(out.classes, column)
                                  : codes_of_levels(out.classes, as_nominal(column));
  const auto unknown = std::find(out.codes.begin(), out.codes.end(), kMissingCode);
  if (unknown == out.codes.end()) return;
  const auto row = static_cast<std::size_t>(unknown - out.codes.begin());
  throw Error(
      ErrorKind::bad_data, "column " + in_quotes(column.name()),
      fmt::format("row {}: the class {} {}", row + 1, in_quotes(column.cell(row)), complaint),
      "the classes are " + join(out.classes, ", "));
}

void read_numbers(TargetData& out, const std::vector<const Column*>& columns) {
  const std::size_t rows = columns.front()->size();
  out.numbers.resize(rows * columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Column& column = *columns[k];
    if (!column.is_numeric()) {
      throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
                  fmt::format("regression needs a numeric target, this one is {}",
                              kind_word(column.kind())),
                  "use a learner for classification");
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const double y = column.number(row);
      if (std::isinf(y)) {
        throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
                    fmt::format("the target contains infinity in row {}", row + 1));
      }
      out.numbers[row * columns.size() + k] = y;
    }
  }
}

Task decide_task(const Info& info, const Column& column, std::optional<Task> wanted) {
  if (wanted && !info.tasks.has(*wanted)) {
    throw Error(ErrorKind::usage, "--task",
                fmt::format("{} does no {}", info.name, task_word(*wanted)));
  }
  if (wanted) return *wanted;
  const bool both = info.tasks.has(Task::classify) && info.tasks.has(Task::regress);
  if (both) return column.is_numeric() ? Task::regress : Task::classify;
  return info.tasks.has(Task::classify) ? Task::classify : Task::regress;
}

std::vector<const Column*> target_columns(const Info& info, const Dataset& data,
                                          const std::vector<std::string>& target) {
  std::vector<const Column*> columns;
  columns.reserve(target.size());
  for (const std::string& name : target) columns.push_back(&named_column(data, name, "--target"));
  if (columns.size() > 1 && !info.accepts.has(Accept::many_outputs)) {
    throw Error(ErrorKind::usage, "--target",
                fmt::format("{} takes one target, got {}", info.name, columns.size()));
  }
  for (const Column* column : columns) refuse_missing_target(*column);
  return columns;
}

}  // namespace

std::vector<double> TargetData::for_encoding() const {
  if (task == Task::regress && outputs.size() == 1) return numbers;
  if (task != Task::classify || classes.size() != 2) return {};
  return {codes.begin(), codes.end()};
}

TargetData read_target(const Info& info, const Dataset& data, const TargetChoice& choice) {
  const std::vector<std::string>& target = choice.columns;
  TargetData out;
  if (info.tasks.has(Task::cluster)) {
    if (!target.empty()) {
      throw Error(ErrorKind::usage, "--target",
                  fmt::format("{} learns without a target", info.name),
                  "leave the column out with --ignore instead");
    }
    out.outputs = {"cluster"};
    return out;
  }
  if (target.empty()) {
    throw Error(ErrorKind::usage, "--target",
                fmt::format("{} learns to predict a target, and none is named", info.name),
                "name the column to predict with --target" + listed_columns(data));
  }
  const std::vector<const Column*> columns = target_columns(info, data, target);
  out.task = decide_task(info, *columns.front(), choice.task);
  if (out.task == Task::classify && columns.size() > 1) {
    throw Error(ErrorKind::usage, "--target", "classification takes one target");
  }
  out.outputs = target;
  if (out.task == Task::classify && !choice.classes.empty()) {
    out.classes = choice.classes;
    const std::set<std::string_view> distinct(out.classes.begin(), out.classes.end());
    if (distinct.size() != out.classes.size()) {
      throw Error(ErrorKind::usage, "--classes", "a class is named twice");
    }
    read_known_classes(out, *columns.front(), "is not one of those declared");
  } else if (out.task == Task::classify) {
    read_classes(out, *columns.front());
  } else {
    read_numbers(out, columns);
  }
  return out;
}

TargetData match_target(const Signature& signature, const Dataset& data) {
  TargetData out;
  out.task = signature.task;
  out.classes = signature.classes;
  out.outputs = signature.outputs;
  if (signature.task == Task::cluster) return out;
  std::vector<const Column*> columns;
  for (const std::string& name : signature.outputs) {
    columns.push_back(&data.column(name));
    refuse_missing_target(*columns.back());
  }
  if (signature.task == Task::regress) {
    read_numbers(out, columns);
    return out;
  }
  read_known_classes(out, *columns.front(), "did not occur in training");
  return out;
}

}  // namespace gradus
