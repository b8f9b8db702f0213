// Label partitions: an ensemble that divides the classes instead of the rows.
//
// With many classes, each member gets the labels divided at random into two groups, learns which
// group a row belongs to, and gives every class of the group that it chooses a vote. The class with
// the most votes wins. Or the groups are divided further until single classes remain (nested
// dichotomies, Frank and Kramer 2004): the probability of a class is then the product of those on
// its path, and the mean over several such trees.
//
//   auto model = fit(LabelPartition{.n_estimators = 20}, train, "letter");
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/learner_choice.hpp"

namespace gradus {

struct LabelPartitionModel;

enum class PartitionStrategy { vote, nested };
constexpr std::array<std::string_view, 2> enum_names(PartitionStrategy) {
  return {"vote", "nested"};
}

struct LabelPartition {
  using Model = LabelPartitionModel;
  using Strategy = PartitionStrategy;

  ClassifierChoice estimator = "logistic_regression";
  Strategy strategy = Strategy::vote;
  int n_estimators = 10;
  std::vector<std::string> partitions = {};
  Seed random_state = 0;

  static constexpr Info info{
      .name = "label_partition",
      .family = "meta",
      .summary = "Divides the classes into two groups in many ways and lets the answers vote.",
      .tasks = Task::classify,
      .accepts = Accept::numeric | Accept::sparse | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = LabelPartition>
  static constexpr auto describe() {
    return Members{
        param(&L::estimator, "estimator", "The classifier that tells two groups of classes apart.")
            .aka("base_estimator", "base"),
        param(&L::strategy, "strategy",
              "vote: every division gives the classes of the chosen group a vote; nested: groups "
              "are divided until single classes remain, and probabilities are multiplied."),
        param(&L::n_estimators, "n_estimators", "Divisions that vote, or nested trees.")
            .at_least(1)
            .tune(5, 50, log_scale),
        param(&L::partitions, "partitions",
              "The first group of each division, its classes joined by |; empty: random halves.")
            .when("strategy", "vote"),
        param(&L::random_state, "random_state", "Seed of the divisions.").aka("seed")};
  }

  Info effective_info() const;
  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
