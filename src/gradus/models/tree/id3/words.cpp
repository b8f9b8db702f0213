#include "gradus/models/tree/id3/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

// What people and JSON readers can take: deeper or larger trees are shown in part, and say so.
constexpr std::size_t kShownDepth = 24;
constexpr std::size_t kShownNodes = 100000;
constexpr std::size_t kShownLeaves = 10000;

// The leaves from left to right, at most `most` of them.
std::vector<std::size_t> first_leaves(const Id3Model& model, std::size_t most) {
  std::vector<std::size_t> leaves;
  std::vector<std::size_t> stack = {0};
  while (!stack.empty() && leaves.size() < most) {
    const std::size_t node = stack.back();
    stack.pop_back();
    if (model.is_leaf(node)) {
      leaves.push_back(node);
      continue;
    }
    for (std::size_t i = model.branches(node); i-- > 0;) stack.push_back(model.child(node, i));
  }
  return leaves;
}

class TreeWriter {
 public:
  TreeWriter(const Id3Model& model, const Id3Paths& paths, const Signature& signature)
      : model_(model), paths_(paths), signature_(signature) {}

  Value write(std::size_t node, std::size_t depth) {
    ++shown_;
    const std::span<const double> counts = model_.counts_of(node);
    Value out = object();
    if (!model_.is_leaf(node)) out["attribute"] = feature(node).name;
    out["n"] = total_of(counts);
    out["entropy"] = entropy(counts);
    out["counts"] = object();
    for (std::size_t k = 0; k < counts.size(); ++k)
      out["counts"][signature_.classes[k]] = counts[k];
    if (model_.is_leaf(node)) {
      out["leaf"] = signature_.classes[answer_of(model_, paths_, node)];
      return out;
    }
    out["branches"] = object();
    for (std::size_t level = 0; level < model_.branches(node); ++level) {
      if (depth == kShownDepth || shown_ >= kShownNodes) {
        out["cut"] = true;
        break;
      }
      out["branches"][feature(node).levels[level]] = write(model_.child(node, level), depth + 1);
    }
    return out;
  }

 private:
  FeatureName feature(std::size_t node) const {
    return signature_.features[static_cast<std::size_t>(model_.feature[node])];
  }

  const Id3Model& model_;
  const Id3Paths& paths_;
  const Signature& signature_;
  std::size_t shown_ = 0;
};

Value disjunctive_form(const Id3Model& model, const Id3Paths& paths, const Signature& signature,
                       std::span<const std::size_t> leaves) {
  std::vector<std::vector<std::string>> terms(signature.classes.size());
  for (const std::size_t leaf : leaves) {
    const std::string term = leaf == 0 ? "true" : join(paths.tests(leaf), " ∧ ");
    terms[answer_of(model, paths, leaf)].push_back("(" + term + ")");
  }
  Value out = object();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    out[signature.classes[k]] = terms[k].empty() ? "false" : join(terms[k], " ∨ ");
  }
  return out;
}

}  // namespace

Id3Paths::Id3Paths(const Id3Model& model, const Signature& signature)
    : model_(model), signature_(signature), parent_(std::max<std::size_t>(1, model.nodes()), 0) {
  for (std::size_t node = 0; node < model.nodes(); ++node) {
    if (!model.is_leaf(node)) add_children(node);
  }
}

void Id3Paths::add_children(std::size_t node) {
  parent_.resize(std::max(parent_.size(), model_.nodes()), 0);
  for (std::size_t level = 0; level < model_.branches(node); ++level) {
    parent_[model_.child(node, level)] = node;
  }
}

std::string Id3Paths::test(std::size_t node, std::string_view equals) const {
  const std::size_t from = parent_[node];
  const FeatureName& name = signature_.features[static_cast<std::size_t>(model_.feature[from])];
  return fmt::format("{}{}{}", name.name, equals, name.levels[node - model_.child(from, 0)]);
}

std::vector<std::size_t> Id3Paths::ancestry(std::size_t node) const {
  std::vector<std::size_t> nodes;
  for (; node != 0; node = parent_[node]) nodes.push_back(node);
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

std::vector<std::string> Id3Paths::tests(std::size_t node) const {
  std::vector<std::string> out;
  for (const std::size_t step : ancestry(node)) out.push_back(test(step, " = "));
  return out;
}

std::string Id3Paths::path(std::size_t node) const {
  std::string out = "tree";
  for (const std::size_t step : ancestry(node)) out += "/" + test(step, "=");
  return out;
}

std::string Id3Paths::where(std::size_t node) const {
  return node == 0 ? "the root" : join(tests(node), " AND ");
}

std::size_t Id3Paths::depth(std::size_t node) const {
  std::size_t steps = 0;
  for (; node != 0; node = parent_[node]) ++steps;
  return steps;
}

std::size_t answer_of(const Id3Model& model, const Id3Paths& paths, std::size_t node) {
  const bool empty = total_of(model.counts_of(node)) <= 0;
  return majority(model.counts_of(empty ? paths.parent(node) : node));
}

Value Id3Model::fitted(const Signature& signature) const {
  const Id3Paths paths(*this, signature);
  const std::vector<std::size_t> leaves = first_leaves(*this, kShownLeaves);
  Value::Array rules;
  for (const std::size_t leaf : leaves) {
    rules.emplace_back(fmt::format("IF {} THEN {}", leaf == 0 ? "true" : paths.where(leaf),
                                   signature.classes[answer_of(*this, paths, leaf)]));
  }
  std::size_t depth = 0;
  for (std::size_t node = 0; node < nodes(); ++node) {
    if (is_leaf(node)) depth = std::max(depth, paths.depth(node));
  }
  const auto leaf_count =
      static_cast<std::size_t>(std::count(feature.begin(), feature.end(), kLeaf));
  Value out = object({{"tree", TreeWriter(*this, paths, signature).write(0, 0)},
                      {"rules", Value(std::move(rules))},
                      {"disjunctive_form", disjunctive_form(*this, paths, signature, leaves)},
                      {"depth", depth},
                      {"nodes", nodes()},
                      {"leaves", leaf_count}});
  if (leaves.size() < leaf_count) out["rules_left_out"] = leaf_count - leaves.size();
  return out;
}

}  // namespace gradus
