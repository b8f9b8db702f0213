#include "gradus/report/influence.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kMostShown = 40;  // columns of a picture
constexpr std::size_t kMostMeans = 12;  // lines of a table of means
constexpr int kDigits = 4;

std::string short_number(double x) { return readable(x, kDigits); }

std::string measured(const Importance& importance) {
  if (importance.method == "gain") return "gain of its splits";
  if (importance.method == "split") return "number of its splits";
  return "mean size of the contributions";
}

Table importance_table(const Importance& importance) {
  const bool repeated = !importance.metric.empty();
  Table table{.header = {"column", repeated                               ? "loss of score"
                                   : importance.method == "contributions" ? "mean size"
                                                                          : measured(importance)},
              .align = {Align::left, Align::right}};
  if (repeated) {
    table.header.push_back("deviation");
    table.align.push_back(Align::right);
  }
  double largest = 0;
  for (const ColumnImportance& column : importance.columns) {
    largest = std::max(largest, column.mean);
  }
  for (const ColumnImportance& column : importance.columns) {
    std::vector<std::string> row = {column.column, short_number(column.mean)};
    if (repeated) row.push_back(short_number(column.deviation));
    table.rows.push_back(std::move(row));
    table.bars.push_back(largest > 0 ? std::clamp(column.mean / largest, 0.0, 1.0) : 0);
  }
  return table;
}

DotPlot importance_plot(const Importance& importance) {
  DotPlot plot{
      .title = "Importance of the columns",
      .label = importance.metric.empty() ? measured(importance) : "loss of " + importance.metric,
      .reference = 0.0,
      .reference_name = "nothing lost"};
  for (const ColumnImportance& column : importance.columns) {
    if (plot.rows.size() == kMostShown) break;
    plot.rows.push_back({.name = column.column, .value = column.mean, .dots = column.drops});
  }
  if (!importance.columns.empty()) {
    plot.description = fmt::format("{} is worth most: {}.", importance.columns.front().column,
                                   short_number(importance.columns.front().mean));
  }
  return plot;
}

Table mean_table(const Dependence& dependence) {
  Table table{.header = {dependence.column}, .align = {Align::left}};
  for (const std::string& output : dependence.outputs) {
    table.header.push_back(output);
    table.align.push_back(Align::right);
  }
  const std::size_t points = dependence.points();
  const std::size_t shown = dependence.levels.empty() ? std::min(points, kMostMeans) : points;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t point = shown < 2 ? 0 : i * (points - 1) / (shown - 1);
    std::vector<std::string> row = {dependence.levels.empty()
                                        ? short_number(dependence.numbers[point])
                                        : dependence.levels[point]};
    for (const std::vector<double>& mean : dependence.mean) {
      row.push_back(short_number(mean[point]));
    }
    table.rows.push_back(std::move(row));
  }
  table.left_out = points - shown;
  return table;
}

Chart line_chart(const Dependence& dependence) {
  Chart chart{
      .title = "Partial dependence on " + dependence.column,
      .x = {.label = dependence.column},
      .y = {.label = dependence.outputs.size() == 1 ? dependence.outputs.front() : "probability"}};
  // Of two classes the second says it all.
  const std::size_t first = dependence.outputs.size() == 2 ? 1 : 0;
  if (dependence.outputs.size() <= 2) {
    for (const std::vector<double>& curve : dependence.curves[first]) {
      chart.series.push_back({.mark = Mark::dashed, .x = dependence.numbers, .y = curve});
    }
  }
  for (std::size_t k = first; k < dependence.outputs.size(); ++k) {
    chart.series.push_back(
        {.name = dependence.outputs[k], .x = dependence.numbers, .y = dependence.mean[k]});
  }
  chart.description =
      fmt::format("The mean answer changes by {} at most.", short_number(dependence.range()));
  return chart;
}

}  // namespace

std::vector<Block> importance_blocks(const Importance& importance) {
  std::vector<Block> out;
  KeyValues facts{{{"method", importance.method}}};
  if (importance.rows > 0) facts.items.emplace_back("rows", std::to_string(importance.rows));
  if (!importance.metric.empty()) {
    facts.items.emplace_back(importance.metric, short_number(importance.score));
  }
  out.emplace_back(std::move(facts));
  out.emplace_back(importance_table(importance));
  return out;
}

std::vector<Block> dependence_blocks(const Dependence& dependence) {
  std::vector<Block> out;
  out.emplace_back(Heading{dependence.column});
  out.emplace_back(mean_table(dependence));
  return out;
}

std::vector<Block> importance_figures(const Importance& importance) {
  return {Figure{importance_plot(importance)}};
}

std::vector<Block> dependence_figures(const Dependence& dependence) {
  if (!dependence.levels.empty()) {
    DotPlot plot{.title = "Partial dependence on " + dependence.column,
                 .description = fmt::format("The mean answer changes by {} at most.",
                                            short_number(dependence.range())),
                 .label = dependence.outputs.back()};
    for (std::size_t i = 0; i < dependence.levels.size() && i < kMostShown; ++i) {
      plot.rows.push_back({.name = dependence.levels[i], .value = dependence.mean.back()[i]});
    }
    return {Figure{std::move(plot)}};
  }
  return {Figure{line_chart(dependence)}};
}

}  // namespace gradus::report
