#include "gradus/models/boosting/adaboost/weak_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "gradus/blocks/stump/stump.hpp"
#include "gradus/models/boosting/adaboost/explain.hpp"
#include "gradus/models/meta/inner_task.hpp"

namespace gradus {
namespace {

// Sums of weights that differ by less than this are equal.
constexpr double kSameWeight = 1e-12;

class StumpLearner final : public WeakLearner {
 public:
  StumpLearner(const AdaBoost& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        context_(context),
        table_(task, context),
        classes_(task.signature.classes.size()) {
    const std::vector<double> weights = row_weights(task, learner.initial_weights);
    for (const std::uint32_t row : table_.rows()) {
      codes_.push_back(task.classes[row]);
      first_.push_back(weights[row]);
    }
  }

  std::span<const std::uint32_t> rows() const override { return table_.rows(); }

  // The best stump, or the best constant when no question errs less.
  void learn(std::size_t /*round*/, std::span<const double> weights,
             std::span<std::int32_t> said) override {
    const NodeSample sample = table_.sample(codes_, classes_, weights);
    split_ = best_stump(table_, sample, criterion(), context_);
    std::vector<std::uint8_t> side(codes_.size(), 0);
    if (split_.found) side = table_.sides(split_);
    std::vector<double> counts(2 * classes_, 0.0);
    held_ = {0, 0};
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      held_[side[i]] += first_[i];
      counts[side[i] * classes_ + static_cast<std::size_t>(codes_[i])] += weights[i];
    }
    for (const std::size_t which : {0U, 1U}) {
      const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(which * classes_);
      const auto end = begin + static_cast<std::ptrdiff_t>(classes_);
      // Of classes that weigh the same but for rounding, the first.
      const double most = *std::max_element(begin, end) - kSameWeight;
      vote_[which] = static_cast<std::size_t>(
          std::find_if(begin, end, [most](double weight) { return weight >= most; }) - begin);
    }
    if (!split_.found) vote_[1] = vote_[0];
    if (vote_[0] == vote_[1]) split_.found = false;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      said[i] = static_cast<std::int32_t>(vote_[side[i]]);
    }
  }

  void keep(double step, AdaBoostModel& model) override {
    Trees tree;
    tree.width = model.trees.width;
    const std::size_t root = tree.begin_tree();
    std::vector<double> value(classes_, 0.0);
    const auto say = [&](std::size_t node, std::size_t vote) {
      std::fill(value.begin(), value.end(), 0.0);
      value[vote] = step;
      tree.set_value(node, value);
    };
    say(root, vote_[0]);
    tree.cover = {held_[0] + held_[1]};
    if (split_.found) {
      const std::size_t yes = tree.split(root, split_.question);
      say(yes, vote_[1]);
      say(yes + 1, vote_[0]);
      tree.cover.insert(tree.cover.end(), {held_[1], held_[0]});
    }
    model.trees.append(tree);
  }

 private:
  TreeCriterion criterion() const {
    switch (learner_.criterion) {
      case StumpCriterion::gini: return TreeCriterion::gini;
      case StumpCriterion::entropy: return TreeCriterion::entropy;
      case StumpCriterion::error: return TreeCriterion::misclassification;
      case StumpCriterion::automatic: break;
    }
    return classes_ > 2 ? TreeCriterion::gini : TreeCriterion::misclassification;
  }

  const AdaBoost& learner_;
  const Context& context_;
  StumpTable table_;
  std::size_t classes_;
  std::vector<std::int32_t> codes_;       // by position
  std::vector<double> first_;             // by position: the weight of the row as it was given
  std::array<double, 2> held_ = {};       // of it on the no- and on the yes-side
  ExactSplit split_;                      // not found: both sides are one
  std::array<std::size_t, 2> vote_ = {};  // class of the no- and of the yes-side
};

class ChosenWeakLearner final : public WeakLearner {
 public:
  ChosenWeakLearner(const AdaBoost& learner, const TrainTask& task, const Context& context)
      : base_(learner.estimator.learner()),
        task_(task),
        context_(context),
        traces_(context, std::min(static_cast<std::size_t>(learner.n_estimators), kToldMemberFits)),
        rows_(weighing_rows(task)),
        seed_(seed_of(base_)) {
    for (const std::uint32_t row : rows_) total_ += task.weight(row);
  }

  std::span<const std::uint32_t> rows() const override { return rows_; }

  // The weights have the sum of those of the rows: the first round is the learner's own fit.
  void learn(std::size_t round, std::span<const double> weights,
             std::span<std::int32_t> said) override {
    std::vector<double> by_row(task_.rows(), 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      by_row[rows_[i]] = weights[i] * total_;
    }
    const TrainTask inner{task_.features, task_.signature, task_.classes, task_.numbers, by_row};
    const std::string whose = fmt::format("round {}", round + 1);
    const AnyLearner seeded = seed_ ? with_seed(base_, Stream(*seed_, round).next()) : base_;
    model_ = fit_inner(seeded, inner, traces_.context(round), whose);
    traces_.replay(round, whose);
    const std::vector<std::int32_t> all =
        said_classes(model_, task_.features, task_.signature.classes.size(), context_);
    for (std::size_t i = 0; i < rows_.size(); ++i) said[i] = all[rows_[i]];
  }

  void keep(double /*step*/, AdaBoostModel& model) override { model.members.push_back(model_); }

 private:
  AnyLearner base_;
  const TrainTask& task_;
  const Context& context_;
  InnerTraces traces_;
  std::vector<std::uint32_t> rows_;
  std::optional<Seed> seed_;  // of the base: every round draws its own from it
  double total_ = 0;
  InnerModel model_;
};

}  // namespace

bool boosts_stumps(const AdaBoost& learner) {
  return learner_text(learner.estimator.learner()) == "decision_stump";
}

std::unique_ptr<WeakLearner> make_weak_learner(const AdaBoost& learner, const TrainTask& task,
                                               const Context& context) {
  if (boosts_stumps(learner)) return std::make_unique<StumpLearner>(learner, task, context);
  return std::make_unique<ChosenWeakLearner>(learner, task, context);
}

}  // namespace gradus
