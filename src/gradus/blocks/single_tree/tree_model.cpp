#include "gradus/blocks/single_tree/tree_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/blocks/shap/tree_shap.hpp"
#include "gradus/blocks/splitter/prune.hpp"
#include "gradus/blocks/tree/many_branches.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/shown_number.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

namespace {

// Larger trees are not written out as rules or as a pruning path.
constexpr std::size_t kShownRules = 1000;
constexpr std::size_t kShownDepth = 64;
constexpr std::size_t kShownPath = 2000;

Value rules_of(const DecisionTreeModel& model, const TreeWords& words, const Signature& signature) {
  Value::Array rules;
  const Trees& trees = model.tree.trees;
  for (const std::size_t leaf : leaves_in_order(trees, 0, kShownRules)) {
    rules.emplace_back(fmt::format("IF {} THEN {}", leaf == 0 ? "true" : words.where(leaf),
                                   answer_in_words(trees, leaf, signature)));
  }
  return rules;
}

Value path_of(const ExactTree& tree) {
  Value::Array steps;
  for (const PruneStep& step : pruning_path(tree)) {
    steps.push_back(
        object({{"alpha", step.alpha}, {"impurity", step.impurity}, {"leaves", step.leaves}}));
  }
  return steps;
}

}  // namespace

void DecisionTreeModel::predict(const RowBlock& rows, double* out) const {
  const auto width = static_cast<std::size_t>(tree.trees.width);
  std::fill_n(out, rows.rows * width, 0.0);
  tree.trees.add_values(rows, width, out);
}

void DecisionTreeModel::contributions(const PlayedRows& rows, double* out) const {
  std::fill_n(out, rows.rows() * contribution_scores() * (rows.players() + 1), 0.0);
  add_contributions({tree.trees, tree.weight}, rows, contribution_scores(), out);
}

void DecisionTreeModel::interactions(const PlayedRows& rows, double* out) const {
  write_interactions({tree.trees, tree.weight}, rows, contribution_scores(), out);
}

SplitWork DecisionTreeModel::contribution_work() const { return split_work(tree.trees); }

FeatureUse DecisionTreeModel::feature_use(const Signature& signature) const {
  return {tree.importances, question_counts(tree.trees, signature.features.size())};
}

Value DecisionTreeModel::fitted(const Signature& signature) const {
  return fitted_with(signature, {});
}

Value DecisionTreeModel::fitted_with(const Signature& signature, const DescribeNode& more) const {
  const Trees& trees = tree.trees;
  const TreeWords words(trees, 0, signature);
  const auto describe_node = [&](std::size_t node, Value& out) {
    out["n"] = static_cast<std::int64_t>(tree.rows[node]);
    out["impurity"] = tree.impurity[node];
    if (signature.task == Task::classify) {
      out["counts"] = object();
      for (std::size_t k = 0; k < signature.classes.size(); ++k) {
        out["counts"][signature.classes[k]] =
            whole_if_near(trees.value_of(node)[k] * tree.weight[node]);
      }
    }
    if (signature.task == Task::classify) {
      out[trees.is_leaf(node) ? "leaf" : "majority"] = answer_in_words(trees, node, signature);
    } else {
      out[trees.is_leaf(node) ? "leaf" : "mean"] = trees.value[node];
    }
    if (more) more(node, out);
  };
  Value out = object({{"criterion", enum_names(criterion)[static_cast<std::size_t>(criterion)]},
                      {"depth", question_depth(trees, 0)},
                      {"nodes", question_nodes(trees, 0)},
                      {"leaves", trees.leaves(0)},
                      {"feature_importances", importances_value(tree.importances, signature)},
                      {"tree", tree_value(trees, 0, words, describe_node)}});
  if (trees.leaves(0) <= kShownRules && question_depth(trees, 0) <= kShownDepth) {
    out["rules"] = rules_of(*this, words, signature);
  }
  if (trees.nodes() <= kShownPath) out["cost_complexity_path"] = path_of(tree);
  return out;
}

void DecisionTreeModel::check(const Signature& signature) const {
  const bool for_classes = signature.task == Task::classify;
  if (criterion == TreeCriterion::automatic || is_for_classes(criterion) != for_classes) {
    throw Error(ErrorKind::bad_data, "model", "the tree is damaged: its criterion does not fit");
  }
  tree.check(signature.width(), signature.features.size());
}

}  // namespace gradus
