// The fitted LogitBoost: stumps that add up to half the log odds of each class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/tree/trees.hpp"
#include "gradus/contract/feature_use.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/boosting/logitboost/params.hpp"

namespace gradus {

struct LogitBoostModel {
  std::int32_t classes = 2;
  Trees trees;                      // width 1; more than two classes take them in turn
  std::vector<double> losses;       // round: mean −ln p of the training rows after it
  std::vector<double> importances;  // column: squared error taken off

  template <class M = LogitBoostModel>
  static constexpr auto describe() {
    return Members{field(&M::classes, 1, "classes"), field(&M::trees, 2, "trees"),
                   field(&M::losses, 3, "losses"), field(&M::importances, 4, "importances")};
  }

  static constexpr Quantity quantities[] = {
      {"rounds", "The number of rounds."},
      {"losses", "After each round, the mean of −ln p over the training rows."},
      {"feature_importances", "For each column, its share of the squared error taken off."},
  };

  // Scores per row: F of class 1 for two classes, else one for each.
  std::size_t outputs() const { return classes > 2 ? static_cast<std::size_t>(classes) : 1; }
  // The probabilities of the classes from the scores of a row.
  void probabilities(std::span<const double> scores, double* out) const;

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  FeatureUse feature_use(const Signature& signature) const;
  // See contract/entry.hpp: what each column adds to the scores. Stumps that do not know how many
  // rows they parted give none.
  std::size_t contribution_scores() const { return trees.cover.empty() ? 0 : outputs(); }
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const;
  bool contributes_answers() const { return false; }
  std::size_t kept_trees() const { return trees.count(); }
  Value kept_tree(std::size_t index, const Signature& signature) const;
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
