#include "gradus/report/model_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"
#include "gradus/report/evaluation_figures.hpp"
#include "gradus/report/path_figures.hpp"
#include "gradus/report/round_figures.hpp"
#include "gradus/report/tree_figure.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kMostImportances = 30;
constexpr std::size_t kMostPaths = 6;  // that colours can tell apart

void add_tree(std::vector<Block>& out, const Value& fitted) {
  const Value* tree = fitted.find("tree");
  if (tree == nullptr || !tree->is_object() || !asks_something(*tree)) return;
  out.emplace_back(tree_figure(*tree, "The tree"));
}

void add_importances(std::vector<Block>& out, const Value& fitted) {
  const Value* importances = fitted.find("feature_importances");
  if (importances == nullptr || !importances->is_object()) return;
  DotPlot plot{.title = "Importance of the columns",
               .description = "The share of the improvement that each column brought in training.",
               .label = "share",
               .reference = 0,
               .reference_name = "nothing"};
  for (const auto& [name, value] : importances->as_object()) {
    if (value.is_number()) plot.rows.push_back({.name = name, .value = value.as_number()});
  }
  std::stable_sort(plot.rows.begin(), plot.rows.end(),
                   [](const auto& a, const auto& b) { return a.value > b.value; });
  if (plot.rows.size() > kMostImportances) {
    plot.description +=
        fmt::format(" The {} largest of {} are shown.", kMostImportances, plot.rows.size());
    plot.rows.resize(kMostImportances);
  }
  if (!plot.rows.empty()) out.emplace_back(Figure{std::move(plot)});
}

// A list of numbers over 1, 2, 3 ..., as far as it goes.
void add_list(Chart& chart, const Value& list, const std::string& name) {
  if (!list.is_array() || list.size() < 2) return;
  Series series{.name = name};
  for (const Value& one : list.as_array()) {
    if (!one.is_number()) break;
    series.x.push_back(static_cast<double>(series.x.size() + 1));
    series.y.push_back(one.as_number());
  }
  if (series.x.size() > 1) chart.series.push_back(std::move(series));
}

// A list, or one for each class.
void add_lists(Chart& chart, const Value* lists, const std::string& name) {
  if (lists == nullptr) return;
  if (!lists->is_object()) return add_list(chart, *lists, name);
  for (const auto& [label, list] : lists->as_object()) {
    if (chart.series.size() < kMostPaths) add_list(chart, list, label);
  }
}

void add_mistakes(std::vector<Block>& out, const Value& fitted) {
  Chart chart{.title = "Mistakes by pass",
              .description =
                  "Rows that were wrong when they were visited. A pass without one is "
                  "the last; where classes overlap, there is none.",
              .x = {.label = "pass"},
              .y = {.label = "mistakes", .low = 0}};
  add_lists(chart, fitted.find("mistakes_by_pass"), "mistakes");
  if (!chart.series.empty()) out.emplace_back(Figure{std::move(chart)});
}

// Losses by round, under the names that learners give them.
void add_losses(std::vector<Block>& out, const Value& fitted) {
  if (fitted.find("training_curve") != nullptr) return;  // round_figures draws both losses
  Chart chart{.title = "Loss by round",
              .description = "The loss after each round of training.",
              .x = {.label = "round"},
              .y = {.label = "loss"}};
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"training_loss", "on the rows that teach"},
      {"training_errors", "error on the rows that teach"},
      {"loss_curve", "on the rows that teach"},
      {"bound_curve", "what it is at least"},
      {"validation_loss", "on the rows held out"}};
  for (const auto& [name, words] : kNames) {
    add_lists(chart, fitted.find(name), words);
  }
  if (!chart.series.empty()) out.emplace_back(Figure{std::move(chart)});
}

}  // namespace

std::vector<Block> model_figures(const Value& fitted) {
  std::vector<Block> out;
  add_tree(out, fitted);
  for (Block& block : coefficient_figures(fitted)) out.push_back(std::move(block));
  add_importances(out, fitted);
  add_losses(out, fitted);
  add_mistakes(out, fitted);
  for (Block& block : path_figures(fitted)) out.push_back(std::move(block));
  for (Block& block : round_figures(fitted)) out.push_back(std::move(block));
  return out;
}

}  // namespace gradus::report
