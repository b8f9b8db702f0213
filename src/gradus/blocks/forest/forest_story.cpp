#include "gradus/blocks/forest/forest_story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/forest/forest.hpp"
#include "gradus/blocks/shap/shap_words.hpp"
#include "gradus/blocks/single_tree/tree_story.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/core/text.hpp"
#include "gradus/trace/nested.hpp"

namespace gradus {
namespace {

// What still fits on a page.
constexpr std::size_t kToldTrees = 20;
constexpr std::size_t kMostRows = 50;
constexpr std::size_t kGrownRows = 500;  // of a table whose first tree is grown before our eyes
constexpr std::size_t kGrownNodes = 30;

std::size_t loudest(std::span<const double> votes) {
  return static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

class Story {
 public:
  Story(const ForestGrower& grower, const TargetUnits& units, const ForestModel& model,
        Trace& trace)
      : grower_(grower),
        units_(units),
        model_(model),
        signature_(grower.task().signature),
        trace_(trace) {}

  void tree(std::size_t tree) const {
    const std::vector<double> times = grower_.draws(tree);
    const Trees& trees = model_.trees;
    std::vector<std::size_t> drawn;
    std::vector<std::size_t> left_out;
    for (std::size_t row = 0; row < times.size(); ++row) {
      if (times[row] == 0) left_out.push_back(row + 1);
      drawn.insert(drawn.end(), static_cast<std::size_t>(times[row]), row + 1);
    }
    const auto n = static_cast<double>(times.size());
    const double share = static_cast<double>(left_out.size()) / n;
    Step step{.title = fmt::format("Tree {}", tree + 1), .path = fmt::format("tree {}", tree + 1)};
    step.values = object({{"rows_left_out", left_out.size()},
                          {"share_left_out", share},
                          {"leaves", trees.leaves(tree)},
                          {"depth", trees.depth(tree)}});
    if (times.size() <= kMostRows) {
      step.values["drawn"] = Value(drawn);
      step.values["left_out"] = Value(left_out);
    }
    step.formula =
        fmt::format("left out: {}/{} = {}", left_out.size(), times.size(), readable(share, 4));
    if (static_cast<double>(drawn.size()) == n && grower_.plan().bootstrap) {
      // Every draw misses a row with probability 1 − 1/n.
      const double expected = std::pow(1 - 1 / n, n);
      step.values["expected_share_left_out"] = expected;
      step.values["expected_share_drawn"] = 1 - expected;
      step.formula +=
          fmt::format(", expected (1 − 1/{0})^{0} = {1}", times.size(), readable(expected, 4));
    }
    const TreeWords words(trees, tree, signature_);
    const std::size_t root = trees.root(tree);
    const std::string first = trees.is_leaf(root)
                                  ? "is a leaf: " + answer_in_words(trees, root, signature_)
                                  : "first asks " + words.question(root);
    if (!trees.is_leaf(root)) step.values["question"] = words.question(root);
    step.text =
        fmt::format("Grown on its draw of the rows to {} and depth {}; it {}.",
                    counted(trees.leaves(tree), "leaf", "leaves"), trees.depth(tree), first);
    trace_.add(std::move(step));
  }

  // Node by node how the first tree of a small table grew; the columns of a node are those it drew.
  void growth() const {
    if (grower_.task().rows() > kGrownRows) return;
    Recorder inner(kGrownNodes);
    TreeStory story({model_.criterion, units_}, signature_, &inner);
    grower_.watch(0, model_.criterion, story.observer());
    replay(inner, trace_, "tree 1");
    const std::size_t nodes = nodes_of(0);
    if (nodes <= kGrownNodes || !trace_.wants_more()) return;
    Step step{.title = "The rest of tree 1", .path = "tree 1/rest"};
    step.values = object({{"nodes", nodes}, {"shown", kGrownNodes}});
    step.text = fmt::format("{} of {} nodes are shown; the others grow in the same way.",
                            kGrownNodes, nodes);
    trace_.add(std::move(step));
  }

  // Every row of a small table with the trees that did not draw it and what they say.
  void left_out() const {
    const TrainTask& task = grower_.task();
    if (!model_.oob_error || task.rows() > kMostRows) return;
    Step step{.title = "The rows left out", .path = "left out"};
    Value& table = step.values["rows"] = Value(Value::Array{});
    double sum = 0;
    double counted_rows = 0;
    for (std::size_t row = 0; row < task.rows(); ++row) {
      Value one = about_row(row);
      if (const Value* loss = one.find("mean_loss")) {
        sum += task.weight(row) * loss->as_number();
        counted_rows += task.weight(row);
      }
      table.push_back(std::move(one));
    }
    step.values["mean_loss_of_trees"] = sum / counted_rows;
    step.values["oob_error"] = *model_.oob_error;
    step.formula = fmt::format("E = 1/n Σ_i 1/Z_i Σ_(j without i) loss(h_j(x_i), y_i) = {}",
                               readable(sum / counted_rows));
    step.text = fmt::format(
        "Single trees err by {} on rows that they did not draw; their vote errs by {}. Rows that "
        "every tree drew are skipped.",
        readable(sum / counted_rows), readable(*model_.oob_error));
    trace_.add(std::move(step));
  }

  void curve() const {
    if (model_.oob_curve.size() < 2 || !model_.oob_error) return;
    Step step{.title = "The error falls with the number of trees", .path = "curve"};
    std::vector<std::string> points;
    Value& values = step.values["oob_curve"] = Value(Value::Array{});
    for (std::size_t t = 0; t < model_.oob_curve.size(); ++t) {
      const double error = model_.oob_curve[t];
      values.push_back(error < 0 ? Value() : Value(error));
      const bool power_of_two = ((t + 1) & t) == 0;
      if (error < 0 || (!power_of_two && t + 1 < model_.oob_curve.size())) continue;
      points.push_back(fmt::format("E({}) = {}", t + 1, readable(error, 4)));
    }
    step.formula = join(points, ", ");
    step.text = "The out-of-bag error of the first trees: more of them help until it stays level.";
    trace_.add(std::move(step));
  }

  void finish() const {
    Step step{.title = "The forest", .path = "forest"};
    step.values = model_.fitted(signature_);
    step.formula = "answer(x) = mean of the answers of all trees";
    step.text = fmt::format("{} vote.", counted(model_.trees.count(), "tree"));
    if (model_.oob_error) {
      step.text += fmt::format(" On the rows that they did not draw, {} is {}.",
                               signature_.task == Task::classify ? "the share of wrong classes"
                                                                 : "the mean squared error",
                               readable(*model_.oob_error));
    }
    trace_.add(std::move(step));
  }

 private:
  std::size_t nodes_of(std::size_t tree) const {
    const Trees& trees = model_.trees;
    return (tree + 1 < trees.count() ? trees.root(tree + 1) : trees.nodes()) - trees.root(tree);
  }

  Value about_row(std::size_t row) const {
    const TrainTask& task = grower_.task();
    const bool classify = signature_.task == Task::classify;
    std::vector<std::size_t> trees;
    std::vector<double> sums(static_cast<std::size_t>(model_.trees.width), 0.0);
    double loss = 0;
    for (std::size_t tree = 0; tree < grower_.left_out().size(); ++tree) {
      const LeftOut& left = grower_.left_out()[tree];
      const auto at = std::lower_bound(left.rows.begin(), left.rows.end(), row);
      if (at == left.rows.end() || *at != row) continue;
      trees.push_back(tree + 1);
      const auto place = static_cast<std::size_t>(at - left.rows.begin());
      const auto value = model_.trees.numbers_of(static_cast<std::size_t>(left.leaf[place]));
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += value[k];
      const double error = classify ? 0 : units_.own_answer(value[0]) - task.numbers[row];
      const bool wrong = classify && static_cast<std::int32_t>(loudest(value)) != task.classes[row];
      loss += classify ? (wrong ? 1.0 : 0.0) : error * error;
    }
    Value out = object({{"row", row + 1}, {"trees", Value(trees)}});
    if (trees.empty()) return out;
    const auto voters = static_cast<double>(trees.size());
    out["mean_loss"] = units_.of_square(loss / voters);
    if (classify) {
      out["answer"] = signature_.classes[loudest(sums)];
    } else {
      out["answer"] = sums[0] / voters;
    }
    return out;
  }

  const ForestGrower& grower_;
  const TargetUnits& units_;
  const ForestModel& model_;
  const Signature& signature_;
  Trace& trace_;
};

}  // namespace

void tell_forest(const ForestGrower& grower, const TargetUnits& units, const ForestModel& model,
                 Trace& trace) {
  const Story story(grower, units, model, trace);
  for (std::size_t tree = 0; tree < model.trees.count(); ++tree) {
    if (tree >= kToldTrees || !trace.wants_more()) break;
    story.tree(tree);
    if (tree == 0) story.growth();
  }
  story.left_out();
  story.curve();
  story.finish();
}

void ForestModel::explain(std::span<const double> row, const Signature& signature,
                          Trace& trace) const {
  std::vector<double> sums(static_cast<std::size_t>(trees.width), 0.0);
  std::vector<std::size_t> votes(sums.size(), 0);
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    const std::size_t leaf = trees.leaf_of(tree, row);
    const std::vector<double> value = trees.numbers_of(leaf);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += value[k];
    ++votes[loudest(value)];
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
    const std::size_t best = loudest(sums);
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
