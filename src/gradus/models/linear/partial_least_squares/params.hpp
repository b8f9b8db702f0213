// Partial least squares: regression on a few combinations of the columns, chosen for what they have
// in common with the target.
//
// Component a is t = X r with the weights of largest covariance with y, then X and y are freed of
// it (w = X'y / |X'y|, p = X't / t't, q = y't / t't, X <- X - t p', y <- y - t q'); the
// coefficients are b = R q. As many components as columns give ordinary least squares; few of them
// work where columns are many and lean on each other.
//
//   auto model = fit(PartialLeastSquares{.n_components = 3}, train, "octane");
#pragma once

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct PartialLeastSquaresModel;

struct PartialLeastSquares {
  using Model = PartialLeastSquaresModel;

  int n_components = 2;
  bool scale = true;

  static constexpr Info info{
      .name = "partial_least_squares",
      .family = "linear",
      .summary = "Least squares on the few combinations of columns that vary with the target.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights | Accept::many_outputs,
      .gives = Give::explains_fit | Give::explains_row | Give::transforms,
      .encode = Encoding::dummy};

  template <class L = PartialLeastSquares>
  static constexpr auto describe() {
    return Members{
        param(
            &L::n_components, "n_components",
            "Components to take, at most as many as there are columns; the work ends earlier when "
            "nothing in the columns varies with the target any more.")
            .at_least(1)
            .tune(1, 10),
        param(&L::scale, "scale", "Whether columns are brought to deviation 1 first.")};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
