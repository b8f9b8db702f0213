#include "gradus/report/evaluation_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/text.hpp"
#include "gradus/report/threshold_figures.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kMostClasses = 12;   // rows of a matrix that can still be read
constexpr std::size_t kMostCurves = 6;     // lines that can still be told apart
constexpr std::size_t kMostPoints = 1500;  // of a scatter plot

std::vector<double> numbers_of(const Value& array) {
  std::vector<double> out;
  for (const Value& item : array.as_array()) {
    out.push_back(item.is_number() ? item.as_number() : std::nan(""));
  }
  return out;
}

Figure confusion_figure(const Value& confusion) {
  HeatMap map{.title = "Confusion matrix",
              .description =
                  "Each row is a true class, each column a predicted one; shades and "
                  "percentages are shares of the row, so the diagonal shows the recall.",
              .row_label = "actual",
              .column_label = "predicted"};
  for (const Value& label : confusion.at("labels").as_array()) {
    map.rows.push_back(label.as_string());
    map.columns.push_back(label.as_string());
  }
  for (const Value& row : confusion.at("counts").as_array()) map.values.push_back(numbers_of(row));
  return {map};
}

// One curve per class out of `curves.<kind>`.
struct CurveKind {
  const char* kind;
  const char* x;
  const char* y;
};

std::vector<Series> curve_series(const Value& curves, const CurveKind& kind) {
  std::vector<Series> out;
  for (const auto& [label, curve] : curves.at(kind.kind).as_object()) {
    if (out.size() == kMostCurves) break;
    out.push_back({.name = label,
                   .mark = Mark::line,
                   .x = numbers_of(curve.at(kind.x)),
                   .y = numbers_of(curve.at(kind.y))});
  }
  return out;
}

Series diagonal(const char* name) {
  return {.name = name, .mark = Mark::dashed, .x = {0, 1}, .y = {0, 1}};
}

std::string score_words(const Value& evaluation, const char* name) {
  const Value* score = evaluation.find(name);
  return score == nullptr || score->is_null() ? "undefined" : readable(score->as_number(), 4);
}

Figure roc_figure(const Value& evaluation) {
  Chart chart{.title = "ROC curve",
              .description = fmt::format(
                  "True positives gained against false positives accepted as the threshold falls. "
                  "The area under the curve is {}; 0.5 is guessing, 1 is perfect.",
                  score_words(evaluation, "auc")),
              .x = {"false positive rate", 0, 1},
              .y = {"true positive rate", 0, 1},
              .series = curve_series(evaluation.at("curves"), {"roc", "fpr", "tpr"}),
              .square = true};
  chart.series.push_back(diagonal("guessing"));
  return {chart};
}

Figure precision_recall_figure(const Value& evaluation) {
  return {Chart{
      .title = "Precision and recall",
      .description = fmt::format("Which share of the calls is right against which share of the "
                                 "class is found. The average precision is {}.",
                                 score_words(evaluation, "average_precision")),
      .x = {"recall", 0, 1},
      .y = {"precision", 0, 1},
      .series = curve_series(evaluation.at("curves"), {"precision_recall", "recall", "precision"}),
      .square = true}};
}

Figure gain_figure(const Value& evaluation) {
  Chart chart{.title = "Cumulative gain",
              .description =
                  "Share of the class that is found when only the highest-scoring rows "
                  "are looked at.",
              .x = {"share of rows looked at", 0, 1},
              .y = {"share of the class found", 0, 1},
              .series = curve_series(evaluation.at("curves"), {"gain", "share", "gain"}),
              .square = true};
  chart.series.push_back(diagonal("rows in any order"));
  return {chart};
}

Figure calibration_figure(const Value& evaluation) {
  Series series{.name = "predictions", .mark = Mark::points};
  for (const Value& bin : evaluation.at("calibration").as_array()) {
    series.x.push_back(bin.at("probability").as_number());
    const double share = bin.at("share").as_number();
    series.y.push_back(share);
    const Interval interval =
        wilson_interval({share * bin.at("weight").as_number(), bin.at("weight").as_number()}, 0.95);
    series.low.push_back(interval.low);
    series.high.push_back(interval.high);
  }
  return {Chart{
      .title = "Calibration",
      .description = fmt::format("How often a prediction came true against how probable it was "
                                 "said to be, in tenths, with 95 % intervals. The mean gap (ECE) "
                                 "is {}.",
                                 score_words(evaluation, "ece")),
      .x = {"predicted probability", 0, 1},
      .y = {"how often it came true", 0, 1},
      .series = {series, diagonal("perfectly calibrated")},
      .square = true}};
}

}  // namespace

