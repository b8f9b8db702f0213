#include <algorithm>
#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/models/boosting/adaboost/explain.hpp"
#include "gradus/models/boosting/adaboost/weak_learner.hpp"
#include "gradus/models/meta/inner_task.hpp"

namespace gradus {
namespace {

// An error of 0 would have an infinite say: it counts as this one.
constexpr double kLeastError = 1e-10;
// Sums of weights that differ by less than this are equal.
constexpr double kRounding = 1e-12;

class Rounds {
 public:
  Rounds(const AdaBoost& learner, const TrainTask& task, const Context& context)
      : learner_(learner),
        task_(task),
        context_(context),
        weak_(make_weak_learner(learner, task, context)),
        classes_(task.signature.classes.size()) {
    const std::vector<double> weights = row_weights(task, learner.initial_weights);
    for (const std::uint32_t row : weak_->rows()) {
      codes_.push_back(task.classes[row]);
      first_.push_back(weights[row]);
      total_ += weights[row];
    }
    weights_ = first_;
    for (double& w : weights_) w /= total_;
    scores_.assign(codes_.size() * classes_, 0.0);
    said_.resize(codes_.size());
    wrong_.resize(codes_.size());
    model_.trees.width = static_cast<std::int32_t>(classes_);
  }

  AdaBoostModel run() {
    const auto rounds = static_cast<std::size_t>(learner_.n_estimators);
    for (std::size_t round = 0; round < rounds; ++round) {
      context_.report("round", round, rounds);
      if (context_.ends_here("round", round, rounds) || !go_on(round)) break;
    }
    if (context_.trace != nullptr) story().finish(total_);
    return std::move(model_);
  }

 private:
  AdaBoostStory story() const { return {model_, task_.signature, *context_.trace}; }

  // The weighted error of what was said.
  double judge() {
    double error = 0;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      wrong_[i] = said_[i] == codes_[i] ? 0 : 1;
      error += wrong_[i] != 0 ? weights_[i] : 0;
    }
    return error;
  }

  // One round; false when it was the last.
  bool go_on(std::size_t round) {
    weak_->learn(round, weights_, said_);
    const double measured = judge();
    const double chance = 1 - 1 / static_cast<double>(classes_);
    if (classes_ > 1 && measured >= chance - kRounding) {
      model_.end = BoostEnd::chance;
      if (round == 0) keep(measured, 0);
      if (context_.trace != nullptr) story().refused(round, measured);
      return false;
    }
    const bool perfect =
        std::all_of(wrong_.begin(), wrong_.end(), [](std::uint8_t w) { return w == 0; });
    if (perfect) {
      // It needs nobody else.
      model_ = {};
      model_.trees.width = static_cast<std::int32_t>(classes_);
      std::fill(scores_.begin(), scores_.end(), 0.0);
      model_.end = BoostEnd::perfect;
    }
    const double error = std::max(measured, kLeastError);
    const double odds = std::log((1 - error) / error) +
                        (classes_ > 2 ? std::log(static_cast<double>(classes_ - 1)) : 0.0);
    const double step = learner_.learning_rate * odds / 2;
    const std::vector<double> before = context_.trace != nullptr ? weights_ : std::vector<double>();
    const double normaliser = reweight(step);
    keep(measured, step);
    const double bound = model_.bounds.empty() ? 1 : model_.bounds.back();
    if (classes_ == 2) model_.bounds.push_back(bound * normaliser);
    const double wrong_rows = vote(step);
    model_.training_errors.back() = wrong_rows / total_;
    if (context_.trace != nullptr) {
      story().round({.round = round,
                     .error = measured,
                     .used_error = error,
                     .learning_rate = learner_.learning_rate,
                     .step = step,
                     .normaliser = normaliser,
                     .rows = total_,
                     .weights = weights_,
                     .before = before,
                     .wrong = wrong_,
                     .wrong_rows = wrong_rows});
    }
    return !perfect;
  }

  // w ← w e^(±α) / Z; returns Z.
  double reweight(double step) {
    const double up = std::exp(step);
    const double down = std::exp(-step);
    double sum = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      weights_[i] *= wrong_[i] != 0 ? up : down;
      sum += weights_[i];
    }
    for (double& w : weights_) w /= sum;
    return sum;
  }

  void keep(double error, double step) {
    weak_->keep(step, model_);
    model_.errors.push_back(error);
    model_.steps.push_back(step);
    model_.training_errors.push_back(error);
    if (step == 0 && classes_ == 2) model_.bounds.push_back(1);
  }

  // Adds the votes of a round; returns the weight that the ensemble gets wrong.
  double vote(double step) {
    double wrong = 0;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      double* mine = scores_.data() + i * classes_;
      mine[said_[i]] += step;
      const auto said = std::max_element(mine, mine + classes_) - mine;
      wrong += said == codes_[i] ? 0 : first_[i];
    }
    return wrong;
  }

  const AdaBoost& learner_;
  const TrainTask& task_;
  const Context& context_;
  std::unique_ptr<WeakLearner> weak_;
  std::size_t classes_;
  std::vector<std::int32_t> codes_;  // by position
  std::vector<double> first_;        // the weights of the rows
  std::vector<double> weights_;      // those of the round; their sum is 1
  std::vector<double> scores_;       // positions x classes
  std::vector<std::int32_t> said_;   // by the learner of the round
  std::vector<std::uint8_t> wrong_;
  double total_ = 0;
  AdaBoostModel model_;
};

}  // namespace

// Boosted, a yardstick no longer is one.
Info AdaBoost::effective_info() const {
  Info out = info_over(info, estimator.learner().info());
  out.gives = info.gives;
  return out;
}

void AdaBoost::check(const TrainTask& /*task*/) const {
  if (criterion == StumpCriterion::automatic || boosts_stumps(*this)) return;
  throw Error(ErrorKind::usage, "--criterion",
              "criterion is that of the default stump, and the estimator is another learner",
              "set it in the estimator, as in decision_stump(criterion=gini)");
}

AdaBoostModel AdaBoost::fit(const TrainTask& task, const Context& context) const {
  return Rounds(*this, task, context).run();
}

}  // namespace gradus
