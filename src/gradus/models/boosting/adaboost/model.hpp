// The fitted AdaBoost: the stumps or other weak learners with their say, and how the rounds went.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gradus/blocks/tree/trees.hpp"
#include "gradus/contract/feature_use.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/boosting/adaboost/params.hpp"
#include "gradus/models/inner_model.hpp"

namespace gradus {

enum class BoostEnd : std::uint8_t { rounds, perfect, chance };
constexpr std::array<std::string_view, 3> enum_names(BoostEnd) {
  return {"all rounds done", "a learner without an error", "a learner no better than chance"};
}

// The class that a leaf of a stump votes for.
std::size_t vote_of(const Trees& trees, std::size_t leaf);

struct AdaBoostModel {
  Trees trees;                          // a stump per round; values: α for the class it votes for
  std::vector<double> errors;           // round: ε
  std::vector<double> steps;            // round: α
  std::vector<double> training_errors;  // round: share of wrong rows of the ensemble so far
  std::vector<double> bounds;           // round, two classes: Π Z so far
  BoostEnd end = BoostEnd::rounds;
  std::vector<InnerModel> members;  // the learner of each round; empty when they are stumps

  template <class M = AdaBoostModel>
  static constexpr auto describe() {
    return Members{
        field(&M::trees, 1, "trees"),    field(&M::errors, 2, "errors"),
        field(&M::steps, 3, "steps"),    field(&M::training_errors, 4, "training_errors"),
        field(&M::bounds, 5, "bounds"),  field(&M::end, 6, "end"),
        field(&M::members, 7, "members")};
  }

  static constexpr Quantity quantities[] = {
      {"rounds", "The number of weak learners that decide."},
      {"estimator", "The weak learner."},
      {"end", "Why the rounds ended."},
      {"errors", "The weighted error ε of the learner of each round."},
      {"steps", "The say α of each round."},
      {"training_errors", "After each round, the share of training weight that is wrong."},
      {"bounds", "Two classes: after each round, the bound Π 2√(ε(1 − ε)) on that share."},
      {"feature_importances",
       "Trees: for each column, its share of what they gained, by their say (stumps: of their "
       "say)."},
  };

  std::size_t rounds() const { return steps.size(); }
  // The class that the learner of a round gives a row.
  std::size_t vote(std::size_t round, std::span<const double> row) const;

  // The sum of α over the learners that vote for each class becomes a probability.
  void probabilities(double* scores) const;

  void predict(const RowBlock& rows, double* out) const;
  bool predicts_sparse() const;
  void predict(const SparseRows& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  // Of stumps their questions; of other trees also the shares of what they gained, by their say.
  std::optional<FeatureUse> feature_use(const Signature& signature) const;
  // See contract/entry.hpp: what each column adds to the votes for each class. Other learners than
  // stumps, and stumps that do not know how many rows they parted, give none.
  std::size_t contribution_scores() const {
    return trees.cover.empty() ? 0 : static_cast<std::size_t>(trees.width);
  }
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const;
  bool contributes_answers() const { return false; }
  std::string no_contributions() const;
  // Learners that are not one tree each keep none.
  std::size_t kept_trees() const;
  Value kept_tree(std::size_t index, const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
