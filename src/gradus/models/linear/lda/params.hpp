// Linear discriminant analysis: normal classes that share one covariance matrix.
//
// The score of class k is x'S^-1 m_k - m_k'S^-1 m_k / 2 + ln pi_k, with m_k its mean, pi_k its
// share and S the covariance about the class means (divisor n, as maximum likelihood has it):
// borders are planes, and the same S gives Fisher's projection, the directions in which the class
// means lie furthest apart.
//
//   auto model = fit(Lda{}, train, "species");
#pragma once

#include <vector>

#include "gradus/blocks/gaussian/discriminant_params.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct LdaModel;

struct Lda {
  using Model = LdaModel;

  double shrinkage = 0;
  std::vector<double> priors = {};
  double tol = 1e-4;

  static constexpr Info info{
      .name = "lda",
      .family = "linear",
      .summary = "Normal classes with a shared covariance: planes as borders, Fisher's projection.",
      .tasks = Task::classify,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::probabilities | Give::explains_fit | Give::explains_row | Give::transforms,
      .encode = Encoding::dummy};

  template <class L = Lda>
  static constexpr auto describe() {
    return Members{
        covariance_shrinkage_param(&L::shrinkage), class_priors_param(&L::priors),
        param(
            &L::tol, "tol",
            "Directions whose standard deviation, columns brought to deviation 1, is at most this "
            "take no part.")
            .at_least(0)
            .below(1)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
