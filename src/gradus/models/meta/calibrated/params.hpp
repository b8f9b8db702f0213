// Calibration: makes the probabilities of any classifier mean what they say.
//
// Of all rows that are told 0.8, four in five should be right; many classifiers are too sure or not
// sure enough. The base is fitted to all folds but one, answers the rows of that one, and a map
// from its scores to probabilities is learned from these honest answers (see blocks/calibrate).
// With `ensemble` the answer is the mean over the folds, each with its own base and map; without,
// one map from the answers of all folds, and the base fitted to all rows.
//
//   auto model = fit(Calibrated{.estimator = NaiveBayes{}, .method = CalibrationMethod::isotonic},
//                    train, "spam");
#pragma once

#include <array>
#include <string_view>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/learner_choice.hpp"

namespace gradus {

struct CalibratedModel;

enum class CalibrationMethod { sigmoid, isotonic, temperature };
constexpr std::array<std::string_view, 3> enum_names(CalibrationMethod) {
  return {"sigmoid", "isotonic", "temperature"};
}

struct Calibrated {
  using Model = CalibratedModel;
  using Method = CalibrationMethod;

  ClassifierChoice estimator = "naive_bayes";
  Method method = Method::sigmoid;
  int folds = 5;
  bool ensemble = true;
  bool shuffle = true;
  Seed random_state = 0;

  static constexpr Info info{
      .name = "calibrated",
      .family = "meta",
      .summary = "Corrects the probabilities of any classifier by what they were worth on folds.",
      .tasks = Task::classify,
      .accepts =
          Accept::numeric | Accept::nominal | Accept::missing | Accept::sparse | Accept::weights,
      .gives = Give::probabilities | Give::explains_fit | Give::explains_row};

  template <class L = Calibrated>
  static constexpr auto describe() {
    return Members{
        param(&L::estimator, "estimator", "The classifier whose probabilities are corrected.")
            .aka("base_estimator", "base"),
        param(&L::method, "method",
              "The map from scores to probabilities: sigmoid (Platt's, two numbers per class), "
              "isotonic (any rising steps; wants many rows) or temperature (one number for all)."),
        param(&L::folds, "folds", "Number of folds; at most as many as there are different rows.")
            .at_least(2)
            .aka("cv", "n_splits"),
        param(&L::ensemble, "ensemble",
              "Average over the folds, each with its own fit and map; false: one map from all "
              "folds, and one fit to all rows."),
        param(&L::shuffle, "shuffle",
              "Draw the folds at random, equal rows into the same one, wherever they stand; false: "
              "by "
              "the order of the rows, as scikit-learn."),
        param(&L::random_state, "random_state", "Seed of the folds.")
            .aka("seed")
            .when("shuffle", "true")};
  }

  Info effective_info() const;
  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
