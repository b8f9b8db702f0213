#include "gradus/models/boosting/gradient_boosting/open_choices.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "gradus/blocks/rows/content_order.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/boosting/gradient_boosting/losses.hpp"
#include "gradus/models/boosting/gradient_boosting/purpose.hpp"

namespace gradus {
namespace {

// Keeps the copies of a row apart.
constexpr std::uint64_t kCopyStride = 0x9e3779b97f4a7c15;

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

bool has_several_classes(const TrainTask& task) { return task.signature.classes.size() > 2; }

// A row, or a copy of one, that is dealt to a fold.
struct Dealt {
  std::int32_t code = 0;
  std::uint64_t chance = 0;
  std::uint64_t key = 0;
  std::size_t row = 0;

  auto order() const { return std::tuple(code, chance, key, row); }
};

}  // namespace

bool finds_rounds(const GradientBoosting& learner, const TrainTask& task) {
  if (learner.n_estimators || learner.stopping.early_stopping) return false;
  // A loss without values cannot be watched, queries must stay together, and with dropout no prefix
  // of the rounds is a model.
  const BoostingLoss loss = resolved_loss(learner, task.signature.task);
  if (loss == BoostingLoss::lambdarank || learner.dropout.drop_rate > 0) return false;
  if (loss == BoostingLoss::custom && !learner.custom_loss.values) return false;
  if (task.signature.task == Task::classify && task.signature.classes.size() < 2) return false;
  const bool several = has_several_classes(task);
  const auto scores = static_cast<double>(several ? task.signature.classes.size() : 1);
  const double rows = taught_rows(task);
  const double cells = rows * static_cast<double>(task.features.cols()) * scores;
  return rows >= static_cast<double>(kLeastFoldedRows) &&
         cells <= (several ? kMostFoldedClassCells : kMostFoldedCells);
}

std::size_t best_round(std::span<const double> losses, double tol) {
  std::size_t best = 0;
  for (std::size_t round = 1; round < losses.size(); ++round) {
    if (losses[round] < losses[best] - tol) best = round;
  }
  return best;
}

std::size_t most_rounds(const GradientBoosting& learner, const TrainTask& task) {
  if (learner.n_estimators) return static_cast<std::size_t>(*learner.n_estimators);
  if (learner.stopping.early_stopping) return kMostOpenRounds;
  if (!finds_rounds(learner, task)) return kUsualRounds;
  return has_several_classes(task) ? kMostOpenClassRounds : kMostOpenRounds;
}

GradientBoosting decided(const GradientBoosting& learner, const TrainTask& task) {
  GradientBoosting out = learner;
  const bool folds = finds_rounds(learner, task);
  const bool small = folds && taught_rows(task) <= static_cast<double>(kMostSymmetricRows);
  // A class among K has about 1/K of the rows, with hessians of about 1/K: the λ of two classes
  // would hold it back for hundreds of rounds. What is one score counts as two classes.
  const double classes =
      folds && has_several_classes(task) ? static_cast<double>(task.signature.classes.size()) : 2;
  if (!out.learning_rate) out.learning_rate = std::min(0.1, 0.025 * classes);
  if (!out.n_ensembles) out.n_ensembles = folds ? kOpenEnsembles : 1;
  BoostingTree& tree = out.tree;
  if (!tree.l2_regularization) tree.l2_regularization = 20 / (classes * classes);
  if (!tree.max_bins) tree.max_bins = small ? kFewBins : 255;
  if (tree.grow_policy == GrowPolicy::automatic) {
    tree.grow_policy = small ? GrowPolicy::symmetric : GrowPolicy::leaf_wise;
  }
  if (!tree.max_leaf_nodes) {
    tree.max_leaf_nodes = tree.grow_policy == GrowPolicy::symmetric ? 64 : 31;
  }
  return out;
}

std::vector<FoldPart> folds_by_contents(const GradientBoosting& learner, const TrainTask& task,
                                        const std::vector<double>& weights,
                                        const Context& context) {
  const std::vector<RowOccurrence> rows = row_occurrences(task, context);
  const bool copies = !task.weights.empty() && weights_are_copies(task);
  const auto times = [&](std::size_t row) {
    return copies ? static_cast<std::uint64_t>(task.weights[row]) : 1;
  };
  std::vector<Dealt> dealt;
  std::size_t different = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!(weights[row] > 0)) continue;
    const std::uint64_t key = rows[row].key;
    if (rows[row].before == 0) ++different;
    for (std::uint64_t copy = 0; copy < times(row); ++copy) {
      const std::uint64_t number = key + (rows[row].before + copy) * kCopyStride;
      const std::uint64_t chance = Stream(learner.random_state, number, kHoldOutPurpose).next();
      dealt.push_back({task.classes.empty() ? 0 : task.classes[row], chance, key, row});
    }
  }
  // Where most rows are copies, nearly every row that is held out was seen.
  if (different < 2 * kOpenFolds || 2 * different < dealt.size()) return {};
  std::sort(dealt.begin(), dealt.end(),
            [](const Dealt& a, const Dealt& b) { return a.order() < b.order(); });
  const std::vector<double> nothing(rows.size(), 0.0);
  std::vector<FoldPart> out(kOpenFolds, {.teaching = nothing, .held = nothing, .copies = nothing});
  for (std::size_t i = 0; i < dealt.size(); ++i) {
    const std::size_t row = dealt[i].row;
    const double weight = weights[row] / static_cast<double>(times(row));
    for (std::size_t f = 0; f < kOpenFolds; ++f) {
      const bool holds = f == i % kOpenFolds;
      (holds ? out[f].held : out[f].teaching)[row] += weight;
      out[f].copies[row] += holds ? 0 : 1;
    }
  }
  return out;
}

}  // namespace gradus
