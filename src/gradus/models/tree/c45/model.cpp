#include "gradus/models/tree/c45/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/blocks/branching/branch_words.hpp"
#include "gradus/blocks/impurity/bit_gains.hpp"
#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/shap/branch_shap.hpp"
#include "gradus/blocks/shap/shap_words.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/core/text.hpp"

namespace gradus {

template const Entry& entry<C45>();

namespace {

// Larger trees are not written out as rules.
constexpr std::size_t kShownRules = 1000;
constexpr std::size_t kShownDepth = 64;
constexpr std::size_t kCurveWidth = 3;

void shares_of(const BranchTree& tree, std::span<const double> row, double* out) {
  const auto classes = static_cast<std::size_t>(tree.classes);
  std::fill_n(out, classes, 0.0);
  tree.add_shares(row, out);
  // Parts of a row add up to one only up to rounding.
  const double total = total_of({out, classes});
  for (std::size_t k = 0; k < classes; ++k) out[k] /= total;
}

}  // namespace

void C45Model::predict(const RowBlock& rows, double* out) const {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    shares_of(tree, rows.row(i), out);
    out += tree.classes;
  }
}

void C45Model::contributions(const PlayedRows& rows, double* out) const {
  std::fill_n(out, rows.rows() * contribution_scores() * (rows.players() + 1), 0.0);
  add_branch_contributions(tree, rows, out);
}

void C45Model::interactions(const PlayedRows& rows, double* out) const {
  write_branch_interactions(tree, rows, out);
}

SplitWork C45Model::contribution_work() const { return split_work(tree); }

Value C45Model::fitted(const Signature& signature) const {
  const BranchWords words(tree, signature);
  Value out = object({{"tree", branch_tree_value(tree, words, signature)},
                      {"depth", tree.depth()},
                      {"nodes", tree.nodes()},
                      {"leaves", tree.leaves()},
                      {"nodes_before_pruning", static_cast<std::int64_t>(grown_nodes)},
                      {"description_bits", bits}});
  if (tree.leaves() <= kShownRules && tree.depth() <= kShownDepth) {
    out["rules"] = branch_rules(tree, words, kShownRules);
  }
  if (!curve.empty()) {
    Value::Array steps;
    for (std::size_t i = 0; i < curve.size(); i += kCurveWidth) {
      steps.push_back(object({{"leaves", static_cast<std::int64_t>(curve[i])},
                              {"training_accuracy", curve[i + 1]},
                              {"validation_accuracy", curve[i + 2]}}));
    }
    out["overfitting_curve"] = std::move(steps);
  }
  return out;
}

void C45Model::check(const Signature& signature) const {
  const bool whole = signature.task == Task::classify && grown_nodes >= 1 && std::isfinite(bits) &&
                     curve.size() % kCurveWidth == 0;
  bool sound = whole;
  for (const double x : curve) sound = sound && x >= 0 && x < 1e15;
  if (!sound) throw Error(ErrorKind::bad_data, "model", "the tree is damaged");
  tree.check(signature.classes.size(), signature.features.size());
}

void C45Model::explain(std::span<const double> row, const Signature& signature,
                       Trace& trace) const {
  const BranchWords words(tree, signature);
  std::vector<BranchVisit> stack = {{}};
  while (!stack.empty() && trace.wants_more()) {
    const BranchVisit visit = stack.back();
    stack.pop_back();
    std::vector<BranchVisit> next;
    const bool goes = go_on(tree, row, visit, next);
    Step step{.path = words.path(visit.node)};
    step.values = object({{"share", visit.share}});
    if (goes) {
      step.title = fmt::format("Ask for {}", words.question(visit.node));
      std::vector<std::string> tests;
      for (const BranchVisit& one : next) {
        tests.push_back(next.size() == 1
                            ? words.test(one.node)
                            : fmt::format("{} ({})", words.test(one.node), readable(one.share, 4)));
      }
      step.values["branches"] = Value(tests);
      step.text = next.size() == 1 ? fmt::format("The row has {}.", tests.front())
                                   : fmt::format("The value is missing: parts of the row go to {}.",
                                                 join(tests, ", "));
    } else {
      const std::span<const double> counts = tree.counts_of(visit.answering);
      step.title = "Answer " + words.answer(visit.node);
      step.values["counts"] = class_counts(counts, signature);
      step.text = fmt::format("IF {} THEN {}.", visit.node == 0 ? "true" : words.where(visit.node),
                              words.answer(visit.node));
      if (!tree.is_leaf(visit.node)) {
        step.text += " The value has no branch here, so the majority of this node answers.";
      }
    }
    trace.add(std::move(step));
    for (std::size_t i = next.size(); i-- > 0;) stack.push_back(next[i]);
  }
  tell_contributions(tree, row, signature, trace);
  std::vector<double> shares(signature.classes.size());
  shares_of(tree, row, shares.data());
  const auto best = std::max_element(shares.begin(), shares.end()) - shares.begin();
  Step step{.title = "Add the parts up", .path = "prediction"};
  step.values = object({{"prediction", signature.classes[static_cast<std::size_t>(best)]},
                        {"probabilities", class_counts(shares, signature)}});
  step.text = "Every leaf answers with its class shares, weighed by the part of the row in it.";
  trace.add(std::move(step));
}

FeatureUse C45Model::feature_use(const Signature& signature) const {
  return bit_gains(tree, signature.features.size(),
                   [this](std::size_t node) { return tree.width(node); });
}

}  // namespace gradus
