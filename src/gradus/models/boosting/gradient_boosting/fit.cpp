// The rounds: gradients, a tree, its step. Everything heavy is in blocks/histogram.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/histogram/grow.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/boosting/gradient_boosting/explain.hpp"
#include "gradus/models/boosting/gradient_boosting/losses.hpp"
#include "gradus/models/boosting/gradient_boosting/model.hpp"

namespace gradus {
namespace {

constexpr std::size_t kBlock = 4096;

// What the random streams of one seed are for.
enum Purpose : std::uint32_t { kHoldOut = 1, kRows = 2, kColumns = 3 };

struct Largest {
  double gradient = 0;
  double hessian = 0;
};

class Booster {
 public:
  Booster(const GradientBoosting& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        rows_(task.rows()),
        weights_(own_weights(task)),
        training_(weights_),
        loss_(learner, task, training_, context),
        table_(bin_table(
            task.features, task.signature,
            {.max_bins = static_cast<std::size_t>(learner.tree.max_bins), .weights = task.weights},
            context)),
        grower_(table_, context) {
    if (learner.stopping.early_stopping) hold_out();
    model_.loss = loss_.kind();
    model_.start = loss_.start();
    model_.classes = static_cast<std::int32_t>(task.signature.classes.size());
    const std::size_t numbers = rows_ * (2 + loss_.outputs()) * sizeof(double);
    context.require_memory(numbers + rows_ * sizeof(GradientPair), "the gradients");
    gradient_.resize(rows_);
    hessian_.resize(rows_);
    pairs_.resize(rows_);
    for (const double score : model_.start) scores_.insert(scores_.end(), rows_, score);
    set_options();
  }

  GradientBoostingModel run() {
    BoostingStory story(learner_, task_, table_, context_);
    story.start(model_);
    // One class alone is certain: there is nothing to learn.
    const bool certain =
        loss_.kind() == BoostingLoss::log_loss && task_.signature.classes.size() < 2;
    const auto rounds = static_cast<std::size_t>(certain ? 0 : learner_.n_estimators);
    for (std::size_t round = 0; round < rounds; ++round) {
      context_.stop_if_cancelled();
      context_.report("boosting round", round, rounds);
      choose_rows(round);
      loss_.begin_round(scores_);
      for (std::size_t k = 0; k < loss_.outputs(); ++k) add_tree(round, k, story);
      if (learner_.stopping.early_stopping && is_over(round)) break;
    }
    sum_up_splits();
    story.finish(model_);
    return std::move(model_);
  }

 private:
  static std::vector<double> own_weights(const TrainTask& task) {
    if (task.weights.empty()) return std::vector<double>(task.rows(), 1.0);
    return {task.weights.begin(), task.weights.end()};
  }

  void set_options() {
    options_.rules = {.reg_lambda = learner_.tree.l2_regularization,
                      .reg_alpha = learner_.tree.reg_alpha,
                      .min_gain = learner_.tree.min_split_gain,
                      .min_child_weight = learner_.tree.min_child_weight,
                      .min_samples_leaf = static_cast<std::size_t>(learner_.tree.min_samples_leaf)};
    options_.max_leaves = static_cast<std::size_t>(learner_.tree.max_leaf_nodes);
    if (learner_.tree.max_depth)
      options_.max_depth = static_cast<std::size_t>(*learner_.tree.max_depth);
  }

  // Rows for early stopping weigh nothing in training.
  void hold_out() {
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < rows_; ++row) {
      if (weights_[row] > 0) order.push_back(row);
    }
    const auto wanted =
        std::llround(learner_.stopping.validation_fraction * static_cast<double>(order.size()));
    const auto count = static_cast<std::size_t>(wanted);
    if (count == 0 || count >= order.size()) {
      throw Error(ErrorKind::usage, "--early_stopping",
                  fmt::format("{} of {} cannot be held out", counted(count, "row"), order.size()),
                  "give more rows, another --validation_fraction, or no early stopping");
    }
    Stream stream(learner_.random_state, 0, kHoldOut);
    stream.shuffle(std::span<std::size_t>(order));
    held_out_.assign(rows_, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      held_out_[order[i]] = weights_[order[i]];
      training_[order[i]] = 0;
    }
  }

