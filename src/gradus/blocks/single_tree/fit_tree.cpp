#include "gradus/blocks/single_tree/fit_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "gradus/blocks/single_tree/tree_story.hpp"
#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/blocks/splitter/prune.hpp"
#include "gradus/blocks/splitter/surrogates.hpp"
#include "gradus/blocks/splitter/target_scale.hpp"
#include "gradus/blocks/tree/level_words.hpp"
#include "gradus/core/text.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

std::vector<double> plain_weights(const TrainTask& task) {
  std::vector<double> weights(task.rows(), 1.0);
  if (!task.weights.empty()) weights.assign(task.weights.begin(), task.weights.end());
  return weights;
}

namespace {

// What fills the cells of the table; nothing: they stay missing.
std::optional<TableFill> fill_of(TreeMissing missing) {
  switch (missing) {
    case TreeMissing::mean: return TableFill::mean;
    case TreeMissing::nearest: return TableFill::nearest;
    case TreeMissing::similar_target: return TableFill::target;
    case TreeMissing::remove: return TableFill::remove;
    case TreeMissing::tried:
    case TreeMissing::larger_side: break;
  }
  return {};
}

void tell_filled(const FilledTable& filled, const Signature& signature, Trace* trace) {
  if (trace == nullptr || !trace->wants_more() || filled.filled + filled.removed == 0) return;
  Step step{.title = "Deal with missing cells", .path = "missing"};
  step.values = object({{"filled_cells", filled.filled}, {"deleted_rows", filled.removed}});
  constexpr std::size_t kShown = 50;
  Value::Array cells;
  for (std::size_t i = 0; i < std::min(filled.cells.size(), kShown); ++i) {
    const FilledCell& cell = filled.cells[i];
    const FeatureName name = signature.features[cell.column];
    Value one = object({{"row", cell.row + 1}, {"column", name.name}});
    if (!std::isnan(cell.value)) one["value"] = number_in_words(name, cell.value);
    cells.push_back(std::move(one));
  }
  if (!cells.empty()) step.values["cells"] = std::move(cells);
  step.text = filled.removed > 0
                  ? fmt::format("{} with a missing cell left out.", counted(filled.removed, "row"))
                  : fmt::format(
                        "{} filled; a row that is asked later goes where the usual value "
                        "of the column goes.",
                        counted(filled.filled, "missing cell"));
  trace->add(std::move(step));
}

// Where a missing value would have gone had it been filled.
void send_missing(ExactTree& tree, const std::vector<double>& usual) {
  Trees& trees = tree.trees;
  for (std::size_t node = 0; node < trees.nodes(); ++node) {
    if (trees.is_leaf(node)) continue;
    const double x = usual[static_cast<std::size_t>(trees.feature[node])];
    if (!std::isnan(x)) trees.missing_left[node] = trees.goes_left(node, x) ? 1 : 0;
  }
}

// The table of ranks and the weights of its rows.
FilledTable table_of(const TreeSettings& settings, const TrainTask& task,
                     std::span<const double> weights, const Context& context) {
  const RankBins bins{.most = settings.limits.max_bins, .weights = weights};
  const std::optional<TableFill> fill = fill_of(settings.missing);
  if (!fill) {
    return {RankedTable(task.features, task.signature, context, bins),
            {weights.begin(), weights.end()},
            {}};
  }
  FilledTable out = fill_table(task, *fill, settings.neighbours, context, bins);
  tell_filled(out, task.signature, context.trace);
  // The weights of the classes count too, where the row takes part.
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (out.weights[row] > 0) out.weights[row] = weights[row];
  }
  return out;
}

}  // namespace

DecisionTreeModel fit_tree(const TreeSettings& settings, const TrainTask& task,
                           std::span<const double> row_weights, const Context& context) {
  const FilledTable filled = table_of(settings, task, row_weights, context);
  const RankedTable& table = filled.table;
  const std::vector<double>& weights = filled.weights;
  ExactOptions options;
  options.criterion = resolved_criterion(settings.criterion, task.signature.task);
  options.nominal = settings.nominal;
  options.merit = settings.merit;
  settings.limits.apply(std::accumulate(weights.begin(), weights.end(), 0.0), options);
  const ScaledTarget target(task, options.criterion, weights);
  const TargetUnits& units = target.units();
  options.min_impurity_decrease = units.own_limit(options.min_impurity_decrease);
  TreeStory story({options.criterion, units}, task.signature, context.trace);
  options.observe = story.observer();
  SurrogateFinder nobody(table, 0);
  if (settings.missing == TreeMissing::larger_side) options.surrogates = &nobody;
  DecisionTreeModel model;
  model.criterion = options.criterion;
  const ExactGrower grower({table, task.classes, target.numbers(), task.signature.classes.size()},
                           context);
  model.tree = grower.grow(weights, options);
  if (settings.ccp_alpha > 0) {
    const std::size_t before = model.tree.trees.leaves(0);
    model.tree = pruned(model.tree, units.own_limit(settings.ccp_alpha));
    story.prune(before, model, settings.ccp_alpha);
  }
  units.restore(model.tree);
  if (!filled.usual.empty()) send_missing(model.tree, filled.usual);
  story.finish(model);
  return model;
}

}  // namespace gradus
