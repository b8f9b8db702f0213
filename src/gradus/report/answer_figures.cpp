#include "gradus/report/answer_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>

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

// What is known about a line over one feature: y = a + b x with the errors of both.
struct LineErrors {
  double noise = 0;       // standard deviation of a row around the line
  double intercept = 0;   // variance of a
  double slope = 0;       // variance of b
  double covariance = 0;  // of a and b
  double quantile = 0;    // of the distribution that the intervals of the model come from

  double variance_at(double x) const { return intercept + x * (2 * covariance + x * slope); }
};

std::optional<double> number_at(const Value& value, std::initializer_list<const char*> path) {
  const Value* at = &value;
  for (const char* name : path) {
    at = at->is_object() ? at->find(name) : nullptr;
    if (at == nullptr) return std::nullopt;
  }
  return at->is_number() ? std::optional(at->as_number()) : std::nullopt;
}

// Nothing unless the model tells all of it.
std::optional<LineErrors> line_errors(const AnyModel& model) {
  const Value fitted = model.fitted();
  if (model.signature().features.size() != 1) return std::nullopt;
  const std::string feature = model.signature().features[0].name;
  const auto covariance = number_at(fitted, {"line_covariance"});
  const auto noise = number_at(fitted, {"residual_standard_error"});
  const auto a = number_at(fitted, {"standard_errors", "intercept"});
  const auto b = number_at(fitted, {"standard_errors", feature.c_str()});
  const auto slope = number_at(fitted, {"coefficients", feature.c_str()});
  const Value* intervals = fitted.find("confidence_intervals");
  const Value* ends = intervals == nullptr ? nullptr : intervals->find(feature);
  const bool told = covariance && noise && a && b && slope && *b > 0 && ends != nullptr &&
                    ends->is_array() && ends->size() == 2 && ends->as_array()[1].is_number();
  if (!told) return std::nullopt;
  const double quantile = (ends->as_array()[1].as_number() - *slope) / *b;
  return LineErrors{*noise, *a * *a, *b * *b, *covariance, quantile};
}

// The lower and the upper end of an interval around every point of the line, as one series.
Series band(const std::string& name, const Series& line, const std::vector<double>& half) {
  Series out{.name = name, .mark = Mark::dashed};
  for (const double side : {-1.0, 1.0}) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      out.x.push_back(line.x[i]);
      out.y.push_back(line.y[i] + side * half[i]);
    }
    if (side > 0) break;
    out.x.push_back(std::numeric_limits<double>::quiet_NaN());  // parts the two
    out.y.push_back(std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

// Confidence band of the line and prediction band of single rows, where the model knows them.
void add_bands(Chart& chart, const AnyModel& model, const Series& line) {
  const std::optional<LineErrors> errors = line_errors(model);
  if (!errors) return;
  const PreparedFeature& prepared = model.preparation().features.front();
  std::vector<double> of_line;
  std::vector<double> of_rows;
  for (const double x : line.x) {
    const double z = (x - prepared.shift) * prepared.scale;
    const double variance = std::max(0.0, errors->variance_at(z));
    of_line.push_back(errors->quantile * std::sqrt(variance));
    of_rows.push_back(errors->quantile * std::sqrt(variance + errors->noise * errors->noise));
  }
  chart.series.push_back(band("confidence interval of the line (inner)", line, of_line));
  chart.series.push_back(band("prediction interval of a row (outer)", line, of_rows));
  chart.description +=
      " The inner band holds the true line, the outer one a new row, each with the confidence of "
      "the model at every single place.";
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
  Chart chart{.title = fmt::format("{} over {}", target, name),
              .description =
                  "The line is what the model answers; the distance of a point from it "
                  "is its residual.",
              .x = {.label = name},
              .y = {.label = target}};
  chart.series = {std::move(rows), curve};
  add_bands(chart, model, curve);
  out.emplace_back(Figure{std::move(chart)});
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
