// Extremely randomised trees: a forest whose thresholds are drawn by chance.
//
// At each node every tried column gets one threshold, uniform between its smallest and largest
// number there, and the best of these few questions is taken (Geurts, Ernst, Wehenkel 2006). All
// trees see all rows: the chance in the thresholds makes them differ enough. Nothing is sorted, so
// trees grow several times as fast as those of a random forest.
//
//   auto model = fit(ExtraTrees{.n_estimators = 300}, train, "species");
#pragma once

#include "gradus/blocks/forest/forest_analysis.hpp"
#include "gradus/blocks/forest/forest_params.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct ForestModel;

struct ExtraTrees {
  using Model = ForestModel;

  int n_estimators = 100;
  bool bootstrap = false;
  ForestParams forest = {};
  ForestAnalysis analysis = {};

  static constexpr Info info{
      .name = "extra_trees",
      .family = "ensemble",
      .summary = "Lets many deep trees vote whose thresholds are drawn by chance.",
      .tasks = Task::classify | Task::regress,
      .accepts = kForestAccepts,
      .gives = kForestGives};

  template <class L = ExtraTrees>
  static constexpr auto describe() {
    return forest_members<L>();
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