std::vector<Block> class_figures(const Value& evaluation) {
  std::vector<Block> out;
  const Value& confusion = evaluation.at("confusion");
  if (confusion.at("labels").size() <= kMostClasses) out.emplace_back(confusion_figure(confusion));
  const Value* curves = evaluation.find("curves");
  if (curves != nullptr && curves->find("roc") != nullptr) {
    out.emplace_back(roc_figure(evaluation));
    out.emplace_back(precision_recall_figure(evaluation));
    out.emplace_back(gain_figure(evaluation));
  }
  if (evaluation.find("calibration") != nullptr) out.emplace_back(calibration_figure(evaluation));
  for (Block& block : threshold_figures(evaluation)) out.push_back(std::move(block));
  return out;
}

std::vector<Block> number_figures(std::span<const double> actual,
                                  std::span<const double> predicted) {
  Series points{.mark = Mark::points};
  Series residuals{.mark = Mark::points};
  const std::size_t shown = std::min(actual.size(), kMostPoints);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t row = i * actual.size() / shown;
    points.x.push_back(actual[row]);
    points.y.push_back(predicted[row]);
    residuals.x.push_back(predicted[row]);
    residuals.y.push_back(predicted[row] - actual[row]);
  }
  const auto [low, high] = std::minmax_element(points.x.begin(), points.x.end());
  const std::string some =
      shown < actual.size() ? fmt::format(" {} of {} rows are shown.", shown, actual.size()) : "";
  Chart scatter{.title = "Predicted against actual",
                .description = "Points on the dashed line are predicted exactly." + some,
                .x = {"actual"},
                .y = {"predicted"},
                .series = {points, {.mark = Mark::dashed, .x = {*low, *high}, .y = {*low, *high}}},
                .square = true};
  const auto [first, last] = std::minmax_element(residuals.x.begin(), residuals.x.end());
  Chart errors{.title = "Residuals",
               .description =
                   "The error of each prediction: a shape in it is something that the "
                   "model has not learned." +
                   some,
               .x = {"predicted"},
               .y = {"predicted - actual"},
               .series = {residuals, {.mark = Mark::dashed, .x = {*first, *last}, .y = {0, 0}}},
               .square = true};
  errors.square = false;
  return {Block(Figure{scatter}), Block(Figure{errors})};
}

Figure fold_scores(const std::vector<CrossValidation>& learners, const CrossValidation* baseline) {
  DotPlot plot{.title = "Scores of the folds",
               .description =
                   "The mean of each learner with its interval; the faint dots are the "
                   "single folds.",
               .label = std::string(learners.front().metric.words)};
  for (const CrossValidation& one : learners) {
    if (!one.estimate.mean) continue;
    DotPlot::Row row{.name = one.name, .value = *one.estimate.mean};
    if (one.estimate.interval) {
      row.low = one.estimate.interval->low;
      row.high = one.estimate.interval->high;
    }
    for (const FoldResult& fold : one.folds) {
      if (fold.metric && row.dots.size() < 200) row.dots.push_back(*fold.metric);
    }
    plot.rows.push_back(std::move(row));
  }
  if (baseline != nullptr && baseline->estimate.mean) {
    plot.reference = baseline->estimate.mean;
    plot.reference_name = "baseline";
    plot.description +=
        fmt::format(" The dashed line is the baseline, {}.", readable(*baseline->estimate.mean, 4));
  }
  return {plot};
}

Figure rank_diagram(const Comparison& comparison) {
  RankDiagram diagram{
      .title = "Critical differences",
      .description =
          "Mean ranks over the folds, 1 being best. Learners joined by a bar are less "
          "than Nemenyi's critical difference apart: they do not differ significantly.",
      .ranks = comparison.mean_ranks,
      .critical_difference = comparison.ranks->critical_difference};
  for (const CrossValidation& one : comparison.learners) diagram.names.push_back(one.name);
  return {diagram};
}

}  // namespace gradus::report
