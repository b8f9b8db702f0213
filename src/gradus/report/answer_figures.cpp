#include "gradus/report/answer_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gradus::report {
namespace {

constexpr std::size_t kMostAnswers = 1500;
constexpr std::size_t kCurvePoints = 200;
constexpr std::size_t kGridSide = 120;
constexpr std::size_t kMostColours = 6;  // that colours can tell apart

struct Extent {
  double low = 0;
  double high = 0;
  double at(std::size_t i, std::size_t count) const {
    return low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1);
  }
};

// Nothing can be drawn along a column without two different finite numbers.
bool find_range(const Column& column, Extent& out) {
  bool any = false;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double x = column.number(row);
    if (!std::isfinite(x)) continue;
    out.low = any ? std::min(out.low, x) : x;
    out.high = any ? std::max(out.high, x) : x;
    any = true;
  }
  return any && out.low < out.high;
}

std::vector<std::size_t> shown_rows(std::size_t rows) {
  const std::size_t count = std::min(rows, kMostAnswers);
  std::vector<std::size_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = i * rows / count;
  return out;
}

bool all_numeric(const AnyModel& model, const Dataset& data) {
  const auto& sources = model.preparation().sources;
  return !model.preparation().sparse &&
         std::all_of(sources.begin(), sources.end(), [&](const SourceColumn& source) {
           const Column* column = data.find(source.name);
           return source.kind == ColumnKind::numeric && column != nullptr && column->is_numeric();
         });
}

void add_curve(std::vector<Block>& out, const AnyModel& model, const Dataset& data) {
  const std::string& name = model.preparation().sources.front().name;
  const std::string& target = model.signature().outputs.front();
  Extent range;
  if (!find_range(data.column(name), range) || !data.column(target).is_numeric()) return;
  Series curve{.name = "answer of the model"};
  for (std::size_t i = 0; i < kCurvePoints; ++i) curve.x.push_back(range.at(i, kCurvePoints));
  curve.y = model.predict(Dataset({Column::numeric(name, curve.x)})).values;
  Series rows{.name = "rows", .mark = Mark::points};
  for (const std::size_t row : shown_rows(data.rows())) {
    const double x = data.column(name).number(row);
    const double y = data.column(target).number(row);
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    rows.x.push_back(x);
    rows.y.push_back(y);
  }
  out.emplace_back(Figure{Chart{.title = fmt::format("{} over {}", target, name),
                                .description = "The line is what the model answers; the distance "
                                               "of a point from it is its residual.",
                                .x = {.label = name},
                                .y = {.label = target},
                                .series = {std::move(rows), std::move(curve)}}});
}

// Where the answer of two neighbours of a grid differs, half-way between them.
Series border_of(const AnyModel& model, const Extent& across, const Extent& up) {
  const auto& sources = model.preparation().sources;
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t i = 0; i < kGridSide; ++i) {
    for (std::size_t j = 0; j < kGridSide; ++j) {
      x.push_back(across.at(j, kGridSide));
      y.push_back(up.at(i, kGridSide));
    }
  }
  const Predictions answers = model.predict(
      Dataset({Column::numeric(sources[0].name, x), Column::numeric(sources[1].name, y)}));
  Series out{.name = "border", .mark = Mark::points};
  const auto compare = [&](std::size_t here, std::size_t there) {
    if (answers.label(here) == answers.label(there)) return;
    out.x.push_back((x[here] + x[there]) / 2);
    out.y.push_back((y[here] + y[there]) / 2);
  };
  for (std::size_t at = 0; at < x.size(); ++at) {
    if (at % kGridSide + 1 < kGridSide) compare(at, at + 1);
    if (at + kGridSide < x.size()) compare(at, at + kGridSide);
  }
  return out;
}

void add_border(std::vector<Block>& out, const AnyModel& model, const Dataset& data) {
  const auto& sources = model.preparation().sources;
  const Column& target = data.column(model.signature().outputs.front());
  const auto& classes = model.signature().classes;
  Extent across;
  Extent up;
  const Column& first = data.column(sources[0].name);
  const Column& second = data.column(sources[1].name);
  if (classes.size() > kMostColours || !find_range(first, across) || !find_range(second, up)) {
    return;
  }
  Chart chart{.title = fmt::format("Classes over {} and {}", sources[0].name, sources[1].name),
              .description =
                  "The rows by their true class, and the border where the answer of the "
                  "model changes.",
              .x = {.label = sources[0].name},
              .y = {.label = sources[1].name}};
  for (const std::string& name : classes) {
    chart.series.push_back({.name = name, .mark = Mark::points});
  }
  for (const std::size_t row : shown_rows(data.rows())) {
    if (target.missing(row)) continue;
    const std::string word = target.cell(row);
    for (Series& series : chart.series) {
      if (series.name != word) continue;
      series.x.push_back(first.number(row));
      series.y.push_back(second.number(row));
    }
  }
  chart.series.push_back(border_of(model, across, up));
  std::erase_if(chart.series, [](const Series& series) { return series.x.empty(); });
  out.emplace_back(Figure{std::move(chart)});
}

}  // namespace

std::vector<Block> answer_figures(const AnyModel& model, const Dataset& data) {
  std::vector<Block> out;
  const Signature& signature = model.signature();
  if (signature.outputs.size() != 1 || data.rows() == 0 || !all_numeric(model, data)) return out;
  const std::size_t columns = model.preparation().sources.size();
  if (signature.task == Task::regress && columns == 1) add_curve(out, model, data);
  if (signature.task == Task::classify && columns == 2) add_border(out, model, data);
  return out;
}

}  // namespace gradus::report
