// CART as its book has it: two branches, surrogate splits, and the right size by cross-validation.
//
// A tree is grown by the Gini index or the squared error, then pruned: R_α(T) = R(T) + α · leaves
// has one smallest best tree for every α, and these are nested. Cross-validation estimates the
// error of each; the smallest tree within one standard error of the best is taken (Breiman,
// Friedman, Olshen, Stone: "Classification and regression trees", 1984). A row whose value is
// missing is sent by the surrogate question that agrees best with the one it cannot answer.
//
//   auto model = fit(Cart{.folds = 10}, train, "species");
#pragma once

#include <optional>

#include "gradus/blocks/splitter/tree_limits.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct CartModel;

struct Cart {
  using Model = CartModel;
  using Criterion = TreeCriterion;

  Criterion criterion = Criterion::automatic;
  TreeLimits limits = {};
  int surrogates = 5;
  std::optional<double> ccp_alpha = {};
  int folds = 10;
  double standard_errors = 1;

  static constexpr Info info{
      .name = "cart",
      .family = "tree",
      .summary =
          "Classification and regression trees as in the book: surrogate splits, and the size "
          "chosen by cost-complexity pruning with cross-validation.",
      .tasks = Task::classify | Task::regress,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights | Accept::validation,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row};

  template <class L = Cart>
  static constexpr auto describe() {
    return Members{
        param(&L::criterion, "criterion",
              "How mixed a node is: gini (auto), entropy, gain_ratio or misclassification for "
              "classes; squared_error (auto), absolute_error or poisson for numbers."),
        group(&L::limits),
        param(&L::surrogates, "surrogates",
              "Most questions kept at each node for rows whose value is missing.")
            .at_least(0)
            .aka("maxsurrogate"),
        param(&L::ccp_alpha, "ccp_alpha",
              "Cost of a leaf in minimal cost-complexity pruning; none: cross-validation or "
              "validation "
              "rows choose.")
            .at_least(0)
            .aka("cp"),
        param(&L::folds, "folds",
              "Folds of the cross-validation, dealt evenly over targets and values; below 2: the "
              "tree is not pruned. Validation rows choose in their place.")
            .at_least(0)
            .aka("cv", "xval"),
        param(&L::standard_errors, "standard_errors",
              "The smallest tree whose error is at most this many standard errors above the least "
              "is taken; 0 takes the least.")
            .at_least(0)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
