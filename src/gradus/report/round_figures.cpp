#include "gradus/report/round_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"

namespace gradus::report {
namespace {

bool is_list(const Value* value) {
  return value != nullptr && value->is_array() && value->size() > 1;
}

// The numbers of a list over 1, 2, 3 ...; what is no number is left out.
Series by_position(const Value& list, std::string name) {
  Series out{.name = std::move(name)};
  double position = 0;
  for (const Value& one : list.as_array()) {
    position += 1;
    if (!one.is_number()) continue;
    out.x.push_back(position);
    out.y.push_back(one.as_number());
  }
  return out;
}

// One member of every object in a list, over another.
Series by_member(const Value& list, const char* x, const char* y, std::string name) {
  Series out{.name = std::move(name)};
  for (const Value& one : list.as_array()) {
    out.x.push_back(one.at(x).as_number());
    out.y.push_back(one.at(y).as_number());
  }
  return out;
}

void add_boosting_losses(std::vector<Block>& out, const Value& fitted) {
  const Value* training = fitted.find("training_curve");
  const Value* validation = fitted.find("validation_loss");
  const Value* losses = fitted.find("losses");
  Chart chart{.title = "Loss by round",
              .description = "The mean loss after each round of boosting.",
              .x = {.label = "round"},
              .y = {.label = "loss"}};
  if (training != nullptr) {
    Series line{.name = "on the rows that teach"};
    for (const Value& one : training->at("rounds").as_array()) line.x.push_back(one.as_number());
    for (const Value& one : training->at("losses").as_array()) line.y.push_back(one.as_number());
    chart.series.push_back(std::move(line));
    if (is_list(validation)) {
      chart.series.push_back(by_position(*validation, "on the rows held out"));
      const auto& held = chart.series.back();
      const auto best = std::min_element(held.y.begin(), held.y.end()) - held.y.begin();
      chart.description += fmt::format(
          " It is least on the rows held out after round {}; from where this curve turns up while "
          "the other falls, rounds only learn these rows by heart.",
          best + 1);
    }
  } else if (is_list(losses)) {
    chart.series.push_back(by_position(*losses, "on the rows that teach"));
  }
  if (!chart.series.empty()) out.emplace_back(Figure{std::move(chart)});
}

// AdaBoost: how hard each round found its weighted rows.
void add_round_errors(std::vector<Block>& out, const Value& fitted) {
  const Value* errors = fitted.find("errors");
  const Value* steps = fitted.find("steps");
  if (!is_list(errors) || !is_list(steps)) return;
  Series line = by_position(*errors, "weighted error of the round's own model");
  Chart chart{.title = "Error of each round",
              .description =
                  "Rows that were wrong before weigh more, so later rounds have the harder task; "
                  "a round counts the more, the smaller its error.",
              .x = {.label = "round"},
              .y = {.label = "weighted error", .low = 0}};
  if (line.x.empty()) return;
  const std::vector<double> ends = {line.x.front(), line.x.back()};
  chart.series.push_back(std::move(line));
  chart.series.push_back(
      {.name = "guessing between two classes", .mark = Mark::dashed, .x = ends, .y = {0.5, 0.5}});
  out.emplace_back(Figure{std::move(chart)});
}

void add_out_of_bag(std::vector<Block>& out, const Value& fitted) {
  const Value* curve = fitted.find("oob_curve");
  if (!is_list(curve)) return;
  Series line = by_position(*curve, "on rows that a tree did not see");
  if (line.x.size() < 2) return;
  out.emplace_back(
      Figure{Chart{.title = "Out-of-bag error by trees",
                   .description = fmt::format(
                       "Every row is judged by the trees whose sample left it out: an honest error "
                       "without a test set, {} in the end. Where the curve is flat, more trees "
                       "would not help.",
                       readable(line.y.back(), 4)),
                   .x = {.label = "trees"},
                   .y = {.label = "error", .low = 0},
                   .series = {std::move(line)}}});
}

void add_sizes(std::vector<Block>& out, const Value& fitted) {
  if (const Value* list = fitted.find("cross_validation"); is_list(list)) {
    const bool by_leaves = list->as_array().front().find("leaves") != nullptr &&
                           list->as_array().front().find("standard_error") != nullptr;
    if (!by_leaves) return;
    Series line = by_member(*list, "leaves", "error", "cross-validated error");
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const double error = list->as_array()[i].at("standard_error").as_number();
      line.low.push_back(line.y[i] - error);
      line.high.push_back(line.y[i] + error);
    }
    out.emplace_back(
        Figure{Chart{.title = "Error by size of the tree",
                     .description = "The cross-validated error of each pruned tree with its "
                                    "standard error; the size is chosen from here.",
                     .x = {.label = "leaves", .logarithmic = true},
                     .y = {.label = "error"},
                     .series = {std::move(line)}}});
  }
  if (const Value* list = fitted.find("overfitting_curve"); is_list(list)) {
    out.emplace_back(Figure{Chart{
        .title = "Accuracy by size of the tree",
        .description = "While the tree is pruned: accuracy on the rows that grew it and on "
                       "the rows that were kept back.",
        .x = {.label = "leaves"},
        .y = {.label = "accuracy"},
        .series = {by_member(*list, "leaves", "training_accuracy", "on the rows that taught"),
                   by_member(*list, "leaves", "validation_accuracy", "on the rows kept back")}}});
  }
}

}  // namespace

std::vector<Block> round_figures(const Value& fitted) {
  std::vector<Block> out;
  add_boosting_losses(out, fitted);
  add_round_errors(out, fitted);
  add_out_of_bag(out, fitted);
  add_sizes(out, fitted);
  return out;
}

}  // namespace gradus::report
