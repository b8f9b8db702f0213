// The isolation forest: rows that stand apart are parted from the others by few random cuts.
//
// Each tree takes a small sample of ψ rows and cuts it at random (a random column, a threshold
// uniform between its smallest and largest number) until every row is alone. The mean number of
// cuts h(x) that lead to a row, relative to that of an unsuccessful search in a binary tree, gives
//
//   s(x) = 2^(−E h(x) / c(ψ)),   c(n) = 2 H(n − 1) − 2 (n − 1) / n,   H(i) ≈ ln i + 0.5772,
//
// near 1 for rows that stand apart, below 1/2 for ordinary ones (Liu, Ting, Zhou 2008). Rows with
// s above the threshold are outliers: they form cluster 1, all others cluster 0.
//
//   auto model = fit(IsolationForest{.contamination = 0.01}, transactions);
#pragma once

#include <optional>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

struct IsolationForestModel;

struct IsolationForest {
  using Model = IsolationForestModel;

  int n_estimators = 100;
  int max_samples = 256;
  std::optional<double> contamination = {};
  double max_features = 1;
  bool bootstrap = false;
  Seed random_state = 0;

  static constexpr Info info{
      .name = "isolation_forest",
      .family = "ensemble",
      .summary = "Finds rows that stand apart: few random cuts are enough to isolate them.",
      .tasks = Task::cluster,
      .accepts = Accept::numeric,
      .gives =
          Flags<Give>(Give::explains_fit) | Give::explains_row | Give::transforms | Give::outliers,
      .encode = Encoding::one_hot};

  template <class L = IsolationForest>
  static constexpr auto describe() {
    return Members{
        param(&L::n_estimators, "n_estimators", "Number of trees.")
            .at_least(1)
            .aka("n_trees", "num_trees", "ntree")
            .tune(10, 500, log_scale),
        param(&L::max_samples, "max_samples",
              "Rows that each tree is grown on; all when there are fewer.")
            .at_least(1)
            .aka("sample_size")
            .tune(32, 1024, log_scale),
        param(&L::contamination, "contamination",
              "Share of the training rows that are outliers; none: all with a score above 0.5.")
            .above(0)
            .at_most(0.5),
        param(&L::max_features, "max_features", "Columns that each tree sees, as a share of all.")
            .above(0)
            .at_most(1),
        param(&L::bootstrap, "bootstrap",
              "Draw the rows of each tree with replacement; false: without."),
        param(&L::random_state, "random_state", "Seed of every random choice.").aka("seed")};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
