#include "gradus/models/ensemble/random_forest/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/blocks/shap/shap_words.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// What still fits on a page.
constexpr std::size_t kToldTrees = 20;
constexpr std::size_t kMostRows = 50;

}  // namespace

bool ForestStory::wants(std::size_t tree) const { return tree < kToldTrees && trace_.wants_more(); }

void ForestStory::tree(std::size_t tree, std::span<const double> times_drawn) const {
  const Trees& trees = model_.trees;
  std::vector<std::size_t> drawn;
  std::vector<std::size_t> left_out;
  for (std::size_t row = 0; row < times_drawn.size(); ++row) {
    if (times_drawn[row] == 0) left_out.push_back(row + 1);
    drawn.insert(drawn.end(), static_cast<std::size_t>(times_drawn[row]), row + 1);
  }
  const double share =
      static_cast<double>(left_out.size()) / static_cast<double>(times_drawn.size());
  Step step{.title = fmt::format("Tree {}", tree + 1), .path = fmt::format("tree {}", tree + 1)};
  step.values = object({{"rows_left_out", left_out.size()},
                        {"share_left_out", share},
                        {"leaves", trees.leaves(tree)},
                        {"depth", trees.depth(tree)}});
  if (times_drawn.size() <= kMostRows) {
    step.values["drawn"] = Value(drawn);
    step.values["left_out"] = Value(left_out);
  }
  step.formula =
      fmt::format("left out: {}/{} = {}", left_out.size(), times_drawn.size(), readable(share, 4));
  const TreeWords words(trees, tree, signature_);
  const std::size_t root = trees.root(tree);
  const std::string first = trees.is_leaf(root)
                                ? "is a leaf: " + answer_in_words(trees, root, signature_)
                                : "first asks " + words.question(root);
  if (!trees.is_leaf(root)) step.values["question"] = words.question(root);
  step.text = fmt::format("Grown on its draw of the rows to {} and depth {}; it {}.",
                          counted(trees.leaves(tree), "leaf", "leaves"), trees.depth(tree), first);
  trace_.add(std::move(step));
}

void ForestStory::finish() const {
  Step step{.title = "The forest", .path = "forest"};
  step.values = model_.fitted(signature_);
  step.formula = "answer(x) = mean of the answers of all trees";
  step.text = fmt::format("{} vote.", counted(model_.trees.count(), "tree"));
  if (model_.oob_error) {
    step.text += fmt::format(
        " On the rows that they did not draw, {} is {}.",
        signature_.task == Task::classify ? "the share of wrong classes" : "the mean squared error",
        readable(*model_.oob_error));
  }
  trace_.add(std::move(step));
}

void RandomForestModel::explain(std::span<const double> row, const Signature& signature,
                                Trace& trace) const {
  std::vector<double> sums(static_cast<std::size_t>(trees.width), 0.0);
  std::vector<std::size_t> votes(sums.size(), 0);
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    const std::size_t leaf = trees.leaf_of(tree, row);
    const std::span<const double> value = trees.value_of(leaf);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += value[k];
    ++votes[static_cast<std::size_t>(std::max_element(value.begin(), value.end()) - value.begin())];
    if (tree >= kToldTrees || !trace.wants_more()) continue;
    const TreeWords words(trees, tree, signature);
    const std::string answer = answer_in_words(trees, leaf, signature);
    Step step{.title = fmt::format("Tree {} says {}", tree + 1, answer),
              .path = fmt::format("tree {}", tree + 1)};
    step.values = object({{"where", words.where(leaf)}, {"answer", answer}});
    step.text = fmt::format("The row is where {}.", words.where(leaf));
    trace.add(std::move(step));
  }
  const auto count = static_cast<double>(trees.count());
  for (double& x : sums) x /= count;
  const bool for_classes = signature.task == Task::classify;
  tell_contributions(
      {trees, trees.cover}, row, signature,
      {.scores = for_classes ? signature.classes : signature.outputs, .divisor = count}, trace);
  Step step{.title = "The vote", .path = "answer"};
  if (for_classes) {
    const auto best =
        static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
    std::vector<std::string> shares;
    step.values = object({{"votes", object()}, {"probabilities", object()}});
    for (std::size_t k = 0; k < sums.size(); ++k) {
      step.values["votes"][signature.classes[k]] = votes[k];
      step.values["probabilities"][signature.classes[k]] = sums[k];
      shares.push_back(fmt::format("P({}) = {}", signature.classes[k], readable(sums[k])));
    }
    step.values["prediction"] = signature.classes[best];
    step.formula = join(shares, ", ");
    step.text = fmt::format("{} of {} trees vote for {}; the probabilities are the mean of theirs.",
                            votes[best], trees.count(), signature.classes[best]);
  } else {
    step.values = object({{"prediction", sums[0]}});
    step.text =
        fmt::format("The mean of {} is {}.", counted(trees.count(), "tree"), readable(sums[0]));
  }
  trace.add(std::move(step));
}

}  // namespace gradus
