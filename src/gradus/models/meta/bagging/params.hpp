// Bagging: many fits of one learner, each to its own draw of the rows, that vote.
//
// A learner that changes much when its data change a little has a high variance; the mean of L fits
// to bootstrap samples has less of it and the same bias (Breiman 1996):
//
//   answer(x) = (1/L) · Σ_l answer_l(x),   answer_l learned from n rows drawn with replacement
//
// The rows that a member did not draw, about 1/e of them, test it for free.
//
//   auto model = fit(Bagging{.estimator = DecisionTree{.limits = {.max_depth = 8}}}, train,
//   "species");
#pragma once

#include <array>
#include <string_view>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/learner_choice.hpp"

namespace gradus {

struct BaggingModel;

// How classes are voted for: by the mean of the members' probabilities, or one vote each.
enum class Voting { automatic, soft, hard };
constexpr std::array<std::string_view, 3> enum_names(Voting) { return {"auto", "soft", "hard"}; }

struct Bagging {
  using Model = BaggingModel;

  LearnerChoice estimator = "decision_tree";
  int n_estimators = 10;
  double max_samples = 1;
  double max_features = 1;
  bool bootstrap = true;
  bool bootstrap_features = false;
  bool oob_score = true;
  Voting voting = Voting::automatic;
  Seed random_state = 0;

  static constexpr Info info{
      .name = "bagging",
      .family = "meta",
      .summary = "Fits any learner to many draws of the rows and lets the fits vote.",
      .tasks = Task::classify | Task::regress,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row |
               Give::partial};

  template <class L = Bagging>
  static constexpr auto describe() {
    return Members{
        param(&L::estimator, "estimator", "The learner that is fitted to each draw.")
            .aka("base_estimator", "base"),
        param(&L::n_estimators, "n_estimators", "Number of draws and fits.")
            .at_least(1)
            .tune(5, 100, log_scale),
        param(&L::max_samples, "max_samples", "Rows of each draw, as a share of all rows.")
            .above(0)
            .at_most(1)
            .tune(0.3, 1),
        param(&L::max_features, "max_features", "Columns of each draw, as a share of all columns.")
            .above(0)
            .at_most(1)
            .tune(0.3, 1),
        param(&L::bootstrap, "bootstrap", "Draw the rows with replacement."),
        param(&L::bootstrap_features, "bootstrap_features", "Draw the columns with replacement."),
        param(&L::oob_score, "oob_score",
              "Measure the score on the rows that the members did not draw."),
        param(&L::voting, "voting",
              "How members vote on classes: soft is the mean of their probabilities (auto, where "
              "they give any), hard one vote each."),
        param(&L::random_state, "random_state",
              "Seed of every random choice, also of those of the members.")
            .aka("seed")};
  }

  Info effective_info() const;
  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
