#include "gradus/blocks/tree/tree_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/blocks/tree/level_words.hpp"
#include "gradus/blocks/tree/many_branches.hpp"
#include "gradus/blocks/tree/word_parts.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

class TreeWriter {
 public:
  TreeWriter(const Trees& trees, const TreeWords& words, const DescribeNode& describe)
      : trees_(trees), words_(words), describe_(describe) {}

  Value write(std::size_t node, std::size_t depth) {
    ++shown_;
    if (has_many_branches(trees_, node)) return write_branches(node, depth);
    Value out = object();
    if (!trees_.is_leaf(node)) {
      out["question"] = words_.question(node);
      if (trees_.set[node] == Trees::kNoSet) out["threshold"] = trees_.threshold[node];
      out["missing"] = trees_.missing_left[node] != 0 ? "yes" : "no";
    }
    describe_(node, out);
    if (trees_.is_leaf(node)) return out;
    if (depth == kShownDepth || shown_ + 2 > kShownNodes) {
      out["cut"] = true;
      return out;
    }
    out["yes"] = write(trees_.yes(node), depth + 1);
    out["no"] = write(trees_.no(node), depth + 1);
    return out;
  }

 private:
  Value write_branches(std::size_t node, std::size_t depth) {
    Value out = object({{"question", words_.question(node)}});
    out["missing"] = words_.branch(where_missing_goes(node));
    describe_(node, out);
    out["branches"] = object();
    for (const std::size_t child : branches_of(trees_, node)) {
      if (depth == kShownDepth || shown_ >= kShownNodes) {
        out["cut"] = true;
        break;
      }
      out["branches"][words_.branch(child)] = write(child, depth + 1);
    }
    return out;
  }

  std::size_t where_missing_goes(std::size_t node) const {
    while (true) {
      const std::size_t child = trees_.missing_left[node] != 0 ? trees_.yes(node) : trees_.no(node);
      if (!is_link(trees_, node, child)) return child;
      node = child;
    }
  }

  const Trees& trees_;
  const TreeWords& words_;
  const DescribeNode& describe_;
  std::size_t shown_ = 0;
};

FeatureName feature_of(const Trees& trees, std::size_t node, const Signature& signature) {
  return signature.features[static_cast<std::size_t>(trees.feature[node])];
}

}  // namespace

std::vector<std::string> set_names(const Trees& trees, std::size_t node, const FeatureName& name,
                                   bool inside) {
  std::vector<std::string> names;
  for (std::size_t level = 0; level < name.levels.size(); ++level) {
    if (trees.in_set(node, level) == inside) names.push_back(name.levels[level]);
  }
  return names;
}

TreeWords::TreeWords(const Trees& trees, std::size_t tree, const Signature& signature)
    : trees_(trees), signature_(signature), root_(trees.root(tree)), parent_(trees.parents(tree)) {}

void TreeWords::add_children(std::size_t node) {
  parent_.resize(std::max(parent_.size(), trees_.no(node) - root_ + 1), root_);
  parent_[trees_.yes(node) - root_] = node;
  parent_[trees_.no(node) - root_] = node;
}

std::string TreeWords::words_of(std::size_t node, bool yes) const {
  const FeatureName& name = feature_of(trees_, node, signature_);
  if (trees_.set[node] == Trees::kNoSet) {
    return fmt::format("{} {}", name.name,
                       cut_test(name, yes ? "<=" : ">", trees_.threshold[node]));
  }
  return fmt::format("{} {}", name.name, categories_of(node, yes));
}

// "= red", "in {red, blue}", "is missing" where no category is left. The no-child of a chain has
// what none of its nodes asks for.
std::string TreeWords::categories_of(std::size_t node, bool yes) const {
  const FeatureName& name = feature_of(trees_, node, signature_);
  std::vector<std::string> names = set_names(trees_, node, name, yes);
  while (!yes && node != root_ && is_link(trees_, parent_[node - root_], node)) {
    node = parent_[node - root_];
    for (const std::string& asked : set_names(trees_, node, name, true)) std::erase(names, asked);
  }
  return names.empty() ? "is missing" : category_test(std::move(names));
}

std::string TreeWords::question(std::size_t node) const {
  if (has_many_branches(trees_, node)) return feature_of(trees_, node, signature_).name;
  return words_of(node, true);
}

std::string TreeWords::branch(std::size_t child) const {
  const std::size_t from = parent_[child - root_];
  const std::string words = categories_of(from, child == trees_.yes(from));
  return words.starts_with("= ") ? words.substr(2) : words;
}

std::string TreeWords::test(std::size_t child) const {
  const std::size_t from = parent_[child - root_];
  return words_of(from, child == trees_.yes(from));
}

std::vector<std::size_t> TreeWords::way(std::size_t node, std::size_t most) const {
  return way_to(node, root_, parent_, most, [&](std::size_t step) {
    return step != node && is_link(trees_, parent_[step - root_], step);
  });
}

std::vector<std::string> TreeWords::tests(std::size_t node) const {
  return shown_tests(way(node, kShownWay + 1), [&](std::size_t step) { return test(step); });
}

std::string TreeWords::where(std::size_t node) const { return tests_as_condition(tests(node)); }

std::string TreeWords::path(std::size_t node) const { return tests_as_path(tests(node)); }

std::size_t TreeWords::depth(std::size_t node) const { return way(node, trees_.nodes()).size(); }

std::string TreeWords::answer(std::size_t node, std::span<const double> row) const {
  const FeatureName& name = feature_of(trees_, node, signature_);
  const double x = row[static_cast<std::size_t>(trees_.feature[node])];
  if (std::isnan(x)) return name.name + " is missing";
  return fmt::format("{} = {}", name.name, number_in_words(name, x));
}

Value tree_value(const Trees& trees, std::size_t tree, const TreeWords& words,
                 const DescribeNode& describe) {
  return TreeWriter(trees, words, describe).write(trees.root(tree), 0);
}

std::vector<std::size_t> leaves_in_order(const Trees& trees, std::size_t tree, std::size_t most) {
  std::vector<std::size_t> leaves;
  std::vector<std::size_t> stack = {trees.root(tree)};
  while (!stack.empty() && leaves.size() < most) {
    const std::size_t node = stack.back();
    stack.pop_back();
    if (trees.is_leaf(node)) {
      leaves.push_back(node);
      continue;
    }
    stack.push_back(trees.no(node));
    stack.push_back(trees.yes(node));
  }
  return leaves;
}

Value importances_value(std::span<const double> importances, const Signature& signature) {
  const double total = std::accumulate(importances.begin(), importances.end(), 0.0);
  Value out = object();
  for (std::size_t j = 0; j < importances.size(); ++j) {
    out[signature.features[j].name] = total > 0 ? importances[j] / total : 0.0;
  }
  return out;
}

std::string answer_in_words(const Trees& trees, std::size_t node, const Signature& signature) {
  if (signature.task != Task::classify) return readable(trees.value_of(node)[0]);
  return signature.classes[trees.loudest(node)];
}

}  // namespace gradus
