#include <fmt/format.h>

#include <numeric>

#include "gradus/blocks/single_tree/fit_tree.hpp"
#include "gradus/blocks/single_tree/tree_story.hpp"
#include "gradus/blocks/splitter/criterion.hpp"
#include "gradus/blocks/splitter/prune.hpp"
#include "gradus/blocks/splitter/target_scale.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/tree/cart/choose_alpha.hpp"
#include "gradus/models/tree/cart/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

struct ToldChoice {
  std::span<const AlphaTrial> trials;
  std::size_t chosen = 0;
  bool by_rows = false;  // of the user; else by folds
};

void tell_choice(const ToldChoice& told, double standard_errors, Trace* trace) {
  const auto& [trials, chosen, by_rows] = told;
  if (trace == nullptr || !trace->wants_more()) return;
  constexpr std::size_t kShown = 200;
  Value::Array rows;
  for (std::size_t k = 0; k < std::min(trials.size(), kShown); ++k) {
    rows.push_back(object({{"alpha", trials[k].alpha},
                           {"leaves", trials[k].leaves},
                           {"error", trials[k].error},
                           {"standard_error", trials[k].standard_error}}));
  }
  Step step{.title = told.by_rows ? "Choose the size by the validation rows"
                                  : "Choose the size by cross-validation",
            .path = told.by_rows ? "validation" : "cross_validation"};
  step.values = object({{"trials", std::move(rows)},
                        {"alpha", trials[chosen].alpha},
                        {"leaves", trials[chosen].leaves}});
  step.formula = "error(tree) <= least error + k · SE";
  step.text = fmt::format(
      "{} (α = {}) is the smallest tree whose error, {}, is within {} standard errors of the "
      "least.",
      counted(trials[chosen].leaves, "leaf", "leaves"), readable(trials[chosen].alpha),
      readable(trials[chosen].error), readable(standard_errors));
  trace->add(std::move(step));
}

// In the user's units; folds are judged by squared errors unless the criterion is absolute.
void restore(std::vector<AlphaTrial>& trials, TreeCriterion criterion, const TargetUnits& units) {
  if (!units.changed()) return;
  const bool absolute = criterion == TreeCriterion::absolute_error;
  const auto loss = [&](double x) { return absolute ? units.of_impurity(x) : units.of_square(x); };
  for (AlphaTrial& trial : trials) {
    trial.alpha = units.of_impurity(trial.alpha);
    trial.error = loss(trial.error);
    trial.standard_error = loss(trial.standard_error);
  }
}

}  // namespace

void Cart::check(const TrainTask& task) const {
  check_criterion(criterion, task);
  if (task.validation == nullptr || !ccp_alpha) return;
  throw Error(ErrorKind::usage, "--ccp_alpha",
              "validation rows choose the size of the tree, and ccp_alpha says it",
              "leave one of the two out");
}

CartModel Cart::fit(const TrainTask& task, const Context& context) const {
  const std::vector<double> weights = plain_weights(task);
  const RankedTable table(task.features, task.signature, context,
                          {.most = limits.max_bins, .weights = weights});
  ExactOptions options;
  options.criterion = resolved_criterion(criterion, task.signature.task);
  limits.apply(std::accumulate(weights.begin(), weights.end(), 0.0), options);
  const ScaledTarget target(task, options.criterion, weights);
  const TargetUnits& units = target.units();
  options.min_impurity_decrease = units.own_limit(options.min_impurity_decrease);
  const ExactOptions unobserved = options;
  TreeStory story({options.criterion, units}, task.signature, context.trace);
  options.observe = story.observer();
  SurrogateFinder finder(table, static_cast<std::size_t>(surrogates));
  options.surrogates = &finder;
  const ExactData data{table, task.classes, target.numbers(), task.signature.classes.size()};
  const ExactTree grown = ExactGrower(data, context).grow(weights, options);
  CartModel model;
  model.base.criterion = options.criterion;
  model.grown_leaves = static_cast<std::int32_t>(grown.trees.leaves(0));
  model.alpha = ccp_alpha.value_or(0);
  double own_alpha = units.own_limit(model.alpha);
  const bool chooses = !ccp_alpha && (folds >= 2 || task.validation != nullptr);
  std::vector<std::size_t> origin(grown.trees.nodes());
  std::iota(origin.begin(), origin.end(), std::size_t{0});
  if (chooses) {
    const std::vector<PruneStep> path = pruning_path(grown);
    std::vector<AlphaTrial> trials =
        task.validation != nullptr
            ? examine_sizes(
                  {*task.validation, grown, finder.take(origin), options.criterion, units}, path)
            : try_alphas({data, unobserved, weights, static_cast<std::size_t>(folds),
                          static_cast<std::size_t>(surrogates)},
                         path, context);
    const std::size_t chosen = chosen_trial(trials, standard_errors);
    own_alpha = trials[chosen].alpha;
    restore(trials, options.criterion, units);
    model.alpha = trials[chosen].alpha;
    for (const AlphaTrial& trial : trials) {
      model.trials.insert(model.trials.end(), {trial.alpha, static_cast<double>(trial.leaves),
                                               trial.error, trial.standard_error});
    }
    tell_choice({trials, chosen, task.validation != nullptr}, standard_errors, context.trace);
  }
  // α = 0 cuts what saves nothing; only a tree that nobody asked to prune is left alone.
  const bool prunes = ccp_alpha ? *ccp_alpha > 0 : chooses;
  model.base.tree = grown;
  if (prunes) {
    PrunedTree result = pruned_with_origin(grown, own_alpha);
    model.base.tree = std::move(result.tree);
    origin = std::move(result.origin);
    story.prune(grown.trees.leaves(0), model.base, model.alpha);
  }
  units.restore(model.base.tree);
  model.surrogates = finder.take(origin);
  story.finish(model.base);
  return model;
}

}  // namespace gradus
