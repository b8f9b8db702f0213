// The random forest: many deep trees, each on its own draw of the rows, that vote.
//
// Every tree sees a bootstrap sample (n rows drawn with replacement) and at each node only a random
// choice of the columns, so that the trees err differently and their mean errs less (Breiman 2001).
// The rows that a tree did not draw, about 1/e of them, test it for free: the out-of-bag error.
//
//   auto model = fit(RandomForest{.n_estimators = 300}, train, "species");
//   auto small = fit(RandomForest{.forest = {.max_depth = 4}}, train, "species");
#pragma once

#include "gradus/blocks/forest/forest_analysis.hpp"
#include "gradus/blocks/forest/forest_params.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct ForestModel;

struct RandomForest {
  using Model = ForestModel;

  int n_estimators = 100;
  bool bootstrap = true;
  ForestParams forest = {};
  ForestAnalysis analysis = {};

  static constexpr Info info{
      .name = "random_forest",
      .family = "ensemble",
      .summary = "Lets many deep trees vote, each grown on its own draw of rows and columns.",
      .tasks = Task::classify | Task::regress,
      .accepts = kForestAccepts,
      .gives = kForestGives};

  template <class L = RandomForest>
  static constexpr auto describe() {
    return forest_members<L>();
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
