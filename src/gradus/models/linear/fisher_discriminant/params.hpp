// Fisher's discriminant: the directions along which classes lie furthest apart for their width.
//
// A direction w is judged by J(w) = w'S_B w / w'S_W w, scatter between the classes over scatter
// within. For two classes the best is w = S_W^-1 (m_2 - m_1), and a row belongs to the second class
// when w'x reaches the threshold; for more classes the best directions are the eigenvectors of
// S_W^-1 S_B, and a row belongs to the class whose projected mean is nearest. No distribution is
// assumed, and there are no probabilities.
//
//   auto model = fit(FisherDiscriminant{.n_components = 2}, train, "species");
#pragma once

#include <array>
#include <string_view>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct FisherDiscriminantModel;

enum class FisherThreshold { overall_mean, midpoint };
constexpr std::array<std::string_view, 2> enum_names(FisherThreshold) {
  return {"overall_mean", "midpoint"};
}

struct FisherDiscriminant {
  using Threshold = FisherThreshold;
  using Model = FisherDiscriminantModel;

  int n_components = 0;
  Threshold threshold = Threshold::overall_mean;
  double shrinkage = 0;
  double tol = 1e-4;

  static constexpr Info info{
      .name = "fisher_discriminant",
      .family = "linear",
      .summary = "Projects rows to where the classes lie furthest apart for their width.",
      .tasks = Task::classify,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row | Give::transforms,
      .encode = Encoding::dummy};

  template <class L = FisherDiscriminant>
  static constexpr auto describe() {
    return Members{
        param(&L::n_components, "n_components",
              "Directions to keep, the best first; 0 keeps all, one fewer than there are classes.")
            .at_least(0),
        param(
            &L::threshold, "threshold",
            "Where two classes part along the direction: at the projection of the overall_mean, or "
            "at the midpoint of the class means."),
        param(&L::shrinkage, "shrinkage",
              "Moves the scatter within the classes towards (mean variance) times the identity: 0 "
              "not at all, 1 wholly.")
            .at_least(0)
            .at_most(1)
            .tune(0, 1),
        param(
            &L::tol, "tol",
            "Directions whose standard deviation, columns brought to deviation 1, is at most this "
            "take no part; no class counts as narrower.")
            .above(0)
            .below(1)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
