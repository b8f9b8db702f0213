// ID3: the textbook decision tree on nominal attributes.
//
// Each node asks for the attribute with the largest information gain
//
//   Gain(S, A) = Entropy(S) − Σ_v |S_v|/|S| · Entropy(S_v),   Entropy(S) = −Σ p_k log₂ p_k,
//
// grows one branch per level of it, and hands the rows on; an attribute is used once on a path
// (Quinlan: "Induction of decision trees", 1986). Ties go to the first column.
//
//   auto model = fit(Id3{}, weather, "play");
#pragma once

#include <optional>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct Id3Model;

struct Id3 {
  using Model = Id3Model;

  std::optional<int> max_depth = {};
  int min_samples_split = 2;
  double min_impurity_decrease = 0;

  static constexpr Info info{
      .name = "id3",
      .family = "tree",
      .summary =
          "The textbook decision tree on nominal columns: information gain, one branch per "
          "category.",
      .tasks = Task::classify,
      .accepts = Accept::nominal | Accept::weights | Accept::missing_at_prediction,
      .gives = Give::probabilities | Give::explains_fit | Give::explains_row};

  template <class L = Id3>
  static constexpr auto describe() {
    return Members{
        param(&L::max_depth, "max_depth",
              "The longest path from the root to a leaf; none: until the leaves are pure or the "
              "attributes are used up.")
            .at_least(1)
            .tune(1, 20),
        param(&L::min_samples_split, "min_samples_split", "A node with fewer rows is a leaf.")
            .at_least(2)
            .aka("min_data_in_node")
            .tune(2, 100, log_scale),
        param(&L::min_impurity_decrease, "min_impurity_decrease",
              "A node is split only if its gain, times its share of the training weight, is at "
              "least this.")
            .at_least(0)
            .unit("bits")
            .aka("min_gain_to_split")};
  }

  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
