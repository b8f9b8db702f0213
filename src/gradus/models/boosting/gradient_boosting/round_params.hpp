// What a round of gradient boosting sees, what it leaves out, and when the rounds end.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "gradus/core/describe.hpp"

namespace gradus {

enum class RowSampling { uniform, goss };
constexpr std::array<std::string_view, 2> enum_names(RowSampling) { return {"uniform", "goss"}; }

// The rows and columns that a tree sees.
struct BoostingSample {
  std::optional<double> subsample = {};
  RowSampling sampling = RowSampling::uniform;
  double top_rate = 0.2;
  double other_rate = 0.1;
  double colsample_bytree = 0.7;

  template <class S = BoostingSample>
  static constexpr auto describe() {
    return Members{
        param(&S::subsample, "subsample",
              "Share of the rows that each tree sees; none: 0.5 while rows x columns are up to "
              "60,000 "
              "(x classes 200,000), 0.8 beyond.")
            .above(0)
            .at_most(1)
            .aka("bagging_fraction")
            .tune(0.5, 1)
            .when("sampling", "uniform"),
        param(&S::sampling, "sampling",
              "How the rows of a tree are drawn: all with the same chance (uniform), or those with "
              "large gradients always and the others seldom, with more weight (goss).")
            .aka("data_sample_strategy"),
        param(&S::top_rate, "top_rate", "Share of the rows that goss always keeps.")
            .above(0)
            .below(1)
            .when("sampling", "goss"),
        param(&S::other_rate, "other_rate", "Share of the rows that goss draws from the others.")
            .above(0)
            .below(1)
            .when("sampling", "goss"),
        param(&S::colsample_bytree, "colsample_bytree",
              "Share of the columns that each tree sees, rounded up.")
            .above(0)
            .at_most(1)
            .aka("feature_fraction", "colsample")
            .tune(0.3, 1)};
  }
};

// Dropout: a tree is fitted as if some earlier ones were not there (DART).
struct BoostingDropout {
  double drop_rate = 0;
  double skip_drop = 0;

  template <class D = BoostingDropout>
  static constexpr auto describe() {
    return Members{
        param(
            &D::drop_rate, "drop_rate",
            "Chance of every earlier round to be left out while a tree is fitted (DART); 0 leaves "
            "none out.")
            .at_least(0)
            .at_most(1)
            .aka("rate_drop"),
        param(&D::skip_drop, "skip_drop", "Chance of a round to leave no earlier one out.")
            .at_least(0)
            .at_most(1)};
  }
};

// When to stop before the last round.
struct EarlyStopping {
  bool early_stopping = false;
  double validation_fraction = 0.1;
  std::optional<int> validation_folds = {};
  int n_iter_no_change = 10;
  double tol = 1e-7;

  template <class S = EarlyStopping>
  static constexpr auto describe() {
    return Members{
        param(&S::early_stopping, "early_stopping",
              "Stop when the loss on rows that do not teach no longer falls, and keep the best "
              "round: on validation rows where they are given, else on rows held out."),
        param(&S::validation_fraction, "validation_fraction",
              "Share of the rows, or of the queries, that early stopping holds out.")
            .above(0)
            .below(1)
            .when("early_stopping", "true"),
        param(&S::validation_folds, "validation_folds",
              "Find the number of rounds by this many folds, then learn from all rows; none: by "
              "validation_fraction.")
            .at_least(2)
            .when("early_stopping", "true"),
        param(&S::n_iter_no_change, "n_iter_no_change",
              "Rounds without a better held-out loss before stopping.")
            .at_least(1)
            .aka("early_stopping_rounds")
            .when("early_stopping", "true"),
        param(&S::tol, "tol",
              "A smaller fall of the held-out loss, as a share of its first value, is none.")
            .at_least(0)
            .when("early_stopping", "true")};
  }
};

}  // namespace gradus
