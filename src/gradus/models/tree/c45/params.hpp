// C4.5: the gain ratio, a branch for every category, parts of rows for missing values, pruning.
//
// Quinlan's heir of ID3 ("C4.5: programs for machine learning", 1993). Every node asks for the
// column with the largest gain ratio among those that gain at least as much as the columns do on
// average; numbers are cut in two, categories get a branch each, and a row whose value is missing
// goes down every branch in part. The grown tree is pruned by pessimistic estimates of its error.
//
//   auto model = fit(C45{}, weather, "play");
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "gradus/blocks/branching/branch_measure.hpp"
#include "gradus/blocks/tree/attribute_costs.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct C45Model;

enum class C45Missing {
  fractional,
  fractional_gain,
  own_branch,
  most_common,
  same_class,
  mean,
  nearest,
  remove
};
constexpr std::array<std::string_view, 8> enum_names(C45Missing) {
  return {"fractional", "fractional_gain", "own_branch", "most_common", "same_class",
          "mean",       "nearest",         "delete"};
}

enum class C45Pruning { pessimistic, reduced_error, description_length, none };
constexpr std::array<std::string_view, 4> enum_names(C45Pruning) {
  return {"pessimistic", "reduced_error", "description_length", "none"};
}

struct C45 {
  using Model = C45Model;
  using Criterion = BranchMeasure;
  using Nominal = NominalBranches;
  using Missing = C45Missing;
  using Pruning = C45Pruning;

  Criterion criterion = Criterion::gain_ratio;
  Nominal nominal = Nominal::multiway;
  Missing missing = Missing::fractional;
  int neighbours = 5;
  std::optional<int> max_depth = {};
  double min_weight_leaf = 2;
  bool mdl_correction = true;
  Pruning pruning = Pruning::pessimistic;
  double confidence = 0.25;
  bool subtree_raising = true;
  double validation_fraction = 1.0 / 3;
  AttributeCosts costs = {};

  static constexpr Info info{
      .name = "c45",
      .family = "tree",
      .summary =
          "Quinlan's C4.5: gain ratio, a branch per category, parts of rows for missing "
          "values, pessimistic pruning.",
      .tasks = Task::classify,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights | Accept::validation,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row};

  template <class L = C45>
  static constexpr auto describe() {
    return Members{
        param(&L::criterion, "criterion",
              "By what columns are compared: gain_ratio, gain (in bits) or gini."),
        param(&L::nominal, "nominal",
              "Branches of a category: multiway (one per level), one_vs_rest or subset (two)."),
        param(&L::missing, "missing",
              "Missing values: fractional (parts of the row go down every branch, as in C4.5), "
              "fractional_gain (and count in the gain), own_branch, most_common (value at the "
              "node), same_class (most common with the same class), mean, nearest (cases), delete "
              "(rows)."),
        param(&L::neighbours, "neighbours", "Cases that fill a missing cell.")
            .at_least(1)
            .when("missing", "nearest"),
        param(&L::max_depth, "max_depth",
              "The longest path from the root to a leaf; none: no limit.")
            .at_least(1)
            .tune(1, 30),
        param(&L::min_weight_leaf, "min_weight_leaf",
              "At least two branches of a question hold this weight (number of rows).")
            .above(0)
            .aka("min_num_obj", "minNumObj", "m")
            .tune(1, 50, log_scale),
        param(&L::mdl_correction, "mdl_correction",
              "Take log₂(cuts)/n off the gain of a number, for having been chosen among so many "
              "cuts (release 8)."),
        param(&L::pruning, "pruning",
              "How the grown tree is cut back: pessimistic, reduced_error (on rows kept aside, or "
              "on validation rows), description_length, none."),
        param(&L::confidence, "confidence",
              "Confidence level of the pessimistic error; smaller prunes more.")
            .above(0)
            .at_most(0.5)
            .aka("confidence_factor", "cf")
            .when("pruning", "pessimistic")
            .tune(0.01, 0.5, log_scale),
        param(&L::subtree_raising, "subtree_raising",
              "Also try the largest branch in the place of its parent.")
            .when("pruning", "pessimistic"),
        param(&L::validation_fraction, "validation_fraction",
              "Share of the rows that is kept aside, dealt evenly over classes and values.")
            .above(0)
            .below(1)
            .when("pruning", "reduced_error"),
        group(&L::costs)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
