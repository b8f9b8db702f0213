// Rules from a tree: grown as C4.5 grows it, turned into rules, each rule simplified by itself.
//
// Rule post-pruning (Quinlan 1987, 1993; Mitchell 1997, section 3.7.1.2): grow a tree that fits the
// training rows; make every path from the root to a leaf a rule; drop conditions from each rule as
// long as its pessimistic error does not rise; sort the rules by that error and ask them in this
// order. A rule can drop a test near the root that its neighbours still need: a tree cannot.
//
//   auto model = fit(Rules{}, weather, "play");
#pragma once

#include <optional>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct RulesModel;

struct Rules {
  using Model = RulesModel;

  double confidence = 0.25;
  double min_weight_leaf = 2;
  std::optional<int> max_depth = {};
  bool drop_redundant = true;

  static constexpr Info info{
      .name = "rules",
      .family = "rules",
      .summary =
          "A tree turned into rules, each simplified by itself and sorted by its estimated "
          "error (rule post-pruning).",
      .tasks = Task::classify,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights | Accept::validation,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row};

  template <class L = Rules>
  static constexpr auto describe() {
    return Members{
        param(&L::confidence, "confidence",
              "Confidence level of the pessimistic error; smaller simplifies more. Validation rows "
              "need "
              "no such estimate.")
            .above(0)
            .at_most(0.5)
            .aka("confidence_factor", "cf")
            .tune(0.01, 0.5, log_scale),
        param(&L::min_weight_leaf, "min_weight_leaf",
              "At least two branches of a question of the tree hold this weight (number of rows).")
            .above(0)
            .aka("min_num_obj")
            .tune(1, 50, log_scale),
        param(&L::max_depth, "max_depth", "The longest path of the tree; none: no limit.")
            .at_least(1)
            .tune(1, 30),
        param(&L::drop_redundant, "drop_redundant",
              "Leave rules out without which the list makes no more training errors.")};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
