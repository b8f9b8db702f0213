#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/stump/stump.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/boosting/logitboost/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

// Rows that are surely right keep a little weight, so that sums stay above 0.
constexpr double kLeastWeight = 1e-10;
// What still fits on a page.
constexpr std::size_t kMostRows = 50;
constexpr std::size_t kToldRounds = 100;

class Rounds {
 public:
  Rounds(const LogitBoost& learner, const TrainTask& task, const Context& context)
      : learner_(learner), task_(task), context_(context), table_(task, context) {
    model_.classes = static_cast<std::int32_t>(task.signature.classes.size());
    model_.importances.assign(task.features.cols(), 0.0);
    const std::vector<double> weights = row_weights(task, learner.initial_weights);
    for (const std::uint32_t row : table_.rows()) {
      codes_.push_back(task.classes[row]);
      first_.push_back(weights[row]);
      total_ += weights[row];
    }
    scores_.assign(codes_.size() * model_.outputs(), 0.0);
    shares_.resize(codes_.size() * static_cast<std::size_t>(model_.classes));
    response_.resize(codes_.size());
    weights_.resize(codes_.size());
    take_shares();
  }

  LogitBoostModel run() {
    const auto rounds = static_cast<std::size_t>(learner_.n_estimators);
    for (std::size_t round = 0; round < rounds; ++round) {
      context_.report("round", round, rounds);
      if (context_.ends_here("round", round, rounds)) break;
      for (std::size_t output = 0; output < model_.outputs(); ++output) {
        context_.stop_if_cancelled();
        add_stump(round, output);
      }
      // All classes of a round step from the same probabilities.
      take_shares();
      model_.losses.push_back(loss());
      if (context_.trace != nullptr) tell_round(round);
    }
    return std::move(model_);
  }

 private:
  std::size_t classes() const { return static_cast<std::size_t>(model_.classes); }

  // The class whose probability an output raises.
  std::size_t class_of(std::size_t output) const {
    return model_.outputs() == 1 ? classes() - 1 : output;
  }

  void take_shares() {
    const std::size_t width = model_.outputs();
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      model_.probabilities(std::span(scores_).subspan(i * width, width),
                           shares_.data() + i * classes());
    }
  }

  double loss() const {
    double sum = 0;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      const double p = shares_[i * classes() + static_cast<std::size_t>(codes_[i])];
      sum -= first_[i] * std::log(std::max(p, 1e-300));
    }
    return sum / total_;
  }

  void take_response(std::size_t output) {
    const std::size_t k = class_of(output);
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      const double p = shares_[i * classes() + k];
      const bool mine = static_cast<std::size_t>(codes_[i]) == k;
      const double spread = p * (1 - p);
      // (y − p) / (p (1 − p)) is 1/p for the class and −1/(1 − p) for the others.
      const double z = mine ? 1 / p : -1 / (1 - p);
      response_[i] = std::clamp(z, -learner_.z_max, learner_.z_max);
      weights_[i] = first_[i] * std::max(spread, kLeastWeight);
    }
  }

  void add_stump(std::size_t round, std::size_t output) {
    take_response(output);
    const NodeSample sample = table_.sample(response_, weights_);
    const ExactSplit split = best_stump(table_, sample, TreeCriterion::squared_error, context_);
    std::vector<std::uint8_t> side(codes_.size(), 0);
    if (split.found) side = table_.sides(split);
    double sum[2] = {0, 0};
    double weight[2] = {0, 0};
    double held[2] = {0, 0};  // of the rows as they were given
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      sum[side[i]] += weights_[i] * response_[i];
      weight[side[i]] += weights_[i];
      held[side[i]] += first_[i];
    }
    const auto count = static_cast<double>(classes());
    const double rate = learner_.learning_rate * (classes() > 2 ? (count - 1) / count : 0.5);
    const double no = rate * sum[0] / weight[0];
    const double yes = split.found ? rate * sum[1] / weight[1] : no;
    Trees tree;
    const std::size_t root = tree.begin_tree();
    tree.value[root] = rate * (sum[0] + sum[1]) / (weight[0] + weight[1]);
    tree.cover = {held[0] + held[1]};
    if (split.found) {
      const std::size_t child = tree.split(root, split.question);
      tree.value[child] = yes;
      tree.value[child + 1] = no;
      tree.cover.insert(tree.cover.end(), {held[1], held[0]});
      model_.importances[split.question.feature] += split.gain * (weight[0] + weight[1]);
    }
    model_.trees.append(tree);
    if (context_.trace != nullptr) tell_stump(round, output);
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      scores_[i * model_.outputs() + output] += side[i] != 0 ? yes : no;
    }
  }

  void tell_stump(std::size_t round, std::size_t output) const {
    if (round >= kToldRounds || !context_.trace->wants_more()) return;
    const Trees& trees = model_.trees;
    const std::size_t tree = trees.count() - 1;
    const std::size_t root = trees.root(tree);
    const std::string& name = task_.signature.classes[class_of(output)];
    Step step{.title = fmt::format("Round {}: a stump for {}", round + 1, name),
              .path = fmt::format("round {}/{}", round + 1, name)};
    if (codes_.size() <= kMostRows) {
      step.values["responses"] = Value(response_);
      step.values["weights"] = Value(weights_);
    }
    if (trees.is_leaf(root)) {
      step.values["added"] = trees.value[root];
      step.text = "No question parts the rows: all get the mean.";
    } else {
      const std::string question = TreeWords(trees, tree, task_.signature).question(root);
      step.values["question"] = question;
      step.values["if_yes"] = trees.value[trees.yes(root)];
      step.values["if_no"] = trees.value[trees.no(root)];
      step.formula =
          fmt::format("F({}) += {} if {}, else {}", name, readable(trees.value[trees.yes(root)]),
                      question, readable(trees.value[trees.no(root)]));
      step.text =
          "Of all questions, this one leaves the least weighted squared distance to the working "
          "response z = (y − p)/(p(1 − p)).";
    }
    context_.trace->add(std::move(step));
  }

  void tell_round(std::size_t round) const {
    if (round >= kToldRounds || !context_.trace->wants_more()) return;
    Step step{.title = fmt::format("Round {} is done", round + 1),
              .path = fmt::format("round {}", round + 1)};
    step.values = object({{"loss", model_.losses.back()}});
    if (codes_.size() <= kMostRows) {
      step.values["scores"] = Value(scores_);
      step.values["probabilities"] = Value(shares_);
    }
    step.formula = fmt::format("mean −ln p = {}", readable(model_.losses.back()));
    step.text = "The probabilities follow from the new scores.";
    context_.trace->add(std::move(step));
  }

  const LogitBoost& learner_;
  const TrainTask& task_;
  const Context& context_;
  StumpTable table_;
  std::vector<std::int32_t> codes_;  // by position
  std::vector<double> first_;        // the weights of the rows
  double total_ = 0;
  std::vector<double> scores_;    // positions x outputs
  std::vector<double> shares_;    // positions x classes
  std::vector<double> response_;  // z
  std::vector<double> weights_;   // first · p (1 − p)
  LogitBoostModel model_;
};

}  // namespace

LogitBoostModel LogitBoost::fit(const TrainTask& task, const Context& context) const {
  return Rounds(*this, task, context).run();
}

}  // namespace gradus
