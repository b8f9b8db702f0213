#include "gradus/models/boosting/adaboost/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// What still fits on a page.
constexpr std::size_t kMostRows = 50;
constexpr std::size_t kToldRounds = 100;

std::string path_of(std::size_t round) { return fmt::format("round {}", round + 1); }

// The class that a leaf votes for.
std::size_t vote_of(const Trees& trees, std::size_t leaf) {
  const std::span<const double> value = trees.value_of(leaf);
  return static_cast<std::size_t>(std::max_element(value.begin(), value.end()) - value.begin());
}

}  // namespace

void AdaBoostStory::round(const BoostRound& done) const {
  if (done.round >= kToldRounds || !trace_.wants_more()) return;
  const Trees& trees = model_.trees;
  const std::size_t tree = trees.count() - 1;
  const std::size_t root = trees.root(tree);
  const TreeWords words(trees, tree, signature_);
  const bool two = signature_.classes.size() == 2;
  Step step{.title = fmt::format("Round {}", done.round + 1), .path = path_of(done.round)};
  step.values = object({{"error", done.error}, {"step", done.step}});
  std::string question;
  if (trees.is_leaf(root)) {
    question = "always " + signature_.classes[vote_of(trees, root)];
  } else {
    question = words.question(root);
    step.values["threshold"] = trees.threshold[root];
    step.values["if_yes"] = signature_.classes[vote_of(trees, trees.yes(root))];
    step.values["if_no"] = signature_.classes[vote_of(trees, trees.no(root))];
  }
  step.values["question"] = question;
  step.values["normaliser"] = done.normaliser;
  step.values["factor_right"] = std::exp(-done.step) / done.normaliser;
  step.values["factor_wrong"] = std::exp(done.step) / done.normaliser;
  step.values["wrong_rows"] = done.wrong_rows;
  if (done.before.size() <= kMostRows) {
    step.values["weights_before"] =
        Value(std::vector<double>(done.before.begin(), done.before.end()));
    step.values["weights_after"] =
        Value(std::vector<double>(done.weights.begin(), done.weights.end()));
    std::vector<std::size_t> wrong;
    for (std::size_t i = 0; i < done.wrong.size(); ++i) {
      if (done.wrong[i] != 0) wrong.push_back(i + 1);
    }
    step.values["wrong"] = Value(wrong);
  }
  step.formula = fmt::format("α = ½ ln((1 − {0})/{0}){1} = {2}", readable(done.error),
                             two ? "" : fmt::format(" + ½ ln({} − 1)", signature_.classes.size()),
                             readable(done.step));
  if (two) {
    step.values["bound"] = model_.bounds.back();
    step.values["exponential_loss"] = done.rows * model_.bounds.back();
    step.formula +=
        fmt::format(", Z = {}, training error {} ≤ Π Z = {}", readable(done.normaliser),
                    readable(done.wrong_rows / done.rows), readable(model_.bounds.back()));
  }
  const std::string chosen = trees.is_leaf(root) ? question
                                                 : fmt::format("{}: {}, else {}", question,
                                                               step.values.at("if_yes").as_string(),
                                                               step.values.at("if_no").as_string());
  step.text = fmt::format(
      "The stump \"{}\" errs on {} of the weight. Rows that it gets right weigh {} times as much "
      "as before, the others {} times.",
      chosen, readable(done.error), readable(std::exp(-done.step) / done.normaliser, 4),
      readable(std::exp(done.step) / done.normaliser, 4));
  trace_.add(std::move(step));
}

void AdaBoostStory::refused(std::size_t round, double error) const {
  const auto classes = static_cast<double>(signature_.classes.size());
  Step step{.title = fmt::format("Round {} ends the work", round + 1), .path = path_of(round)};
  step.values = object({{"error", error}, {"chance", 1 - 1 / classes}});
  step.formula =
      fmt::format("ε = {} ≥ 1 − 1/{} = {}", readable(error), classes, readable(1 - 1 / classes));
  step.text = "The best learner is no better than chance: it would have no say.";
  trace_.add(std::move(step));
}

void AdaBoostStory::finish(double rows) const {
  Step step{.title = "The ensemble", .path = "ensemble"};
  step.values = model_.fitted(signature_);
  step.formula = "H(x) = Σ α_t h_t(x)";
  step.text = fmt::format("{} vote with their say; the rounds ended by {}.",
                          counted(model_.trees.count(), "learner"),
                          enum_names(model_.end)[static_cast<std::size_t>(model_.end)]);
  const double worst = *std::max_element(model_.errors.begin(), model_.errors.end());
  if (!model_.bounds.empty() && worst < 0.5 && worst > 0) {
    // With γ = ½ − max ε the loss n Π Z is at most n (1 − 4γ²)^(T/2), below 1 when T is large
    // enough.
    const double gamma = 0.5 - worst;
    const auto rounds = static_cast<double>(model_.trees.count());
    const double shrink = 1 - 4 * gamma * gamma;
    const double loss = rows * std::pow(shrink, rounds / 2);
    const double enough = 2 * std::log(rows) / -std::log(shrink);
    step.values["gamma"] = gamma;
    step.values["loss_bound"] = loss;
    step.values["rounds_to_no_error"] = enough;
    step.formula += fmt::format(", loss ≤ n (1 − 4γ²)^(T/2) = {}, γ = ½ − max ε = {}",
                                readable(loss), readable(gamma));
    step.text += fmt::format(
        " If every round were {} better than chance, more than {} rounds would leave no training "
        "error.",
        readable(gamma), readable(enough));
  }
  trace_.add(std::move(step));
}

void AdaBoostModel::explain(std::span<const double> row, const Signature& signature,
                            Trace& trace) const {
  std::vector<double> scores(signature.classes.size(), 0.0);
  for (std::size_t round = 0; round < trees.count(); ++round) {
    const std::size_t leaf = trees.leaf_of(round, row);
    const std::size_t vote = vote_of(trees, leaf);
    scores[vote] += trees.value_of(leaf)[vote];
    if (round >= kToldRounds || !trace.wants_more()) continue;
    const TreeWords words(trees, round, signature);
    Step step{.title = fmt::format("Round {} votes for {}", round + 1, signature.classes[vote]),
              .path = path_of(round)};
    step.values = object({{"vote", signature.classes[vote]}, {"step", steps[round]}});
    step.formula = fmt::format("α = {}", readable(steps[round]));
    step.text = fmt::format("The row is where {}.", words.where(leaf));
    trace.add(std::move(step));
  }
  std::vector<double> shares = scores;
  probabilities(shares.data());
  Step step{.title = "The vote", .path = "answer"};
  step.values = object({{"scores", object()}, {"probabilities", object()}});
  std::vector<std::string> sums;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    step.values["scores"][signature.classes[k]] = scores[k];
    step.values["probabilities"][signature.classes[k]] = shares[k];
    sums.push_back(fmt::format("Σα({}) = {}", signature.classes[k], readable(scores[k])));
  }
  if (scores.size() == 2) {
    step.values["H"] = scores[1] - scores[0];
    sums.push_back(fmt::format("H = {}, P({}) = 1/(1 + e^(−2H)) = {}",
                               readable(scores[1] - scores[0]), signature.classes[1],
                               readable(shares[1])));
  }
  const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
  step.values["prediction"] = signature.classes[static_cast<std::size_t>(best)];
  step.formula = join(sums, ", ");
  step.text =
      fmt::format("The most say is for {}.", signature.classes[static_cast<std::size_t>(best)]);
  trace.add(std::move(step));
}

}  // namespace gradus
