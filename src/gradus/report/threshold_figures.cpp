#include "gradus/report/threshold_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kMostThresholdCurves = 6;

// The curve of one kind for one class, or nothing.
const Value* curve_of(const Value& evaluation, const char* kind, const std::string& label) {
  const Value* curves = evaluation.find("curves");
  const Value* all = curves == nullptr ? nullptr : curves->find(kind);
  return all == nullptr ? nullptr : all->find(label);
}

bool has_probabilities(const Value& evaluation) {
  return evaluation.find("calibration") != nullptr;
}

// Where the answers were decided: the threshold that was asked for, else one half.
std::optional<double> threshold_in_use(const Value& evaluation, const std::string& positive) {
  if (const Value* decision = evaluation.find("decision")) {
    const Value* label = decision->find("class");
    if (label == nullptr || label->as_string() != positive) return std::nullopt;
    return decision->at("threshold").as_number();
  }
  return has_probabilities(evaluation) ? std::optional(0.5) : std::nullopt;
}

void add_line_in_use(Chart& chart, const Value& evaluation, const std::string& positive,
                     double top) {
  const std::optional<double> used = threshold_in_use(evaluation, positive);
  if (!used) return;
  chart.series.push_back({.name = fmt::format("in use, {}", readable(*used, 4)),
                          .mark = Mark::dashed,
                          .x = {*used, *used},
                          .y = {0, top}});
}

Axis threshold_axis(const Value& evaluation, const std::string& positive) {
  Axis axis{.label = has_probabilities(evaluation)
                         ? fmt::format("probability from which on {} is called", positive)
                         : fmt::format("score from which on {} is called", positive)};
  if (has_probabilities(evaluation)) {
    axis.low = 0;
    axis.high = 1;
  }
  return axis;
}

Figure quality_figure(const Value& evaluation, const Value& curve, const std::string& positive) {
  Series precision{.name = "precision"};
  Series recall{.name = "recall"};
  Series f1{.name = "F1"};
  const auto& thresholds = curve.at("threshold").as_array();
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    if (!thresholds[i].is_number()) continue;
    const double p = curve.at("precision").as_array()[i].as_number();
    const double r = curve.at("recall").as_array()[i].as_number();
    for (auto& [series, y] : {std::pair<Series*, double>{&precision, p},
                              {&recall, r},
                              {&f1, p + r > 0 ? 2 * p * r / (p + r) : 0}}) {
      series->x.push_back(thresholds[i].as_number());
      series->y.push_back(y);
    }
  }
  Chart chart{.title = "Threshold",
              .description = fmt::format(
                  "What a higher or lower threshold does: {} is called more seldom to the right, "
                  "and mostly more precisely.",
                  positive),
              .x = threshold_axis(evaluation, positive),
              .y = {"share", 0, 1},
              .series = {precision, recall, f1}};
  add_line_in_use(chart, evaluation, positive, 1);
  return {chart};
}

// The mean cost at every threshold of the ROC curve:
// (P (tpr c_pp + (1 - tpr) c_pn) + N (fpr c_np + (1 - fpr) c_nn)) / (P + N).
std::optional<Figure> cost_figure(const Value& evaluation, const std::string& positive) {
  const Value* costs = evaluation.find("costs");
  const Value* roc = curve_of(evaluation, "roc", positive);
  if (costs == nullptr || roc == nullptr) return std::nullopt;
  const auto& labels = evaluation.at("confusion").at("labels").as_array();
  const std::size_t p = labels[0].as_string() == positive ? 0 : 1;
  const auto cost = [&](std::size_t actual, std::size_t predicted) {
    return costs->at("matrix").as_array()[actual].as_array()[predicted].as_number();
  };
  const auto weight = [&](std::size_t k) {
    return evaluation.at("per_class").at(labels[k].as_string()).at("support").as_number();
  };
  const double share = weight(p) / (weight(p) + weight(1 - p));
  Series line{.name = "mean cost"};
  double top = 0;
  const auto& thresholds = roc->at("threshold").as_array();
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    if (!thresholds[i].is_number()) continue;
    const double tpr = roc->at("tpr").as_array()[i].as_number();
    const double fpr = roc->at("fpr").as_array()[i].as_number();
    line.x.push_back(thresholds[i].as_number());
    line.y.push_back(share * (tpr * cost(p, p) + (1 - tpr) * cost(p, 1 - p)) +
                     (1 - share) * (fpr * cost(1 - p, p) + (1 - fpr) * cost(1 - p, 1 - p)));
    top = std::max(top, line.y.back());
  }
  Chart chart{.title = "Cost by threshold",
              .description = "The mean cost of a row when the class is called from here on.",
              .x = threshold_axis(evaluation, positive),
              .y = {.label = "mean cost", .low = 0},
              .series = {line}};
  const Value* best = costs->find("best_threshold");
  if (best != nullptr && best->is_number()) {
    const double least = costs->at("mean_at_best_threshold").as_number();
    chart.description +=
        fmt::format(" The least is {} at {}.", readable(least, 4), readable(best->as_number(), 4));
    chart.series.push_back(
        {.name = "the cheapest", .mark = Mark::points, .x = {best->as_number()}, .y = {least}});
  }
  add_line_in_use(chart, evaluation, positive, top);
  return Figure{chart};
}

