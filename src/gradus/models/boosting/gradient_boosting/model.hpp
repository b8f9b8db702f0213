// The fitted ensemble: a start and the trees, in the order of the rounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/tree/tree_engine.hpp"
#include "gradus/blocks/tree/trees.hpp"
#include "gradus/contract/feature_use.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/boosting/gradient_boosting/params.hpp"

namespace gradus {

struct GradientBoostingModel;

// The ensemble as it is asked: see blocks/tree/tree_engine.hpp.
class CompiledBoosting {
 public:
  explicit CompiledBoosting(const GradientBoostingModel& model);
  void predict(const RowBlock& rows, double* out) const;

 private:
  const GradientBoostingModel& model_;
  TreeEngine engine_;
};

struct GradientBoostingModel {
  BoostingLoss loss = BoostingLoss::squared_error;  // never automatic
  std::vector<double> start;            // the score of each output before the first tree
  Trees trees;                          // tree t adds to output t mod outputs; already shrunken
  std::vector<double> gains;            // feature: the sum of the gains of its splits
  std::vector<double> splits;           // feature: the number of its splits
  std::vector<double> validation_loss;  // round: on the held-out rows; empty without early stopping
  std::int32_t classes = 0;             // 0 for numbers
  std::vector<double> training_rounds;  // after which the loss on the rows that teach was taken
  std::vector<double> training_loss;    // the loss then
  std::int32_t ensembles = 1;           // that were averaged: their trees follow each other

  template <class M = GradientBoostingModel>
  static constexpr auto describe() {
    return Members{field(&M::loss, 1, "loss"),
                   field(&M::start, 2, "start"),
                   field(&M::trees, 3, "trees"),
                   field(&M::gains, 4, "gains"),
                   field(&M::splits, 5, "splits"),
                   field(&M::validation_loss, 6, "validation_loss"),
                   field(&M::classes, 7, "classes"),
                   field(&M::training_rounds, 8, "training_rounds"),
                   field(&M::training_loss, 9, "training_loss"),
                   field(&M::ensembles, 10, "ensembles")};
  }

  static constexpr Quantity quantities[] = {
      {"loss", "The loss that was minimised."},
      {"start", "The score of each output before the first tree."},
      {"rounds", "The number of rounds that were kept."},
      {"trees", "The number of trees."},
      {"ensembles", "The number of ensembles that were averaged."},
      {"feature_importances", "For each column, its share of the gains of all splits."},
      {"split_counts", "For each column, the number of its splits."},
      {"leaves", "The number of leaves of all trees."},
      {"depth", "The most questions that a tree asks a row."},
      {"training_curve",
       "The loss on the rows that teach after some of the rounds, the last among them."},
      {"validation_loss", "The loss on the held-out rows after each round, with early stopping."},
      {"ensemble", "The trees, question by question, when there are few nodes."},
  };

  // Numbers that it answers per row.
  std::size_t width() const { return classes > 0 ? static_cast<std::size_t>(classes) : outputs(); }
  // Scores per row: 1 for two classes and for numbers, one per class otherwise.
  std::size_t outputs() const { return start.size(); }
  std::size_t rounds() const {
    return start.empty() ? 0 : trees.count() / (start.size() * static_cast<std::size_t>(ensembles));
  }

  // The built-in loss whose scores are read like those of this model: a custom loss has the
  // logarithms of odds for classes, and numbers as they are.
  BoostingLoss read_as() const {
    if (loss != BoostingLoss::custom) return loss;
    return classes > 0 ? BoostingLoss::log_loss : BoostingLoss::squared_error;
  }

  void predict(const RowBlock& rows, double* out) const;
  CompiledBoosting compiled() const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  // See contract/entry.hpp.
  std::size_t kept_trees() const { return trees.count(); }
  Value kept_tree(std::size_t index, const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
  // Exact Shapley values of the scores; see blocks/shap.
  std::size_t contribution_scores() const { return outputs(); }
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const;
  bool contributes_answers() const;
  FeatureUse feature_use(const Signature& /*signature*/) const { return {gains, splits}; }
};

// From the scores of one row (overwritten) to what the model answers: probabilities or a number.
void answers_from_scores(BoostingLoss loss, std::span<double> scores, std::span<double> out);

}  // namespace gradus
