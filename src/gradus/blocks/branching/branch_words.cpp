#include "gradus/blocks/branching/branch_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/tree/level_words.hpp"
#include "gradus/blocks/tree/word_parts.hpp"
#include "gradus/core/shown_number.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

class TreeWriter {
 public:
  TreeWriter(const BranchTree& tree, const BranchWords& words, const Signature& signature)
      : tree_(tree), words_(words), signature_(signature) {}

  Value write(std::size_t node, std::size_t depth) {
    ++shown_;
    const std::span<const double> counts = tree_.counts_of(node);
    Value out = object();
    if (!tree_.is_leaf(node)) {
      out["attribute"] = signature_.features[static_cast<std::size_t>(tree_.feature[node])].name;
      if (tree_.table[node] == BranchTree::kNoTable) out["threshold"] = tree_.threshold[node];
    }
    out["n"] = total_of(counts);
    out["entropy"] = entropy(counts);
    out["counts"] = class_counts(counts, signature_);
    if (tree_.is_leaf(node)) {
      out["leaf"] = words_.answer(node);
      return out;
    }
    out["majority"] = words_.answer(node);
    out["branches"] = object();
    const BranchQuestion question = tree_.question_of(node);
    const FeatureName name = signature_.features[question.feature];
    for (std::size_t b = 0; b < tree_.width(node); ++b) {
      if (depth == kShownDepth || shown_ >= kShownNodes) {
        out["cut"] = true;
        break;
      }
      std::string label = branch_text(question, name, b);
      if (label.starts_with("= ")) label = label.substr(2);
      out["branches"][label] = write(tree_.child(node, b), depth + 1);
    }
    return out;
  }

 private:
  const BranchTree& tree_;
  const BranchWords& words_;
  const Signature& signature_;
  std::size_t shown_ = 0;
};

}  // namespace

std::string branch_text(const BranchQuestion& question, const FeatureName& name,
                        std::size_t branch) {
  if (question.of_level.empty()) {
    if (branch == 2) return "is missing";
    return cut_test(name, branch == 0 ? "<=" : ">", question.threshold);
  }
  std::vector<std::string> names;
  for (std::size_t level = 0; level < question.of_level.size(); ++level) {
    const bool here = question.of_level[level] == static_cast<std::int32_t>(branch);
    if (here && level < name.levels.size()) names.push_back(name.levels[level]);
  }
  return names.empty() ? "is missing" : category_test(std::move(names));
}

std::string question_text(const BranchQuestion& question, const FeatureName& name) {
  if (question.of_level.empty() || question.branches == 2) {
    return fmt::format("{} {}", name.name, branch_text(question, name, 0));
  }
  return name.name;
}

BranchWords::BranchWords(const BranchTree& tree, const Signature& signature)
    : tree_(tree), signature_(signature), parent_(tree.parents()) {}

void BranchWords::add_children(std::size_t node) {
  parent_.resize(std::max(parent_.size(), tree_.nodes()), 0);
  for (std::size_t b = 0; b < tree_.width(node); ++b) parent_[tree_.child(node, b)] = node;
}

std::string BranchWords::question(std::size_t node) const {
  const BranchQuestion question = tree_.question_of(node);
  return question_text(question, signature_.features[question.feature]);
}

std::string BranchWords::test(std::size_t child) const {
  const std::size_t from = parent_[child];
  const BranchQuestion question = tree_.question_of(from);
  const FeatureName name = signature_.features[question.feature];
  return fmt::format("{} {}", name.name, branch_text(question, name, child - tree_.child(from, 0)));
}

std::vector<std::string> BranchWords::tests(std::size_t node) const {
  const auto none = [](std::size_t) { return false; };
  return shown_tests(way_to(node, 0, parent_, kShownWay + 1, none),
                     [&](std::size_t step) { return test(step); });
}

std::string BranchWords::where(std::size_t node) const { return tests_as_condition(tests(node)); }

std::string BranchWords::path(std::size_t node) const { return tests_as_path(tests(node)); }

std::size_t BranchWords::answering(std::size_t node) const {
  while (node != 0 && tree_.weight_of(node) <= 0) node = parent_[node];
  return node;
}

const std::string& BranchWords::answer(std::size_t node) const {
  const std::span<const double> counts = tree_.counts_of(answering(node));
  const auto best = std::max_element(counts.begin(), counts.end()) - counts.begin();
  return signature_.classes[static_cast<std::size_t>(best)];
}

Value branch_tree_value(const BranchTree& tree, const BranchWords& words,
                        const Signature& signature) {
  return TreeWriter(tree, words, signature).write(0, 0);
}

Value branch_rules(const BranchTree& tree, const BranchWords& words, std::size_t most) {
  Value::Array rules;
  std::vector<std::size_t> stack = {0};
  while (!stack.empty() && rules.size() < most) {
    const std::size_t node = stack.back();
    stack.pop_back();
    if (tree.is_leaf(node)) {
      rules.emplace_back(
          fmt::format("IF {} THEN {}", node == 0 ? "true" : words.where(node), words.answer(node)));
    }
    for (std::size_t b = tree.width(node); b-- > 0;) stack.push_back(tree.child(node, b));
  }
  return rules;
}

Value class_counts(std::span<const double> counts, const Signature& signature) {
  Value out = object();
  for (std::size_t k = 0; k < counts.size(); ++k)
    out[signature.classes[k]] = whole_if_near(counts[k]);
  return out;
}

}  // namespace gradus