  // The rows that the trees of a round see; what they weigh otherwise stays in `training_`.
  void choose_rows(std::size_t round) {
    if (round == 0 || learner_.subsample < 1) active_ = training_;
    if (learner_.subsample >= 1) return;
    parallel::for_each_block(context_, rows_, kBlock, [&](parallel::Block block) {
      const std::uint64_t item = round * parallel::block_count(rows_, kBlock) + block.index;
      Stream stream(learner_.random_state, item, kRows);
      for (std::size_t row = block.begin; row < block.end; ++row) {
        if (stream.uniform() >= learner_.subsample) active_[row] = 0;
      }
    });
  }

  void choose_columns(std::size_t tree) {
    if (learner_.colsample_bytree >= 1) return;
    const double share = learner_.colsample_bytree * static_cast<double>(table_.cols());
    const auto count = static_cast<std::size_t>(std::max(1LL, std::llround(share)));
    std::vector<std::size_t> columns(table_.cols());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    Stream stream(learner_.random_state, tree, kColumns);
    stream.shuffle(std::span<std::size_t>(columns));
    columns.resize(count);
    std::sort(columns.begin(), columns.end());
    options_.columns = std::move(columns);
  }

  Largest take_gradients(std::size_t k) {
    return parallel::reduce_ordered<Largest>(
        context_, rows_, kBlock,
        [&](parallel::Block block) {
          double* g = gradient_.data() + block.begin;
          double* h = hessian_.data() + block.begin;
          loss_.gradients(k, block, g, h);
          Largest part;
          for (std::size_t i = 0; i < block.size(); ++i) {
            // Written so that a number that is none stays in sight.
            if (!(std::abs(g[i]) <= part.gradient)) part.gradient = std::abs(g[i]);
            if (!(h[i] <= part.hessian)) part.hessian = h[i];
          }
          return part;
        },
        [](Largest& total, const Largest& part) {
          if (!(part.gradient <= total.gradient)) total.gradient = part.gradient;
          if (!(part.hessian <= total.hessian)) total.hessian = part.hessian;
        });
  }

  Gradients pack(std::size_t k) {
    const Largest largest = take_gradients(k);
    if (!std::isfinite(largest.gradient) || !std::isfinite(largest.hessian)) {
      throw Error(ErrorKind::numerical, "", "the gradients of the loss are no longer finite",
                  "lower --learning_rate, or scale the target");
    }
    const FixedPoint scale(largest.gradient, largest.hessian, rows_);
    parallel::for_each_block(context_, rows_, kBlock, [&](parallel::Block block) {
      for (std::size_t i = block.begin; i < block.end; ++i) {
        pairs_[i] = active_[i] > 0 ? scale.pack(gradient_[i], hessian_[i]) : GradientPair{};
      }
    });
    return {pairs_, scale};
  }

  void add_tree(std::size_t round, std::size_t k, BoostingStory& story) {
    choose_columns(round * loss_.outputs() + k);
    const Gradients gradients = pack(k);
    story.begin_tree(round, k, gradient_);
    options_.observe = story.observer();
    GrownTree grown = grower_.grow(gradients, options_);
    set_leaves(grown);
    const std::span<double> scores(scores_.data() + k * rows_, rows_);
    parallel::for_each_index(context_, grown.leaves.size(), [&](std::size_t i) {
      const double step = grown.tree.value[grown.leaves[i].node];
      for (const std::uint32_t row : grown.leaves[i].rows) scores[row] += step;
    });
    model_.trees.append(grown.tree);
    splits_.push_back(grown.splits);
    if (story.listens()) {
      story.end_tree(grown, gradients.scale, scores, loss_.mean_loss(scores_, training_));
    }
  }

  // What each column gained in the trees that stay.
  void sum_up_splits() {
    model_.gains.assign(table_.cols(), 0.0);
    model_.splits.assign(table_.cols(), 0.0);
    for (std::size_t tree = 0; tree < model_.trees.count(); ++tree) {
      for (const GrownSplit& split : splits_[tree]) {
        model_.gains[split.column] += split.gain;
        model_.splits[split.column] += 1;
      }
    }
  }

