// The fitted C4.5 tree, and how it came to its size.
#pragma once

#include <span>
#include <vector>

#include "gradus/blocks/branching/branch_tree.hpp"
#include "gradus/contract/feature_use.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/tree/c45/params.hpp"

namespace gradus {

struct C45Model {
  BranchTree tree;
  std::int32_t grown_nodes = 0;  // before pruning
  double bits = 0;               // description length of the tree and its exceptions
  std::vector<double> curve;     // sizes x (leaves, training accuracy, validation accuracy)

  template <class M = C45Model>
  static constexpr auto describe() {
    return Members{field(&M::tree, 1, "tree"), field(&M::grown_nodes, 2, "grown_nodes"),
                   field(&M::bits, 3, "bits"), field(&M::curve, 4, "curve")};
  }

  static constexpr Quantity quantities[] = {
      {"tree", "The tree from its root: column, entropy, class counts and branches of each node."},
      {"rules", "One rule IF ... THEN ... for each leaf, of trees that can be read."},
      {"depth", "The most questions that a row is asked."},
      {"nodes", "The number of nodes, leaves included."},
      {"leaves", "The number of leaves."},
      {"nodes_before_pruning", "The number of nodes of the tree as it was grown."},
      {"description_bits", "The bits that say the tree and name the rows it gets wrong."},
      {"overfitting_curve",
       "Accuracy in training and on the rows kept aside for every size (reduced_error)."},
  };

  void predict(const RowBlock& rows, double* out) const;
  Value fitted(const Signature& signature) const;
  void check(const Signature& signature) const;
  FeatureUse feature_use(const Signature& signature) const;
  // See contract/entry.hpp: what each column adds to the share of each class.
  std::size_t contribution_scores() const { return static_cast<std::size_t>(tree.classes); }
  void contributions(const PlayedRows& rows, double* out) const;
  void interactions(const PlayedRows& rows, double* out) const;
  SplitWork contribution_work() const;
  std::size_t kept_trees() const { return 1; }
  Value kept_tree(std::size_t, const Signature& signature) const {
    return fitted(signature).at("tree");
  }
  void explain(std::span<const double> row, const Signature& signature, Trace& trace) const;
};

}  // namespace gradus
