// Generalised least squares: regression whose errors are correlated with a known structure.
//
// With errors of covariance s^2 V the best line minimises (y - Xb)'V^-1 (y - Xb): multiply rows by
// L^-1, V = L L', and do ordinary least squares. V is the identity, the correlation rho^|i-j| of
// neighbouring rows (AR(1), rho given or estimated), or a matrix given in full.
//
//   auto model = fit(GeneralisedLeastSquares{.structure = ErrorStructure::ar1}, train, "sales");
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "gradus/blocks/linear/common_params.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct GeneralisedLeastSquaresModel;

enum class ErrorStructure { independent, ar1, given };
constexpr std::array<std::string_view, 3> enum_names(ErrorStructure) {
  return {"independent", "ar1", "given"};
}

struct GeneralisedLeastSquares {
  using Structure = ErrorStructure;
  using Model = GeneralisedLeastSquaresModel;

  Structure structure = Structure::independent;
  std::optional<double> rho = {};
  std::vector<double> covariance = {};
  bool fit_intercept = true;
  double confidence = 0.95;
  int max_iter = 100;
  double tol = 1e-10;

  static constexpr Info info{
      .name = "generalised_least_squares",
      .family = "linear",
      .summary = "Least squares for errors that are correlated: along the rows, or as given.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = GeneralisedLeastSquares>
  static constexpr auto describe() {
    return Members{
        param(&L::structure, "structure",
              "How errors hang together: independent; ar1, each with those of the rows before it, "
              "in the order of the file; or as a covariance matrix that is given."),
        param(&L::rho, "rho",
              "Correlation of the errors of neighbouring rows; if not given, it is estimated from "
              "the residuals (Prais and Winsten).")
            .above(-1)
            .below(1)
            .when("structure", "ar1"),
        param(&L::covariance, "covariance",
              "The covariance of the errors, row by row: n times n numbers for n rows.")
            .when("structure", "given"),
        intercept_param(&L::fit_intercept),
        confidence_param(&L::confidence),
        param(&L::max_iter, "max_iter", "Most rounds of the estimation of rho.").at_least(1),
        param(&L::tol, "tol", "Stop when rho changes by no more than this.").at_least(0)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
