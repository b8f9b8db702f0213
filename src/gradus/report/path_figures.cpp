#include "gradus/report/path_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kMostPaths = 6;  // that colours can tell apart

std::vector<double> numbers_of(const Value* list) {
  std::vector<double> out;
  if (list == nullptr || !list->is_array()) return out;
  for (const Value& one : list->as_array()) {
    if (one.is_number()) out.push_back(one.as_number());
  }
  return out;
}

// The names of the coefficients without the intercept: the order of a row of the path.
std::vector<std::string> feature_names(const Value& fitted) {
  std::vector<std::string> out;
  const Value* coefficients = fitted.find("coefficients");
  if (coefficients == nullptr || !coefficients->is_object()) return out;
  for (const auto& [name, value] : coefficients->as_object()) {
    if (name != "intercept" || !out.empty()) out.push_back(name);
  }
  return out;
}

// A dashed line at the chosen alpha, from the lowest to the highest number drawn.
void mark_chosen(Chart& chart, const Value& fitted) {
  const Value* alpha = fitted.find("alpha");
  if (alpha == nullptr || !alpha->is_number()) return;
  double low = 0;
  double high = 0;
  bool any = false;
  for (const Series& series : chart.series) {
    for (const double y : series.y) {
      low = any ? std::min(low, y) : y;
      high = any ? std::max(high, y) : y;
      any = true;
    }
  }
  chart.series.push_back({.name = fmt::format("chosen: {}", readable(alpha->as_number(), 3)),
                          .mark = Mark::dashed,
                          .x = {alpha->as_number(), alpha->as_number()},
                          .y = {low, high}});
}

void add_coefficients(std::vector<Block>& out, const Value& fitted, const Value& path,
                      const std::vector<double>& alphas) {
  const Value* rows = path.find("coefficients");
  const std::vector<std::string> names = feature_names(fitted);
  if (rows == nullptr || !rows->is_array() || rows->size() != alphas.size()) return;
  std::vector<Series> all(names.size());
  for (std::size_t j = 0; j < names.size(); ++j) all[j] = {.name = names[j], .x = alphas};
  for (const Value& row : rows->as_array()) {
    const std::vector<double> numbers = numbers_of(&row);
    if (numbers.size() != names.size()) return;
    for (std::size_t j = 0; j < names.size(); ++j) all[j].y.push_back(numbers[j]);
  }
  const auto size = [](const Series& series) {
    double largest = 0;
    for (const double y : series.y) largest = std::max(largest, std::abs(y));
    return largest;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Series& a, const Series& b) { return size(a) > size(b); });
  Chart chart{.title = "Coefficients along the path",
              .description =
                  "From right to left the penalty falls and coefficients grow; those "
                  "that enter first say most.",
              .x = {.label = "alpha", .logarithmic = true},
              .y = {.label = "coefficient"}};
  if (all.size() > kMostPaths) {
    chart.description += fmt::format(" The {} largest of {} are drawn.", kMostPaths, all.size());
    all.resize(kMostPaths);
  }
  chart.series = std::move(all);
  if (chart.series.empty()) return;
  mark_chosen(chart, fitted);
  out.emplace_back(Figure{std::move(chart)});
}

void add_errors(std::vector<Block>& out, const Value& fitted, const Value& path,
                const std::vector<double>& alphas) {
  const std::vector<double> errors = numbers_of(path.find("mean_squared_error"));
  const std::vector<double> spread = numbers_of(path.find("standard_error"));
  if (errors.size() != alphas.size() || spread.size() != alphas.size()) return;
  Series line{.name = "mean squared error over the folds", .x = alphas, .y = errors};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    line.low.push_back(errors[i] - spread[i]);
    line.high.push_back(errors[i] + spread[i]);
  }
  Chart chart{.title = "Error by strength of the penalty",
              .description =
                  "The cross-validated error with its standard error; alpha is where it "
                  "is least.",
              .x = {.label = "alpha", .logarithmic = true},
              .y = {.label = "mean squared error"},
              .series = {std::move(line)}};
  mark_chosen(chart, fitted);
  out.emplace_back(Figure{std::move(chart)});
}

}  // namespace

std::vector<Block> path_figures(const Value& fitted) {
  std::vector<Block> out;
  const Value* path = fitted.find("path");
  if (path == nullptr || !path->is_object()) return out;
  const std::vector<double> alphas = numbers_of(path->find("alphas"));
  if (alphas.size() < 2) return out;
  add_coefficients(out, fitted, *path, alphas);
  add_errors(out, fitted, *path, alphas);
  return out;
}

}  // namespace gradus::report
