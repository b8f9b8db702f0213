// Pruning of branching trees: pessimistic (C4.5), reduced-error, and by description length.
//
// Pessimistic: a leaf of N rows with E errors is charged U · N errors, where U is the upper end of
// the one-sided confidence interval of E/N at `confidence`. A subtree gives way to a leaf, or to
// its largest branch, when that is charged no more (Quinlan 1993, chapter 4).
//
// Reduced-error: while it does not hurt on rows that were kept aside, the node whose replacement by
// a leaf helps them most is cut (Quinlan 1987; Mitchell 1997, section 3.7.1.1).
//
// Description length: a tree costs the bits that say its nodes and questions, and the bits that
// name the rows it gets wrong; a subtree that costs more than a leaf is cut (Quinlan and Rivest
// 1989).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "gradus/blocks/branching/branch_grow.hpp"

namespace gradus {

// What is added to E errors among N rows: U · N − E.
double pessimistic_extra(double rows, double errors, double confidence);

enum class BranchCutKind : std::uint8_t { collapse, leaf, raise };

// One decision that was taken: for explanations.
struct BranchCutEvent {
  std::size_t node = 0;
  BranchCutKind kind = BranchCutKind::leaf;
  double as_tree = 0;  // estimated errors, or bits
  double as_leaf = 0;
  double as_branch = 0;  // when the largest branch takes the place
};
using ObserveCut = std::function<void(const BranchCutEvent&)>;

struct PessimisticOptions {
  double confidence = 0.25;
  bool raising = true;
  ObserveCut observe = {};
};

// `rows` are those that the tree was grown from.
BranchTree prune_pessimistically(const BranchTree& tree, const RankedTable& table,
                                 const BranchRows& rows, const PessimisticOptions& options);

// One size on the way from the full tree to the root: what a curve of overfitting shows.
struct SizeStep {
  std::size_t leaves = 0;
  double training_accuracy = 0;
  double validation_accuracy = 0;
};

// One node that could be cut, with the accuracy on the validation rows afterwards.
struct ReducedErrorEvent {
  double before = 0;
  std::vector<std::pair<std::size_t, double>> candidates = {};  // node, accuracy
  std::optional<std::size_t> cut = {};                          // none: all would hurt
};

struct ReducedErrorResult {
  BranchTree tree;
  // Every size, also below the one that was kept.
  std::vector<SizeStep> curve;
};

ReducedErrorResult prune_reduced_error(
    const BranchTree& tree, const RankedTable& table, const BranchRows& validation,
    const std::function<void(const ReducedErrorEvent&)>& observe);

// The bits of a tree: a bit per node to say whether it is a leaf, log₂ of the columns and of the
// branches or cuts per question, log₂ of the classes per leaf, and log₂ of the ways to choose the
// rows that a leaf gets wrong.
double description_bits(const BranchTree& tree, const RankedTable& table);
BranchTree prune_by_description(const BranchTree& tree, const RankedTable& table,
                                const ObserveCut& observe);

}  // namespace gradus
