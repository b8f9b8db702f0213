#include "gradus/evaluate/score_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/cluster_metrics.hpp"

namespace gradus {
namespace {

void refuse_missing(const Column& column) {
  if (const std::size_t missing = column.missing_count(); missing > 0) {
    throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
                fmt::format("the value is missing in {}", counted(missing, "row")),
                "remove these rows or fill them in");
  }
}

std::vector<double> numbers_of(const Column& column) {
  if (!column.is_numeric()) {
    throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
                fmt::format("expected numbers, this is a {} column", kind_word(column.kind())));
  }
  std::vector<double> out(column.size());
  for (std::size_t row = 0; row < out.size(); ++row) {
    out[row] = column.number(row);
    if (std::isfinite(out[row])) continue;
    throw Error(ErrorKind::bad_data, "column " + in_quotes(column.name()),
                fmt::format("row {} holds no finite number", row + 1));
  }
  return out;
}

// Codes of both columns in one dictionary, in the order of levels.
struct Labels {
  std::vector<std::string> names;
  std::map<std::string, std::int32_t, std::less<>> codes;

  std::vector<std::int32_t> of(const Column& nominal) const {
    std::vector<std::int32_t> out(nominal.size());
    for (std::size_t row = 0; row < out.size(); ++row) {
      out[row] = codes.find(nominal.levels()[static_cast<std::size_t>(nominal.code(row))])->second;
    }
    return out;
  }
};

void add_occurring(std::vector<std::string>& names, const Column& nominal) {
  std::vector<bool> occurs(nominal.levels().size(), false);
  for (std::size_t row = 0; row < nominal.size(); ++row) {
    occurs[static_cast<std::size_t>(nominal.code(row))] = true;
  }
  for (std::size_t level = 0; level < occurs.size(); ++level) {
    if (occurs[level]) names.push_back(nominal.levels()[level]);
  }
}

Labels labels_of(std::vector<std::string> names) {
  sort_levels(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  Labels out;
  for (std::string& name : names) {
    out.codes.emplace(name, static_cast<std::int32_t>(out.names.size()));
    out.names.push_back(std::move(name));
  }
  return out;
}

std::vector<std::string> probability_classes(const Dataset& data) {
  std::vector<std::string> out;
  for (const Column& column : data.columns()) {
    const std::string& name = column.name();
    if (name.starts_with("p(") && name.ends_with(")"))
      out.push_back(name.substr(2, name.size() - 3));
  }
  return out;
}

std::vector<double> probabilities_of(const Dataset& data, const Labels& labels,
                                     const std::vector<std::string>& given) {
  const std::size_t width = labels.names.size();
  std::vector<double> out(data.rows() * width, 0.0);
  for (const std::string& name : given) {
    const std::vector<double> column = numbers_of(data.column("p(" + name + ")"));
    const auto k = static_cast<std::size_t>(labels.codes.find(name)->second);
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (column[row] < 0 || column[row] > 1) {
        throw Error(ErrorKind::bad_data, "column " + in_quotes("p(" + name + ")"),
                    fmt::format("a probability is from 0 to 1 (row {} has {})", row + 1,
                                shortest(column[row])));
      }
      out[row * width + k] = column[row];
    }
  }
  return out;
}

Value score_classes(const Dataset& data, const ScoreColumns& columns,
                    const EvaluateOptions& options, const Context& context) {
  const Column target = as_nominal(data.column(columns.target));
  refuse_missing(target);
  const std::vector<std::string> given = probability_classes(data);
  const Column* found = data.find(columns.prediction);
  if (found == nullptr && given.empty()) data.column(columns.prediction);  // names what is missing
  std::vector<std::string> names = given;
  add_occurring(names, target);
  std::optional<Column> prediction;
  if (found != nullptr) {
    refuse_missing(*found);
    prediction = as_nominal(*found);
    add_occurring(names, *prediction);
  }
  const Labels labels = labels_of(std::move(names));
  const std::vector<std::int32_t> actual = labels.of(target);
  std::vector<double> probabilities;
  if (!given.empty()) probabilities = probabilities_of(data, labels, given);
  std::vector<std::int32_t> predicted;
  if (prediction) {
    predicted = labels.of(*prediction);
  } else {
    const auto width = static_cast<std::ptrdiff_t>(labels.names.size());
    for (auto row = probabilities.begin(); row != probabilities.end(); row += width) {
      predicted.push_back(static_cast<std::int32_t>(std::max_element(row, row + width) - row));
    }
  }
  return evaluate_class_answers({.actual = actual,
                                 .predicted = predicted,
                                 .labels = labels.names,
                                 .numbers = probabilities,
                                 .weights = data.weights()},
                                options, context);
}

Value score_clusters(const Dataset& data, const ScoreColumns& columns) {
  const Column target = as_nominal(data.column(columns.target));
  const Column clusters = as_nominal(data.column(columns.prediction));
  refuse_missing(target);
  refuse_missing(clusters);
  std::vector<std::int32_t> a(data.rows());
  std::vector<std::int32_t> b(data.rows());
  for (std::size_t row = 0; row < data.rows(); ++row) {
    a[row] = target.code(row);
    b[row] = clusters.code(row);
  }
  Value out = object({{"n", Value(data.rows())}});
  const Value agreement = to_value(cluster_agreement(a, b, data.weights()));
  for (const auto& [name, value] : agreement.as_object()) out[name] = value;
  return out;
}

}  // namespace

Value score_table(const Dataset& table, const ScoreColumns& columns, const EvaluateOptions& options,
                  const Context& context) {
  if (table.rows() == 0) throw Error(ErrorKind::bad_data, "", "there are 0 rows to score");
  const Column& target = table.column(columns.target);
  Dataset data = table;
  if (!columns.weights.empty()) {
    std::vector<double> weights = numbers_of(table.column(columns.weights));
    check_weights(weights, table.rows());
    data = table.with_weights(std::move(weights));
  }
  const Column* prediction = table.find(columns.prediction);
  const bool numbers = target.is_numeric() && prediction != nullptr && prediction->is_numeric() &&
                       probability_classes(table).empty();
  switch (columns.task.value_or(numbers ? Task::regress : Task::classify)) {
    case Task::classify: return score_classes(data, columns, options, context);
    case Task::cluster: return score_clusters(data, columns);
    case Task::regress: break;
  }
  const std::vector<double> actual = numbers_of(target);
  const std::vector<double> predicted = numbers_of(data.column(columns.prediction));
  return score_number_answers({actual, predicted, data.weights()}, data, options, context);
}

}  // namespace gradus
