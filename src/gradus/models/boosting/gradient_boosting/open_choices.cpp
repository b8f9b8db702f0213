#include "gradus/models/boosting/gradient_boosting/open_choices.hpp"

#include <algorithm>
#include <cmath>
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

// To which the time of a round is about proportional.
double cells_of(const TrainTask& task) {
  const auto scores =
      static_cast<double>(has_several_classes(task) ? task.signature.classes.size() : 1);
  return taught_rows(task) * static_cast<double>(task.features.cols()) * scores;
}

bool is_small(const TrainTask& task) {
  return cells_of(task) <= (has_several_classes(task) ? kMostFoldedClassCells : kMostFoldedCells);
}

// A loss without values cannot be watched, and with dropout no prefix of the rounds is a model.
bool can_stop(const GradientBoosting& learner, BoostingLoss loss) {
  if (learner.dropout.drop_rate > 0) return false;
  return loss != BoostingLoss::custom || learner.custom_loss.values;
}

}  // namespace

bool stops_early(const GradientBoosting& learner, const TrainTask& task) {
  if (learner.stopping.early_stopping) return true;
  return task.validation != nullptr && !learner.n_estimators &&
         can_stop(learner, resolved_loss(learner, task.signature.task));
}

std::size_t folds_that_find_rounds(const GradientBoosting& learner, const TrainTask& task) {
  if (learner.n_estimators || stops_early(learner, task)) return 0;
  // These folds are of rows, and queries must stay together.
  const BoostingLoss loss = resolved_loss(learner, task.signature.task);
  if (loss == BoostingLoss::lambdarank || !can_stop(learner, loss)) return 0;
  if (task.signature.task == Task::classify && task.signature.classes.size() < 2) return 0;
  if (taught_rows(task) < static_cast<double>(kLeastFoldedRows)) return 0;
  if (is_small(task)) return kOpenFolds;
  return cells_of(task) <= kMostHeldOutCells ? 1 : 0;
}

std::size_t best_round(std::span<const double> losses, double tol) {
  std::size_t best = 0;
  const double least_fall = losses.empty() ? 0 : tol * std::abs(losses.front());
  for (std::size_t round = 1; round < losses.size(); ++round) {
    if (losses[round] < losses[best] - least_fall) best = round;
  }
  return best;
}

std::size_t most_rounds(const GradientBoosting& learner, const TrainTask& task) {
  if (learner.n_estimators) return static_cast<std::size_t>(*learner.n_estimators);
  if (stops_early(learner, task)) return kMostOpenRounds;
  if (folds_that_find_rounds(learner, task) == 0) return kUsualRounds;
  return has_several_classes(task) ? kMostOpenClassRounds : kMostOpenRounds;
}

GradientBoosting decided(const GradientBoosting& learner, const TrainTask& task) {
  GradientBoosting out = learner;
  out.stopping.early_stopping = stops_early(learner, task);
  const std::size_t folds = folds_that_find_rounds(learner, task);
  const bool all = folds == kOpenFolds;
  const bool few = all && taught_rows(task) <= static_cast<double>(kMostSymmetricRows);
  // What is one score counts as two classes.
  const double classes =
      has_several_classes(task) ? static_cast<double>(task.signature.classes.size()) : 2;
  if (!out.learning_rate) out.learning_rate = folds > 0 ? std::min(0.1, 0.025 * classes) : 0.05;
  if (!out.n_ensembles) out.n_ensembles = all ? kOpenEnsembles : 1;
  if (!out.sample.subsample) out.sample.subsample = is_small(task) ? kSampleOfFew : kSampleOfMany;
  BoostingTree& tree = out.tree;
  // A class among K has about 1/K of the rows, with hessians of about 1/K: where rows are few, the
  // λ of two classes would hold it back for hundreds of rounds.
  if (!tree.l2_regularization) tree.l2_regularization = all ? 20 / (classes * classes) : 5;
  if (!tree.max_bins) tree.max_bins = few ? kFewBins : 255;
  if (tree.grow_policy == GrowPolicy::automatic) {
    tree.grow_policy = few ? GrowPolicy::symmetric : GrowPolicy::leaf_wise;
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
  const std::size_t wanted = folds_that_find_rounds(learner, task);
  std::vector<FoldPart> out(wanted, {.teaching = nothing, .held = nothing, .copies = nothing});
  for (std::size_t i = 0; i < dealt.size(); ++i) {
    const std::size_t row = dealt[i].row;
    const double weight = weights[row] / static_cast<double>(times(row));
    for (std::size_t f = 0; f < wanted; ++f) {
      const bool holds = f == i % kOpenFolds;
      (holds ? out[f].held : out[f].teaching)[row] += weight;
      out[f].copies[row] += holds ? 0 : 1;
    }
  }
  return out;
}

}  // namespace gradus
