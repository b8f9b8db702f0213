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
#include <string>
#include <string_view>

#include "gradus/blocks/class_weight/class_weight.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/gradient_boosting/category_params.hpp"
#include "gradus/models/boosting/gradient_boosting/custom_loss.hpp"
#include "gradus/models/boosting/gradient_boosting/round_params.hpp"
#include "gradus/models/boosting/gradient_boosting/tree_params.hpp"

namespace gradus {

class Checkpoints;
struct GradientBoostingModel;

enum class BoostingLoss {
  automatic,
  log_loss,
  squared_error,
  absolute_error,
  huber,
  quantile,
  poisson,
  gamma,
  tweedie,
  log_cosh,
  exponential,
  lambdarank,
  custom
};
constexpr std::array<std::string_view, 13> enum_names(BoostingLoss) {
  return {"auto",        "log_loss",   "squared_error", "absolute_error", "huber",
          "quantile",    "poisson",    "gamma",         "tweedie",        "log_cosh",
          "exponential", "lambdarank", "custom"};
}

enum class BoostingStart { prior, zero };
constexpr std::array<std::string_view, 2> enum_names(BoostingStart) { return {"prior", "zero"}; }

struct GradientBoosting {
  using Model = GradientBoostingModel;
  using Loss = BoostingLoss;
  using Start = BoostingStart;

  Loss loss = Loss::automatic;
  std::optional<int> n_estimators = {};
  std::optional<double> learning_rate = {};
  std::optional<int> n_ensembles = {};
  BoostingTree tree = {};
  BoostingCategories nominal = {};
  BoostingConstraints constraints = {};
  BoostingSample sample = {};
  BoostingDropout dropout = {};
  double quantile = 0.5;
  double alpha = 0.9;
  double tweedie_power = 1.5;
  std::string query = {};
  ClassWeight class_weight = ClassWeightRule::none;
  Start init = Start::prior;
  EarlyStopping stopping = {};
  Seed random_state = 0;
  CustomLoss custom_loss = {};  // decides, when it is there and the loss is automatic or custom

  static constexpr std::string_view extends[] = {"n_estimators"};

  static constexpr Info info{
      .name = "gradient_boosting",
      .family = "boosting",
      .summary = "Adds small trees, each fitted to the gradient of the loss of those before it.",
      .tasks = Task::classify | Task::regress,
      .accepts = Flags<Accept>(Accept::numeric) | Accept::nominal | Accept::ordinal |
                 Accept::missing | Accept::weights | Accept::validation,
      .gives = Flags<Give>(Give::probabilities) | Give::explains_fit | Give::explains_row |
               Give::partial};

  template <class L = GradientBoosting>
  static constexpr auto describe() {
    return Members{
        param(
            &L::loss, "loss",
            "What is minimised: log_loss for classes (auto) or exponential for two of them; "
            "squared_error for numbers (auto), absolute_error and quantile aim at the median and "
            "a quantile, huber and log_cosh at the mean without outliers, poisson at counts, "
            "gamma at positive amounts and tweedie at amounts that are often 0 (these with a log "
            "link); lambdarank at the order of the rows of each query; custom is a program's own.")
            .aka("objective"),
        param(
            &L::n_estimators, "n_estimators",
            "Number of rounds; each adds a tree, or one per class of three or more. None: 5/4 of "
            "what five folds like best, from 100 rows on while rows x columns are up to 60,000 (x "
            "classes 200,000), of what one fold likes up to 2,000,000; 300 elsewhere.")
            .at_least(1)
            .aka("max_iter", "num_iterations", "num_boost_round", "n_rounds", "iterations")
            .tune(10, 1000, log_scale),
        param(
            &L::learning_rate, "learning_rate",
            "Shrinks the step of every tree; none: 0.05, for K classes where folds find the number "
            "of rounds 0.025 K, at most 0.1.")
            .above(0)
            .aka("eta", "shrinkage")
            .tune(0.01, 0.5, log_scale),
        param(&L::n_ensembles, "n_ensembles",
              "How many ensembles with other draws of rows and columns are boosted and averaged; "
              "none: 3 where five folds find the number of rounds, 1 elsewhere.")
            .at_least(1),
        group(&L::tree),
        group(&L::nominal),
        group(&L::constraints),
        group(&L::sample),
        group(&L::dropout),
        param(&L::quantile, "quantile", "The quantile that the loss quantile aims at.")
            .above(0)
            .below(1)
            .when("loss", "quantile"),
        param(&L::alpha, "alpha",
              "Residuals beyond this quantile of their sizes count as outliers for huber.")
            .above(0)
            .below(1)
            .when("loss", "huber"),
        param(&L::tweedie_power, "tweedie_power",
              "How the variance grows with the mean for tweedie: 1 is poisson, 2 is gamma.")
            .above(1)
            .below(2)
            .aka("tweedie_variance_power")
            .when("loss", "tweedie"),
        param(&L::query, "query",
              "The column that tells which rows are ranked together; nothing is learned from it.")
            .aka("qid")
            .when("loss", "lambdarank"),
        class_weight_param(&L::class_weight),
        param(&L::init, "init",
              "The score before the first tree: prior is the best constant, zero is 0."),
        group(&L::stopping),
        param(&L::random_state, "random_state", "Seed of every random choice.").aka("seed"),
        group(&L::custom_loss)};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
  // The same bytes, after any number of interruptions.
  Model fit(const TrainTask& task, const Context& context, Checkpoints& checkpoints) const;
  // The rounds of `earlier`, and those that n_estimators says beyond them. What is drawn depends on
  // (seed, round) alone: with the same rows and parameters, one ensemble, no dropout and no
  // statistics of categories, the same bytes as n_estimators rounds in one go.
  Model fit_from(const Model& earlier, const TrainTask& task, const Context& context) const;
  // The column of the queries, for the loss that ranks.
  std::string ranked_by() const { return loss == Loss::lambdarank ? query : std::string(); }
};

}  // namespace gradus
