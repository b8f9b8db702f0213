#include <algorithm>
#include <array>
#include <cmath>

#include "gradus/blocks/stump/stump.hpp"
#include "gradus/models/boosting/adaboost/explain.hpp"
#include "gradus/models/boosting/adaboost/model.hpp"

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
        table_(task, context),
        classes_(task.signature.classes.size()) {
    const std::vector<double> weights = row_weights(task, learner.class_balance);
    for (const std::uint32_t row : table_.rows()) {
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
      context_.stop_if_cancelled();
      context_.report("round", round, rounds);
      if (!go_on(round)) break;
    }
    if (context_.trace != nullptr) story().finish(total_);
    return std::move(model_);
  }

 private:
  struct Stump {
    ExactSplit split;                      // not found: both sides are one
    std::array<std::size_t, 2> vote = {};  // class of the no- and of the yes-side
  };

  AdaBoostStory story() const { return {model_, task_.signature, *context_.trace}; }

  TreeCriterion criterion() const {
    switch (learner_.criterion) {
      case StumpCriterion::gini: return TreeCriterion::gini;
      case StumpCriterion::entropy: return TreeCriterion::entropy;
      case StumpCriterion::error: return TreeCriterion::misclassification;
      case StumpCriterion::automatic: break;
    }
    return classes_ > 2 ? TreeCriterion::gini : TreeCriterion::misclassification;
  }

  // The best stump, or the best constant when no question errs less; `said_` is what it says.
  Stump learn_stump() {
    Stump out;
    const NodeSample sample = table_.sample(codes_, classes_, weights_);
    out.split = best_stump(table_, sample, criterion(), context_);
    std::vector<std::uint8_t> side(codes_.size(), 0);
    if (out.split.found) side = table_.sides(out.split);
    std::vector<double> counts(2 * classes_, 0.0);
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      counts[side[i] * classes_ + static_cast<std::size_t>(codes_[i])] += weights_[i];
    }
    for (const std::size_t which : {0U, 1U}) {
      const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(which * classes_);
      const auto end = begin + static_cast<std::ptrdiff_t>(classes_);
      // Of classes that weigh the same but for rounding, the first.
      const double most = *std::max_element(begin, end) - kRounding;
      out.vote[which] = static_cast<std::size_t>(
          std::find_if(begin, end, [most](double weight) { return weight >= most; }) - begin);
    }
    if (!out.split.found) out.vote[1] = out.vote[0];
    if (out.vote[0] == out.vote[1]) out.split.found = false;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      said_[i] = static_cast<std::int32_t>(out.vote[side[i]]);
    }
    return out;
  }

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
    const Stump stump = learn_stump();
    const double measured = judge();
    const double chance = 1 - 1 / static_cast<double>(classes_);
    if (classes_ > 1 && measured >= chance - kRounding) {
      model_.end = BoostEnd::chance;
      if (round == 0) keep(stump, measured, 0);
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
    keep(stump, measured, step);
    const double bound = model_.bounds.empty() ? 1 : model_.bounds.back();
    if (classes_ == 2) model_.bounds.push_back(bound * normaliser);
    const double wrong_rows = vote(step);
    model_.training_errors.back() = wrong_rows / total_;
    if (context_.trace != nullptr) {
      story().round(
          {round, measured, step, normaliser, total_, weights_, before, wrong_, wrong_rows});
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

  void keep(const Stump& stump, double error, double step) {
    Trees tree;
    tree.width = model_.trees.width;
    const std::size_t root = tree.begin_tree();
    std::vector<double> value(classes_, 0.0);
    const auto say = [&](std::size_t node, std::size_t vote) {
      std::fill(value.begin(), value.end(), 0.0);
      value[vote] = step;
      tree.set_value(node, value);
    };
    say(root, stump.vote[0]);
    if (stump.split.found) {
      const std::size_t yes = tree.split(root, stump.split.question);
      say(yes, stump.vote[1]);
      say(yes + 1, stump.vote[0]);
    }
    model_.trees.append(tree);
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
  StumpTable table_;
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

AdaBoostModel AdaBoost::fit(const TrainTask& task, const Context& context) const {
  return Rounds(*this, task, context).run();
}

}  // namespace gradus
