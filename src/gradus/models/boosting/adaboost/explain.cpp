#include "gradus/models/boosting/adaboost/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/shap/shap_words.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/core/text.hpp"
#include "gradus/trace/nested.hpp"

namespace gradus {
namespace {

// What still fits on a page.
constexpr std::size_t kMostRows = 50;
constexpr std::size_t kToldRounds = 100;

std::string path_of(std::size_t round) { return fmt::format("round {}", round + 1); }

// The steps of the prediction of a learner that is not a stump.
void tell_member(const AdaBoostModel& model, std::size_t round, std::span<const double> row,
                 const Signature& signature, Trace& trace) {
  if (model.members.empty()) return;
  const InnerModel& member = model.members[round];
  if (!member.entry().info.gives.has(Give::explains_row)) return;
  Recorder inner;
  member.core().explain(row, signature, inner);
  replay(inner, trace, path_of(round));
}

// `α = 0.5 · (½ ln((1 − 0.3)/0.3) + ½ ln(3 − 1)) = 0.3`. An error of 0 would have an infinite say.
std::string say_formula(const BoostRound& done, std::size_t classes) {
  std::string odds = fmt::format("½ ln((1 − {0})/{0})", readable(done.used_error));
  if (classes > 2) odds += fmt::format(" + ½ ln({} − 1)", classes);
  if (done.learning_rate != 1) {
    odds =
        fmt::format("{} · {}", readable(done.learning_rate), classes > 2 ? "(" + odds + ")" : odds);
  }
  const std::string floored =
      done.used_error == done.error
          ? ""
          : fmt::format("ε = {} is taken as {}; ", readable(done.error), readable(done.used_error));
  return fmt::format("{}α = {} = {}", floored, odds, readable(done.step));
}

}  // namespace

// The learner of the last round in words; a stump also as values.
std::string AdaBoostStory::tell_learner(Step& step) const {
  if (!model_.members.empty()) {
    const std::string name(model_.members.back().entry().info.name);
    step.values["learner"] = name;
    return "This round's " + name;
  }
  const Trees& trees = model_.trees;
  const std::size_t tree = trees.count() - 1;
  const std::size_t root = trees.root(tree);
  if (trees.is_leaf(root)) {
    const std::string always = "always " + signature_.classes[vote_of(trees, root)];
    step.values["question"] = always;
    return fmt::format("The stump \"{}\"", always);
  }
  const std::string question = TreeWords(trees, tree, signature_).question(root);
  const std::string& yes = signature_.classes[vote_of(trees, trees.yes(root))];
  const std::string& no = signature_.classes[vote_of(trees, trees.no(root))];
  step.values["threshold"] = trees.threshold[root];
  step.values["if_yes"] = yes;
  step.values["if_no"] = no;
  step.values["question"] = question;
  return fmt::format("The stump \"{}: {}, else {}\"", question, yes, no);
}

void AdaBoostStory::round(const BoostRound& done) const {
  if (done.round >= kToldRounds || !trace_.wants_more()) return;
  const bool two = signature_.classes.size() == 2;
  Step step{.title = fmt::format("Round {}", done.round + 1), .path = path_of(done.round)};
  step.values = object({{"error", done.error}, {"step", done.step}});
  const std::string learner = tell_learner(step);
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
  step.formula = say_formula(done, signature_.classes.size());
  if (two) {
    step.values["bound"] = model_.bounds.back();
    step.values["exponential_loss"] = done.rows * model_.bounds.back();
    step.formula +=
        fmt::format(", Z = {}, training error {} ≤ Π Z = {}", readable(done.normaliser),
                    readable(done.wrong_rows / done.rows), readable(model_.bounds.back()));
  }
  step.text = fmt::format(
      "{} errs on {} of the weight. Rows that it gets right weigh {} times as much "
      "as before, the others {} times.",
      learner, readable(done.error), readable(std::exp(-done.step) / done.normaliser, 4),
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
                          counted(model_.rounds(), "learner"),
                          enum_names(model_.end)[static_cast<std::size_t>(model_.end)]);
  const double worst = *std::max_element(model_.errors.begin(), model_.errors.end());
  if (!model_.bounds.empty() && worst < 0.5 && worst > 0) {
    // With γ = ½ − max ε the loss n Π Z is at most n (1 − 4γ²)^(T/2), below 1 when T is large
    // enough.
    const double gamma = 0.5 - worst;
    const auto rounds = static_cast<double>(model_.rounds());
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
  for (std::size_t r = 0; r < rounds(); ++r) {
    const std::size_t chosen = vote(r, row);
    scores[chosen] += steps[r];
    if (r >= kToldRounds || !trace.wants_more()) continue;
    if (r < kToldMemberFits) tell_member(*this, r, row, signature, trace);
    Step step{.title = fmt::format("Round {} votes for {}", r + 1, signature.classes[chosen]),
              .path = path_of(r)};
    step.values = object({{"vote", signature.classes[chosen]}, {"step", steps[r]}});
    step.formula = fmt::format("α = {}", readable(steps[r]));
    step.text = members.empty()
                    ? fmt::format("The row is where {}.",
                                  TreeWords(trees, r, signature).where(trees.leaf_of(r, row)))
                    : fmt::format("Its {} says so.", members[r].entry().info.name);
    trace.add(std::move(step));
  }
  if (contribution_scores() > 0) {
    ShapTold told;
    for (const std::string& name : signature.classes) {
      told.scores.push_back(fmt::format("Σα({})", name));
    }
    tell_contributions({trees, trees.cover}, row, signature, told, trace);
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
