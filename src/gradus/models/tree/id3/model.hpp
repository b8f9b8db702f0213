// The fitted tree as parallel arrays: node 0 is the root, the children of a node stand together in
// the order of the levels of its attribute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gradus/blocks/branching/branch_tree.hpp"
#include "gradus/contract/feature_use.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/tree/id3/params.hpp"

namespace gradus {

struct Id3Model {
  static constexpr std::int32_t kLeaf = -1;

  std::int32_t classes = 0;
  std::vector<std::int32_t> levels;       // branches per feature
  std::vector<std::int32_t> feature;      // per node: what it asks for, kLeaf if it answers
  std::vector<std::int32_t> first_child;  // per node: child of level 0; 0 for a leaf
  std::vector<double> counts;             // nodes x classes: weight of each class

  template <class M = Id3Model>
  static constexpr auto describe() {
    return Members{field(&M::classes, 1, "classes"), field(&M::levels, 2, "levels"),
                   field(&M::feature, 3, "feature"), field(&M::first_child, 4, "first_child"),
                   field(&M::counts, 5, "counts")};
  }

  std::size_t nodes() const { return feature.size(); }
  bool is_leaf(std::size_t node) const { return feature[node] == kLeaf; }
  std::size_t branches(std::size_t node) const {
    return static_cast<std::size_t>(levels[static_cast<std::size_t>(feature[node])]);
  }
  std::size_t child(std::size_t node, std::size_t level) const {
    return static_cast<std::size_t>(first_child[node]) + level;
  }
  std::span<const double> counts_of(std::size_t node) const {
    const auto width = static_cast<std::size_t>(classes);
    return {counts.data() + node * width, width};
  }

  static constexpr Quantity quantities[] = {
      {"tree",
       "The tree from its root: attribute, entropy, class counts and branches of each node."},
      {"rules", "One rule IF ... THEN ... for each leaf."},
      {"disjunctive_form", "For each class, the conditions of its leaves joined by OR."},
      {"depth", "The most questions that a row is asked."},
      {"nodes", "The number of nodes, leaves included."},
      {"leaves", "The number of leaves."},
      {"rules_left_out", "Leaves beyond those that rules shows."},
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  FeatureUse feature_use(const Signature& signature) const;
  // See contract/entry.hpp: what each column adds to the share of each class.
  std::size_t contribution_scores() const { return static_cast<std::size_t>(classes); }
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const;
  std::size_t kept_trees() const { return 1; }
  Value kept_tree(std::size_t, const Signature& signature) const {
    return fitted(signature).at("tree");
  }
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

// The nodes that a row visits: `answering` is the last one that holds training rows, which is the
// parent when the walk ends in a branch that no training row took.
struct Id3Walk {
  std::size_t node = 0;
  std::size_t answering = 0;
};

// One step down the tree; false at a leaf, and where the row's value has no branch.
bool descend(const Id3Model& model, std::span<const double> row, Id3Walk& walk);

// The same tree as the engines of trees with many branches know it.
BranchTree branch_tree_of(const Id3Model& model);

// The class with the largest count, ties to the lowest index.
std::size_t majority(std::span<const double> counts);

}  // namespace gradus