  // Shrinks the steps, and sets those that the loss finds from the residuals.
  void set_leaves(GrownTree& grown) {
    if (loss_.renews_leaves()) {
      parallel::for_each_index(context_, grown.leaves.size(), [&](std::size_t i) {
        grown.tree.value[grown.leaves[i].node] = loss_.leaf_value(grown.leaves[i].rows, active_);
      });
    }
    for (double& value : grown.tree.value) {
      value *= learner_.learning_rate;
      if (!std::isfinite(value)) {
        throw Error(ErrorKind::numerical, "", "the value of a leaf is not finite",
                    "raise --l2_regularization or --min_child_weight");
      }
    }
  }

  bool is_over(std::size_t round) {
    std::vector<double>& losses = model_.validation_loss;
    losses.push_back(loss_.mean_loss(scores_, held_out_));
    if (round == 0 || losses[round] < losses[best_round_] - learner_.stopping.tol)
      best_round_ = round;
    const bool stuck =
        round - best_round_ >= static_cast<std::size_t>(learner_.stopping.n_iter_no_change);
    const bool last = round + 1 == static_cast<std::size_t>(learner_.n_estimators);
    if (stuck || last) model_.trees.cut((best_round_ + 1) * loss_.outputs());
    return stuck;
  }

  const GradientBoosting& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::size_t rows_;
  std::vector<double> weights_;   // of every row
  std::vector<double> training_;  // the same without the rows held out
  std::vector<double> held_out_;
  std::vector<double> active_;  // of the rows that this round sees
  RoundLoss loss_;
  BinnedTable table_;
  HistogramGrower grower_;
  GrowOptions options_;
  GradientBoostingModel model_;
  std::vector<double> scores_;  // output-major
  std::vector<double> gradient_;
  std::vector<double> hessian_;
  std::vector<GradientPair> pairs_;
  std::vector<std::vector<GrownSplit>> splits_;  // by tree
  std::size_t best_round_ = 0;
};

void check_targets(const TrainTask& task, BoostingLoss loss) {
  double sum = 0;
  for (std::size_t row = 0; row < task.rows(); ++row) {
    const double y = task.numbers[row];
    if (loss == BoostingLoss::gamma ? y > 0 : y >= 0) {
      sum += task.weight(row) * y;
      continue;
    }
    throw Error(ErrorKind::bad_data, "column " + in_quotes(task.signature.outputs.front()),
                fmt::format("loss={} needs targets {}, row {} has {}",
                            loss == BoostingLoss::gamma ? "gamma" : "poisson",
                            loss == BoostingLoss::gamma ? "above 0" : "of at least 0", row + 1,
                            readable(y)),
                "use --loss squared_error");
  }
  if (!(sum > 0)) {
    throw Error(ErrorKind::bad_data, "column " + in_quotes(task.signature.outputs.front()),
                "all targets are 0, whose logarithm does not exist", "use --loss squared_error");
  }
}

}  // namespace

void GradientBoosting::check(const TrainTask& task) const {
  const bool for_classes = task.signature.task == Task::classify;
  if (loss != Loss::automatic && for_classes != (loss == Loss::log_loss)) {
    throw Error(ErrorKind::usage, "--loss",
                fmt::format("loss must be {} for {} (got {})",
                            for_classes ? "log_loss or auto" : "one of the losses of numbers",
                            task_word(task.signature.task),
                            enum_names(loss)[static_cast<std::size_t>(loss)]));
  }
  if (task.rows() > kMostFixedRows) {
    throw Error(ErrorKind::limit, "",
                fmt::format("gradient_boosting takes at most {} rows", kMostFixedRows));
  }
  if (loss == Loss::poisson || loss == Loss::gamma) check_targets(task, loss);
}

GradientBoostingModel GradientBoosting::fit(const TrainTask& task, const Context& context) const {
  return Booster(*this, task, context).run();
}

}  // namespace gradus
