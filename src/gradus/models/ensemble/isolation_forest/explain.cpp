#include "gradus/models/ensemble/isolation_forest/explain.hpp"

#include <fmt/format.h>

#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// What still fits on a page.
constexpr std::size_t kToldTrees = 10;
constexpr std::size_t kMostRows = 50;

}  // namespace

void tell_isolation(const IsolationForestModel& model,
                    const std::vector<std::vector<std::uint32_t>>& samples,
                    const Signature& signature, Trace& trace) {
  for (std::size_t tree = 0; tree < samples.size() && tree < kToldTrees; ++tree) {
    Step step{.title = fmt::format("Tree {}", tree + 1), .path = fmt::format("tree {}", tree + 1)};
    step.values = object({{"rows", samples[tree].size()},
                          {"leaves", model.trees.leaves(tree)},
                          {"depth", model.trees.depth(tree)}});
    if (samples[tree].size() <= kMostRows) {
      std::vector<std::size_t> drawn;
      for (const std::uint32_t row : samples[tree]) drawn.push_back(row + 1);
      step.values["drawn"] = Value(drawn);
    }
    const std::size_t root = model.trees.root(tree);
    step.text = fmt::format("{} drawn by chance", counted(samples[tree].size(), "row"));
    if (model.trees.is_leaf(root)) {
      step.text += " cannot be told apart.";
    } else {
      const std::string cut = TreeWords(model.trees, tree, signature).question(root);
      step.values["question"] = cut;
      step.text += fmt::format(" are cut at random into {}; the first cut is {}.",
                               counted(model.trees.leaves(tree), "part"), cut);
    }
    trace.add(std::move(step));
  }
  Step step{.title = "The forest", .path = "forest"};
  step.values = model.fitted(signature);
  step.formula = fmt::format("s(x) = 2^(−mean cuts / c({})), c({}) = {}", model.rows, model.rows,
                             readable(expected_cuts(model.rows)));
  step.text = fmt::format("A row with a score above {} is an outlier.", readable(model.threshold));
  trace.add(std::move(step));
}

void IsolationForestModel::explain(std::span<const double> row, const Signature& signature,
                                   Trace& trace) const {
  const double expected = expected_cuts(rows);
  double sum = 0;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    const std::size_t leaf = trees.leaf_of(tree, row);
    sum += trees.value_of(leaf)[0];
    const double cuts = trees.value_of(leaf)[0] + expected;
    if (tree >= kToldTrees || !trace.wants_more()) continue;
    const TreeWords words(trees, tree, signature);
    Step step{.title = fmt::format("Tree {}", tree + 1), .path = fmt::format("tree {}", tree + 1)};
    const std::size_t made = words.depth(leaf);
    step.values = object({{"where", words.where(leaf)}, {"cuts_made", made}, {"cuts", cuts}});
    step.formula = fmt::format("h = {} + {} = {}", made, readable(cuts - static_cast<double>(made)),
                               readable(cuts));
    step.text =
        fmt::format("After {} the row is where {}.", counted(made, "cut"), words.where(leaf));
    trace.add(std::move(step));
  }
  const double beyond = sum / static_cast<double>(trees.count());
  const double mean = beyond + expected;
  const double s = score(beyond);
  Step step{.title = "The score", .path = "answer"};
  step.values = object({{"mean_cuts", mean},
                        {"expected_cuts", expected},
                        {"anomaly_score", s},
                        {"threshold", threshold},
                        {"outlier", s > threshold}});
  step.formula =
      fmt::format("s = 2^(−{}/{}) = {}", readable(mean), readable(expected), readable(s));
  step.text = s > threshold ? fmt::format("{} is above {}: the row stands apart.", readable(s),
                                          readable(threshold))
                            : fmt::format("{} is not above {}: the row is an ordinary one.",
                                          readable(s), readable(threshold));
  trace.add(std::move(step));
}

}  // namespace gradus
