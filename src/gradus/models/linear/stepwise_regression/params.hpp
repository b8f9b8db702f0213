// Stepwise regression: least squares on the columns that earn their place.
//
// Forward selection starts with no column and adds the one that improves the criterion most, until
// none does; backward selection starts with all and removes the one that is missed least; `both`
// may do either at each step. The criterion is Akaike's (AIC, as R's step), Schwarz's (BIC),
// adjusted R2, or the squared error in cross-validation.
//
//   auto model = fit(StepwiseRegression{.direction = Direction::backward}, train, "price");
#pragma once

#include <array>
#include <string_view>

#include "gradus/blocks/linear/common_params.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"

namespace gradus {

struct StepwiseRegressionModel;

enum class StepDirection { forward, backward, both };
constexpr std::array<std::string_view, 3> enum_names(StepDirection) {
  return {"forward", "backward", "both"};
}

enum class StepCriterion { aic, bic, adjusted_r2, cross_validation };
constexpr std::array<std::string_view, 4> enum_names(StepCriterion) {
  return {"aic", "bic", "adjusted_r2", "cross_validation"};
}

struct StepwiseRegression {
  using Direction = StepDirection;
  using Criterion = StepCriterion;
  using Model = StepwiseRegressionModel;

  Direction direction = Direction::forward;
  Criterion criterion = Criterion::aic;
  int max_features = 0;
  int folds = 5;
  bool fit_intercept = true;
  double confidence = 0.95;

  static constexpr Info info{
      .name = "stepwise_regression",
      .family = "linear",
      .summary = "Least squares on columns chosen one by one, forward or backward.",
      .tasks = Task::regress,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = StepwiseRegression>
  static constexpr auto describe() {
    return Members{
        param(&L::direction, "direction",
              "forward adds columns to none, backward removes columns from all, both does either "
              "at each step, starting with none."),
        param(&L::criterion, "criterion",
              "What has to improve: Akaike's aic, Schwarz's bic, adjusted_r2, or the squared error "
              "in cross_validation."),
        param(&L::max_features, "max_features",
              "Most columns to select in forward steps; 0: as many as improve the criterion.")
            .at_least(0),
        param(&L::folds, "folds", "Contiguous parts of the rows for cross-validation.")
            .at_least(2)
            .aka("cv")
            .when("criterion", "cross_validation"),
        intercept_param(&L::fit_intercept),
        confidence_param(&L::confidence)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
