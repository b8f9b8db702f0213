// Quadratic discriminant analysis: normal classes, each with a covariance matrix of its own.
//
// The score of class k is -1/2 (x - m_k)'S_k^-1 (x - m_k) - 1/2 ln |S_k| + ln pi_k: borders are
// ellipses, parabolas, hyperbolas. Between this and `lda` lie Friedman's two steps (1989):
//   S_k <- (1 - pooling) S_k + pooling S,       S the covariance of all classes,
//   S_k <- (1 - shrinkage) S_k + shrinkage (tr S_k / d) I.
// pooling 1 is the shared covariance of lda, shrinkage 1 with it the nearest mean.
//
//   auto model = fit(Qda{.pooling = 0.3}, train, "species");
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "gradus/blocks/gaussian/discriminant_params.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct QdaModel;

enum class CovarianceDivisor { likelihood, unbiased };
constexpr std::array<std::string_view, 2> enum_names(CovarianceDivisor) {
  return {"likelihood", "unbiased"};
}

struct Qda {
  using Model = QdaModel;

  double pooling = 0;
  double shrinkage = 0;
  std::vector<double> priors = {};
  CovarianceDivisor divisor = CovarianceDivisor::likelihood;
  double tol = 1e-4;

  static constexpr Info info{
      .name = "qda",
      .family = "linear",
      .summary = "Normal classes, each with a covariance of its own: curved borders.",
      .tasks = Task::classify,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::probabilities | Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = Qda>
  static constexpr auto describe() {
    return Members{
        param(&L::pooling, "pooling",
              "Moves each covariance towards that of all classes together: 0 class-wise, 1 shared "
              "as in lda.")
            .at_least(0)
            .at_most(1)
            .tune(0, 1),
        covariance_shrinkage_param(&L::shrinkage), class_priors_param(&L::priors),
        param(
            &L::divisor, "covariance_divisor",
            "What sums of products are divided by: likelihood the weight n of the class, unbiased "
            "n - 1 as in R's MASS."),
        param(&L::tol, "tol",
              "The least standard deviation that a class has in any direction, columns brought to "
              "deviation 1.")
            .above(0)
            .below(1)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