std::optional<Figure> lift_figure(const Value& evaluation) {
  const Value* curves = evaluation.find("curves");
  const Value* gains = curves == nullptr ? nullptr : curves->find("gain");
  if (gains == nullptr) return std::nullopt;
  Chart chart{.title = "Lift curve",
              .description =
                  "How many times as often the class occurs among the highest-scoring rows as "
                  "among all of them.",
              .x = {"share of rows looked at", 0, 1},
              .y = {.label = "lift", .low = 0}};
  for (const auto& [label, gain] : gains->as_object()) {
    if (chart.series.size() == kMostThresholdCurves) break;
    Series line{.name = label};
    const auto& lifts = gain.at("lift").as_array();
    for (std::size_t i = 0; i < lifts.size(); ++i) {
      if (!lifts[i].is_number()) continue;
      line.x.push_back(gain.at("share").as_array()[i].as_number());
      line.y.push_back(lifts[i].as_number());
    }
    chart.series.push_back(std::move(line));
  }
  chart.series.push_back(
      {.name = "rows in any order", .mark = Mark::dashed, .x = {0, 1}, .y = {1, 1}});
  return Figure{chart};
}

}  // namespace

std::vector<Block> threshold_figures(const Value& evaluation) {
  std::vector<Block> out;
  if (auto lift = lift_figure(evaluation)) out.emplace_back(std::move(*lift));
  const Value* positive = evaluation.find("positive");
  if (positive == nullptr) return out;
  const std::string& label = positive->as_string();
  if (const Value* curve = curve_of(evaluation, "precision_recall", label)) {
    out.emplace_back(quality_figure(evaluation, *curve, label));
  }
  if (auto cost = cost_figure(evaluation, label)) out.emplace_back(std::move(*cost));
  return out;
}

Table threshold_table(const Value& evaluation) {
  Table table{.header = {"best at", "threshold", "value", "TPR", "FPR"},
              .align = {Align::left, Align::right, Align::right, Align::right, Align::right}};
  const Value* positive = evaluation.find("positive");
  const Value* thresholds = evaluation.find("thresholds");
  if (positive == nullptr || thresholds == nullptr) return table;
  table.caption =
      fmt::format("thresholds: call {} from here on, by these rows", positive->as_string());
  struct Kind {
    const char* key;
    const char* words;
    const char* value;
  };
  for (const Kind& kind :
       {Kind{"youden", "TPR - FPR (Youden)", "youden"},
        Kind{"closest", "distance from a perfect ROC", "distance"}, Kind{"f1", "F1", "f1"}}) {
    const Value& one = thresholds->at(kind.key);
    const auto text = [&](const char* name) {
      const Value& value = one.at(name);
      return value.is_number() ? readable(value.as_number(), 4) : std::string("never");
    };
    table.rows.push_back(
        {kind.words, text("threshold"), text(kind.value), text("tpr"), text("fpr")});
  }
  return table;
}

}  // namespace gradus::report
