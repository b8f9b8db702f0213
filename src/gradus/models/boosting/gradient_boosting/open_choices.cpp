#include "gradus/models/boosting/gradient_boosting/open_choices.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/gradient_boosting/losses.hpp"
#include "gradus/models/boosting/gradient_boosting/purpose.hpp"

namespace gradus {
namespace {

// Rows that teach; a row of weight 2 counts as two.
double taught_rows(const TrainTask& task) {
  const bool copies = !task.weights.empty() && weights_are_copies(task);
  double rows = 0;
  for (std::size_t row = 0; row < task.rows(); ++row) {
    const double weight = task.weight(row);
    if (weight > 0) rows += copies ? weight : 1;
  }
  return rows;
}

}  // namespace

bool finds_rounds(const GradientBoosting& learner, const TrainTask& task) {
  if (learner.n_estimators || learner.stopping.early_stopping) return false;
  // A loss without values cannot be watched, queries must stay together, and with dropout no prefix
  // of the rounds is a model.
  const BoostingLoss loss = resolved_loss(learner, task.signature.task);
  if (loss == BoostingLoss::lambdarank || learner.dropout.drop_rate > 0) return false;
  if (loss == BoostingLoss::custom && !learner.custom_loss.values) return false;
  if (task.signature.task == Task::classify && task.signature.classes.size() < 2) return false;
  const std::size_t classes = task.signature.classes.size();
  const auto scores = static_cast<double>(classes > 2 ? classes : 1);
  const double rows = taught_rows(task);
  const double cells = rows * static_cast<double>(task.features.cols()) * scores;
  return rows >= static_cast<double>(kLeastFoldedRows) && cells <= kMostFoldedCells;
}

std::size_t most_rounds(const GradientBoosting& learner, const TrainTask& task) {
  if (learner.n_estimators) return static_cast<std::size_t>(*learner.n_estimators);
  const bool watched = learner.stopping.early_stopping || finds_rounds(learner, task);
  return watched ? kMostOpenRounds : kUsualRounds;
}

GradientBoosting decided(const GradientBoosting& learner, const TrainTask& task) {
  GradientBoosting out = learner;
  GrowPolicy& policy = out.tree.grow_policy;
  if (policy == GrowPolicy::automatic) {
    const bool small = taught_rows(task) <= static_cast<double>(kMostSymmetricRows);
    policy = small && finds_rounds(learner, task) ? GrowPolicy::symmetric : GrowPolicy::leaf_wise;
  }
  if (!out.tree.max_leaf_nodes) {
    out.tree.max_leaf_nodes = policy == GrowPolicy::symmetric ? 64 : 31;
  }
  return out;
}

std::vector<std::vector<double>> folds_by_contents(const GradientBoosting& learner,
                                                   const TrainTask& task,
                                                   const std::vector<double>& weights,
                                                   const Context& context) {
  const std::vector<RowOccurrence> rows = row_occurrences(task, context);
  const bool classes = task.signature.task == Task::classify;
  // (class, chance, contents) of every different row: in this order they are dealt.
  std::vector<std::tuple<std::int32_t, std::uint64_t, std::uint64_t>> dealt;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!(weights[row] > 0)) continue;
    const std::uint64_t key = rows[row].key;
    const std::uint64_t chance = Stream(learner.random_state, key, kHoldOutPurpose).next();
    dealt.emplace_back(classes ? task.classes[row] : 0, chance, key);
  }
  std::sort(dealt.begin(), dealt.end());
  dealt.erase(std::unique(dealt.begin(), dealt.end()), dealt.end());
  // Where most rows are copies, to hold all of them out is to ask for what was never seen.
  const auto different = static_cast<double>(dealt.size());
  if (dealt.size() < 2 * kOpenFolds || 2 * different < taught_rows(task)) return {};
  std::map<std::uint64_t, std::size_t> fold_of;
  for (std::size_t i = 0; i < dealt.size(); ++i) fold_of[std::get<2>(dealt[i])] = i % kOpenFolds;
  std::vector<std::vector<double>> out(kOpenFolds, std::vector<double>(rows.size(), 0.0));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (weights[row] > 0) out[fold_of[rows[row].key]][row] = weights[row];
  }
  return out;
}

}  // namespace gradus
