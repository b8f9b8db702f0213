// Gradient boosting: many small trees, each a step down the gradient of the loss.
//
// The score of a row is F(x) = F0 + η Σ_t h_t(x). Round t takes gradient g_i and hessian h_i of the
// loss at every row, grows a tree whose splits gain most to second order, and gives each leaf the
// Newton step −G/(H + λ) (Friedman 2001; Chen, Guestrin 2016). Columns are binned to one byte once,
// and trees grow leaf by leaf from histograms. Missing values and categories are taken as they are.
//
//   auto model = fit(GradientBoosting{.n_estimators = 300, .learning_rate = 0.05}, train,
//   "income");
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

struct GradientBoostingModel;

enum class BoostingLoss {
  automatic,
  log_loss,
  squared_error,
  absolute_error,
  huber,
  quantile,
  poisson,
  gamma
};
constexpr std::array<std::string_view, 8> enum_names(BoostingLoss) {
  return {"auto",  "log_loss", "squared_error", "absolute_error",
          "huber", "quantile", "poisson",       "gamma"};
}

enum class BoostingStart { prior, zero };
constexpr std::array<std::string_view, 2> enum_names(BoostingStart) { return {"prior", "zero"}; }

// How a single tree grows.
struct BoostingTree {
  int max_leaf_nodes = 31;
  std::optional<int> max_depth = {};
  int min_samples_leaf = 20;
  double min_child_weight = 1e-3;
  double l2_regularization = 1;
  double reg_alpha = 0;
  double min_split_gain = 0;
  int max_bins = 255;

  template <class T = BoostingTree>
  static constexpr auto describe() {
    return Members{
        param(&T::max_leaf_nodes, "max_leaf_nodes", "Most leaves of a tree.")
            .at_least(2)
            .aka("num_leaves", "max_leaves")
            .tune(4, 255, log_scale),
        param(&T::max_depth, "max_depth",
              "The longest path from the root to a leaf; none: as max_leaf_nodes allows.")
            .at_least(1)
            .tune(2, 16),
        param(&T::min_samples_leaf, "min_samples_leaf", "Fewest rows in a leaf.")
            .at_least(1)
            .aka("min_data_in_leaf", "min_child_samples")
            .tune(1, 100, log_scale),
        param(&T::min_child_weight, "min_child_weight", "Least sum of hessians in a leaf.")
            .at_least(0)
            .aka("min_sum_hessian_in_leaf"),
        param(&T::l2_regularization, "l2_regularization",
              "L2 penalty λ on the leaf values: a leaf answers −G/(H + λ).")
            .at_least(0)
            .aka("reg_lambda", "lambda_l2", "l2_leaf_reg")
            .tune(1e-3, 100, log_scale),
        param(&T::reg_alpha, "reg_alpha",
              "L1 penalty on the leaf values: G moves towards 0 by this much.")
            .at_least(0)
            .aka("lambda_l1", "l1_regularization"),
        param(&T::min_split_gain, "min_split_gain", "A split must gain more than this.")
            .at_least(0)
            .aka("gamma", "min_split_loss", "min_gain_to_split"),
        param(&T::max_bins, "max_bins",
              "Most bins of a column, without the one for missing values.")
            .at_least(2)
            .at_most(255)};
  }
};

// When to stop before the last round.
struct EarlyStopping {
  bool early_stopping = false;
  double validation_fraction = 0.1;
  int n_iter_no_change = 10;
  double tol = 1e-7;

  template <class S = EarlyStopping>
  static constexpr auto describe() {
    return Members{
        param(&S::early_stopping, "early_stopping",
              "Stop when the loss on held-out rows no longer falls, and keep the best round."),
        param(&S::validation_fraction, "validation_fraction",
              "Share of the rows that early stopping holds out.")
            .above(0)
            .below(1)
            .when("early_stopping", "true"),
        param(&S::n_iter_no_change, "n_iter_no_change",
              "Rounds without a better held-out loss before stopping.")
            .at_least(1)
            .aka("early_stopping_rounds")
            .when("early_stopping", "true"),
        param(&S::tol, "tol", "A smaller fall of the held-out loss is none.")
            .at_least(0)
            .when("early_stopping", "true")};
  }
};

struct GradientBoosting {
  using Model = GradientBoostingModel;
  using Loss = BoostingLoss;
  using Start = BoostingStart;

  Loss loss = Loss::automatic;
  int n_estimators = 100;
  double learning_rate = 0.1;
  BoostingTree tree = {};
  double subsample = 1;
  double colsample_bytree = 1;
  double quantile = 0.5;
  double alpha = 0.9;
  Start init = Start::prior;
  EarlyStopping stopping = {};
  Seed random_state = 0;

  static constexpr Info info{
      .name = "gradient_boosting",
      .family = "boosting",
      .summary = "Adds small trees, each fitted to the gradient of the loss of those before it.",
      .tasks = Task::classify | Task::regress,
      .accepts =
          Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::missing | Accept::weights,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row};

  template <class L = GradientBoosting>
  static constexpr auto describe() {
    return Members{
        param(&L::loss, "loss",
              "What is minimised: log_loss for classes (auto), squared_error for numbers (auto); "
              "absolute_error and quantile aim at the median and a quantile, huber at the mean "
              "without outliers, poisson at counts and gamma at positive amounts (both with a log "
              "link).")
            .aka("objective"),
        param(
            &L::n_estimators, "n_estimators",
            "Number of rounds; each adds one tree, or one per class when there are three or more.")
            .at_least(1)
            .aka("max_iter", "num_iterations", "num_boost_round", "n_rounds", "iterations")
            .tune(10, 1000, log_scale),
        param(&L::learning_rate, "learning_rate", "Shrinks the step of every tree.")
            .above(0)
            .aka("eta", "shrinkage")
            .tune(0.01, 0.5, log_scale),
        group(&L::tree),
        param(&L::subsample, "subsample", "Share of the rows that each tree sees.")
            .above(0)
            .at_most(1)
            .aka("bagging_fraction")
            .tune(0.5, 1),
        param(&L::colsample_bytree, "colsample_bytree", "Share of the columns that each tree sees.")
            .above(0)
            .at_most(1)
            .aka("feature_fraction", "colsample")
            .tune(0.3, 1),
        param(&L::quantile, "quantile", "The quantile that the loss quantile aims at.")
            .above(0)
            .below(1)
            .when("loss", "quantile"),
        param(&L::alpha, "alpha",
              "Residuals beyond this quantile of their sizes count as outliers for huber.")
            .above(0)
            .below(1)
            .when("loss", "huber"),
        param(&L::init, "init",
              "The score before the first tree: prior is the best constant, zero is 0."),
        group(&L::stopping),
        param(&L::random_state, "random_state", "Seed of every random choice.").aka("seed")};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
