// Boosting by filtering: three learners, the second and the third on what those before leave open.
//
// The first scheme that makes a strong learner of weak ones (Schapire 1990). The rows are dealt
// into three parts. The first learner learns the first part. Of the second part, its mistakes and
// as many of its right answers are kept: to the second learner the first one is a coin. Of the
// third part, the rows where the two disagree are for the third learner. Where the first two agree
// that is the answer, else the third decides. With three learners that err on a share ε of what
// each is asked, the three together err on
//
//   g(ε) = 3 ε² − 2 ε³,   which is less than ε for every ε below ½.
//
//   auto model = fit(BoostByFiltering{.estimator = "naive_bayes"}, train, "spam");
#pragma once

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/learner_choice.hpp"

namespace gradus {

struct BoostByFilteringModel;

struct BoostByFiltering {
  using Model = BoostByFilteringModel;

  ClassifierChoice estimator = "decision_tree(max_depth=3)";
  Seed random_state = 0;

  static constexpr Info info{
      .name = "boost_by_filtering",
      .family = "boosting",
      .summary =
          "Three learners: the second learns from mistakes of the first, the third settles "
          "where they disagree.",
      .tasks = Task::classify,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row};

  template <class L = BoostByFiltering>
  static constexpr auto describe() {
    return Members{
        param(&L::estimator, "estimator",
              "The classifier that is fitted three times; boost_by_filtering itself makes three "
              "times three.")
            .aka("base_estimator", "base"),
        param(&L::random_state, "random_state",
              "Seed of every random choice, also of those of the three.")
            .aka("seed")};
  }

  Info effective_info() const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
