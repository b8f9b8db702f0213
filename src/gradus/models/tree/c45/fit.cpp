#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gradus/blocks/branching/branch_grow.hpp"
#include "gradus/blocks/branching/branch_prune.hpp"
#include "gradus/blocks/branching/fill_table.hpp"
#include "gradus/blocks/splitter/dealt_folds.hpp"
#include "gradus/core/error.hpp"
#include "gradus/models/tree/c45/explain.hpp"
#include "gradus/models/tree/c45/model.hpp"

namespace gradus {
namespace {

NodeMissing at_node(C45::Missing missing) {
  switch (missing) {
    case C45::Missing::fractional_gain: return NodeMissing::fractional_gain;
    case C45::Missing::own_branch: return NodeMissing::own_branch;
    case C45::Missing::most_common: return NodeMissing::most_common;
    case C45::Missing::same_class: return NodeMissing::same_class;
    default: return NodeMissing::fractional;
  }
}

// The table and weights of the training, with missing cells dealt with if that comes first.
FilledTable training_table(const C45& learner, const TrainTask& task, const Context& context) {
  const auto neighbours = static_cast<std::size_t>(learner.neighbours);
  switch (learner.missing) {
    case C45::Missing::mean: return fill_table(task, TableFill::mean, 0, context);
    case C45::Missing::nearest: return fill_table(task, TableFill::nearest, neighbours, context);
    case C45::Missing::remove: return fill_table(task, TableFill::remove, 0, context);
    default: break;
  }
  std::vector<double> weights;
  for (std::size_t row = 0; row < task.rows(); ++row) weights.push_back(task.weight(row));
  return {RankedTable(task.features, task.signature, context), std::move(weights), {}, 0, 0};
}

enum class Part { grown_from, kept_aside };

// The weights of one part of the rows; the others have none.
std::vector<double> weights_of(Part part, const std::vector<double>& weights,
                               const std::vector<bool>& aside) {
  std::vector<double> out = weights;
  for (std::size_t row = 0; row < out.size(); ++row) {
    if (aside[row] != (part == Part::kept_aside)) out[row] = 0;
  }
  return out;
}

// Which rows are kept aside: as evenly spread over the dealt places as their share allows.
std::vector<bool> rows_aside(const C45& learner, const TrainTask& task, const FilledTable& filled) {
  constexpr std::size_t kParts = 100;
  const double share = std::clamp(std::round(learner.validation_fraction * kParts), 1.0, 99.0);
  const std::vector<std::uint32_t> place =
      deal_folds({filled.table, task.classes, {}, filled.weights}, kParts);
  std::vector<bool> aside(place.size());
  for (std::size_t row = 0; row < place.size(); ++row) {
    const double before = std::floor(place[row] * share / kParts);
    const double after = std::floor((place[row] + 1.0) * share / kParts);
    aside[row] = after > before;
  }
  return aside;
}

// Where a missing value would have gone had it been filled.
void send_missing(BranchTree& tree, const FilledTable& filled) {
  for (std::size_t node = 0; node < tree.nodes(); ++node) {
    if (tree.is_leaf(node)) continue;
    const double usual = filled.usual[static_cast<std::size_t>(tree.feature[node])];
    if (!std::isnan(usual)) tree.missing[node] = tree.branch_of(node, usual);
  }
}

using ObserveCuts = std::function<void(const ReducedErrorEvent&)>;

// Cut back by the rows of the user, which are asked as the model will be, with their missing cells
// as they are.
ReducedErrorResult pruned_by(const TrainTask& rows, const BranchTree& grown,
                             const ObserveCuts& observe, const Context& context) {
  std::vector<double> weights(rows.rows());
  for (std::size_t row = 0; row < weights.size(); ++row) weights[row] = rows.weight(row);
  return prune_reduced_error(grown, RankedTable(rows.features, rows.signature, context),
                             rows_with_weight(rows.classes, weights), observe);
}

}  // namespace

void C45::check(const TrainTask& task) const {
  costs.resolve(task.signature);
  if (task.validation == nullptr || pruning == Pruning::reduced_error) return;
  throw Error(ErrorKind::usage, "--pruning",
              fmt::format("validation rows are for pruning=reduced_error (got {})",
                          enum_names(pruning)[static_cast<std::size_t>(pruning)]),
              "set pruning to reduced_error, or leave the validation rows out");
}

C45Model C45::fit(const TrainTask& task, const Context& context) const {
  const FilledTable filled = training_table(*this, task, context);
  const std::size_t classes = task.signature.classes.size();
  C45Story story(*this, task.signature, context.trace);
  if (filled.filled + filled.removed > 0) story.fill(filled);
  BranchOptions options;
  options.limits = {criterion, nominal, at_node(missing), min_weight_leaf, mdl_correction};
  if (max_depth) options.max_depth = static_cast<std::size_t>(*max_depth);
  options.observe = story.observer();
  const std::vector<double> prices = costs.resolve(task.signature);
  if (costs.used()) {
    options.merit = [&](std::size_t j, double gain) { return costs.merit(gain, prices[j]); };
  }
  const bool validates = pruning == Pruning::reduced_error;
  std::vector<bool> aside(task.rows(), false);
  if (validates && task.validation == nullptr) aside = rows_aside(*this, task, filled);
  std::vector<double> weights = weights_of(Part::grown_from, filled.weights, aside);
  // With a row or two nothing can be kept aside.
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w <= 0; })) {
    aside.assign(task.rows(), false);
    weights = filled.weights;
  }
  BranchTree grown =
      grow_branches({filled.table, task.classes, classes}, weights, options, context);
  const bool sends = !filled.usual.empty() && missing != Missing::remove;
  if (sends && task.validation != nullptr) send_missing(grown, filled);
  C45Model model;
  model.grown_nodes = static_cast<std::int32_t>(grown.nodes());
  model.tree = grown;
  if (pruning == Pruning::pessimistic) {
    model.tree = prune_pessimistically(grown, filled.table, rows_with_weight(task.classes, weights),
                                       {.confidence = confidence,
                                        .raising = subtree_raising,
                                        .observe = story.cut_observer(grown)});
  } else if (pruning == Pruning::description_length) {
    model.tree = prune_by_description(grown, filled.table, story.cut_observer(grown));
  } else if (validates) {
    const ObserveCuts observe = story.reduced_error_observer(grown);
    const std::vector<double> kept = weights_of(Part::kept_aside, filled.weights, aside);
    ReducedErrorResult result =
        task.validation != nullptr
            ? pruned_by(*task.validation, grown, observe, context)
            : prune_reduced_error(grown, filled.table, rows_with_weight(task.classes, kept),
                                  observe);
    model.tree = std::move(result.tree);
    for (const SizeStep& step : result.curve) {
      model.curve.insert(model.curve.end(), {static_cast<double>(step.leaves),
                                             step.training_accuracy, step.validation_accuracy});
    }
  }
  if (sends) send_missing(model.tree, filled);
  model.bits = description_bits(model.tree, filled.table);
  story.finish(model);
  return model;
}

}  // namespace gradus
