// The answer that ignores the features: the yardstick that every model has to beat.
//
// For classes it gives the most frequent one or the class shares; for numbers the mean, which
// minimises squared error, the median, which minimises absolute error, any other quantile, or a
// constant of your choice.
//
//   auto model = fit(Baseline{.strategy = Baseline::Strategy::median}, train, "price");
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct BaselineModel;

enum class BaselineStrategy { automatic, most_frequent, prior, mean, median, quantile, constant };
constexpr std::array<std::string_view, 7> enum_names(BaselineStrategy) {
  return {"auto", "most_frequent", "prior", "mean", "median", "quantile", "constant"};
}

struct Baseline {
  using Strategy = BaselineStrategy;
  using Model = BaselineModel;

  Strategy strategy = Strategy::automatic;
  double quantile = 0.5;
  std::string constant = {};

  static constexpr Info info{
      .name = "baseline",
      .family = "baseline",
      .summary = "Predicts the same answer for every row: the score that any model must beat.",
      .tasks = Task::classify | Task::regress,
      .accepts = Accept::numeric | Accept::nominal | Accept::missing | Accept::sparse |
                 Accept::weights | Accept::many_outputs | Accept::no_features,
      .gives = Give::probabilities | Give::explains_fit | Give::same_answer};

  template <class L = Baseline>
  static constexpr auto describe() {
    return Members{
        param(&L::strategy, "strategy",
              "What to predict: for classes the most_frequent one, or the shares of all (prior); "
              "for numbers the mean, median, quantile or constant. "
              "auto is prior for classes and mean for numbers."),
        param(&L::quantile, "quantile", "The quantile to predict, 0.5 being the median.")
            .at_least(0)
            .at_most(1)
            .aka("alpha")
            .when("strategy", "quantile"),
        param(&L::constant, "constant", "The class or number to predict.")
            .when("strategy", "constant")};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
