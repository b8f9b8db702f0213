#include "gradus/report/model_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/dependence.hpp"
#include "gradus/report/influence.hpp"
#include "gradus/report/model_figures.hpp"
#include "gradus/report/value_blocks.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kMostValues = 30;       // rows of a table of learned values
constexpr std::size_t kMostAsked = 40;        // columns that are looked at
constexpr std::size_t kMostPictures = 4;      // of them that are drawn
constexpr std::size_t kMostRowsDrawn = 1500;  // rows of a picture
constexpr std::size_t kMostClusters = 12;     // lines of a table of means

// How far the answer goes with each column that the model learned from, the farthest first. A few
// hundred rows are enough for an order.
std::vector<std::string> moving_columns(const AnyModel& model, const Dataset& data) {
  std::vector<std::pair<double, std::string>> found;
  for (const SourceColumn& source : model.preparation().sources) {
    if (found.size() == kMostAsked) break;
    const Dependence shape =
        partial_dependence(model, data, source.name, {.points = 12, .most_rows = 200});
    found.emplace_back(shape.range(), source.name);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> out;
  for (const auto& [range, name] : found) {
    if (range > 0 && out.size() < kMostPictures) out.push_back(name);
  }
  return out;
}

// Sums of a numeric column by cluster.
struct ColumnByCluster {
  std::string name = {};
  std::vector<double> mean = {};
  double between = 0;  // sum of squares of the means, and around them
  double within = 0;
};

ColumnByCluster by_cluster(const Column& column, const std::vector<std::size_t>& labels,
                           const std::vector<double>& sizes) {
  ColumnByCluster out{.name = column.name(), .mean = std::vector<double>(sizes.size(), 0.0)};
  double total = 0;
  double rows = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (!std::isfinite(column.number(row))) continue;
    out.mean[labels[row]] += column.number(row);
    total += column.number(row);
    rows += 1;
  }
  std::vector<double> known(sizes.size(), 0.0);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (std::isfinite(column.number(row))) known[labels[row]] += 1;
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    out.mean[k] = known[k] > 0 ? out.mean[k] / known[k] : std::nan("");
    if (known[k] > 0) out.between += known[k] * std::pow(out.mean[k] - total / rows, 2);
  }
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const double x = column.number(row);
    if (std::isfinite(x)) out.within += std::pow(x - out.mean[labels[row]], 2);
  }
  return out;
}

Table mean_table(const std::vector<ColumnByCluster>& columns, const std::vector<double>& sizes) {
  Table table{.caption = "rows and mean of each column by cluster",
              .header = {"cluster", "rows"},
              .align = {Align::left, Align::right}};
  for (const ColumnByCluster& column : columns) {
    table.header.push_back(column.name);
    table.align.push_back(Align::right);
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (k == kMostClusters) {
      table.left_out = sizes.size() - k;
      break;
    }
    std::vector<std::string> row = {std::to_string(k), readable(sizes[k], 6)};
    for (const ColumnByCluster& column : columns) {
      row.push_back(std::isfinite(column.mean[k]) ? readable(column.mean[k], 4) : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Figure cluster_figure(const Dataset& data, const std::vector<std::size_t>& labels,
                      const std::vector<std::string>& axes, std::size_t clusters) {
  Chart chart{.title = "Clusters",
              .description = fmt::format(
                  "The rows over {} and {}, the columns that tell the clusters apart best.",
                  axes[0], axes[1]),
              .x = {.label = axes[0]},
              .y = {.label = axes[1]}};
  for (std::size_t k = 0; k < clusters; ++k) {
    chart.series.push_back({.name = fmt::format("cluster {}", k), .mark = Mark::points});
  }
  const Column& x = data.column(axes[0]);
  const Column& y = data.column(axes[1]);
  const std::size_t shown = std::min(labels.size(), kMostRowsDrawn);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t row = i * labels.size() / shown;
    if (!std::isfinite(x.number(row)) || !std::isfinite(y.number(row))) continue;
    chart.series[labels[row]].x.push_back(x.number(row));
    chart.series[labels[row]].y.push_back(y.number(row));
  }
  return {std::move(chart)};
}

}  // namespace

std::vector<Block> model_blocks(const AnyModel& model) {
  const Value fitted = model.fitted();
  std::vector<Block> out = model_figures(fitted);
  if (out.empty()) out = value_blocks(fitted, kMostValues);
  return out;
}

std::vector<Block> dependence_section(const AnyModel& model, const Dataset& data) {
  if (model.signature().task == Task::cluster || data.sparse() || data.rows() == 0) return {};
  std::vector<Block> out;
  for (const std::string& column : moving_columns(model, data)) {
    const Dependence shape =
        partial_dependence(model, data, column, {.points = 30, .most_rows = 1000, .curves = 20});
    for (Block& block : dependence_figures(shape)) out.push_back(std::move(block));
  }
  return out;
}

std::vector<Block> cluster_blocks(const Dataset& data, const Predictions& predictions) {
  std::vector<std::size_t> labels(predictions.rows);
  std::vector<double> sizes;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    labels[row] = predictions.label(row);
    if (labels[row] >= sizes.size()) sizes.resize(labels[row] + 1, 0.0);
    sizes[labels[row]] += 1;
  }
  std::vector<ColumnByCluster> columns;
  for (const Column& column : data.columns()) {
    if (column.is_numeric()) columns.push_back(by_cluster(column, labels, sizes));
  }
  if (columns.empty() || sizes.empty()) return {};
  std::vector<Block> out;
  if (columns.size() > 1) {
    std::vector<ColumnByCluster> order = columns;
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return a.between * b.within > b.between * a.within;
    });
    out.emplace_back(cluster_figure(data, labels, {order[0].name, order[1].name}, sizes.size()));
  }
  out.emplace_back(mean_table(columns, sizes));
  return out;
}

}  // namespace gradus::report
